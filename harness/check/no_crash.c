#include "harness/check/all.h"
#include "harness/check/common.h"

#include <string.h>

/* What runtimes print when nobody caught the error, each with the runtime it
 * is of. A message of the client's own is no crash. */
static const char *const traces[] = {
    "Traceback (most recent call last)", /* Python */
    "UnhandledPromiseRejection",         /* Node */
    "[UnhandledPromiseRejection",        /* Node */
    "Uncaught Error",                    /* Deno, browsers */
    "Uncaught TypeError",                /* Deno, browsers */
    "node:internal/process/",            /* Node, uncaught exception */
    "throw er; // Unhandled 'error'",    /* Node, event emitter */
    "\ngoroutine 1 [",                   /* Go */
    "panic: ",                           /* Go */
    "panicked at ",                      /* Rust */
    "Exception in thread \"main\"",      /* Java, Kotlin */
    "Unhandled exception. ",             /* .NET */
    "terminate called after throwing",   /* C++ */
    "Segmentation fault",                /* shells */
    "AddressSanitizer",                  /* C, C++ */
};

/* A shell reports a signal as 128 and its number: SIGILL, SIGABRT, SIGBUS,
 * SIGFPE, SIGSEGV. */
static const int crash_codes[] = {132, 134, 135, 136, 139};

static const char *trace_in(struct bytes text)
{
  for (size_t i = 0; i < sizeof traces / sizeof *traces; i++)
    if (text.n && memmem(text.p, text.n, traces[i], strlen(traces[i])))
      return traces[i][0] == '\n' ? traces[i] + 1 : traces[i];
  return NULL;
}

static bool crash_code(int code)
{
  for (size_t i = 0; i < sizeof crash_codes / sizeof *crash_codes; i++)
    if (crash_codes[i] == code)
      return true;
  return false;
}

static void judge_start(const struct client_start *s, struct finding *f)
{
  char how[320];
  start_format(s, how, sizeof how);
  const char *trace = trace_in(s->err);
  if (!trace)
    trace = trace_in(s->out);
  if (!s->launched) {
    f->kind = KIND_HARNESS;
    finding_actual(f, VERDICT_INCONCLUSIVE, "%s", how);
  } else if ((s->signal && !s->timed_out) || trace ||
             (!s->timed_out && crash_code(s->exit_code))) {
    f->kind = KIND_CRASH;
    finding_actual(f, VERDICT_FAIL, "%s%s%s", how, trace ? ", wrote: " : "",
                   trace ? trace : "");
  } else {
    finding_actual(f, VERDICT_PASS, "%s", how);
  }
}

static void judge_lane(const struct lane_view *v, const struct expect *x,
                       struct finding *ret)
{
  char label[32];
  (void)x;
  snprintf(ret->text, sizeof ret->text, "no crash");
  finding_set(ret, VERDICT_INCONCLUSIVE);
  for (size_t i = 0; i < v->ns; i++) {
    struct finding f = {.expected = "no signal, no trace of an uncaught error"};
    snprintf(f.text, sizeof f.text, "%sno crash",
             start_label(v, i, label, sizeof label));
    judge_start(v->s[i], &f);
    if (f.verdict == VERDICT_PASS)
      no_contact(v->e, &f);
    if (i == 0)
      *ret = f;
    else
      finding_merge(ret, &f);
  }
}

static void judge(const struct evidence *e, const struct expect *x,
                  struct finding *ret)
{
  judge_lanes(e, x, judge_lane, ret);
}

static const struct param params[] = {{.name = NULL}};

const struct check check_no_crash = {
    .name = "no_crash",
    .summary = "no start ends by a signal or with the trace of an uncaught "
               "error",
    .params = params,
    .per_lane = true,
    .judge = judge};
