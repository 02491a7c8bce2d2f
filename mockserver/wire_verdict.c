#include "mockserver/wire_verdict.h"

#include "base/number.h"
#include "mockserver/wire_calls.h"

#include <inttypes.h>
#include <string.h>

/* LLMock's, without its five per cent: of an hour they are three minutes. */
#define SLACK_NS (50 * NS_PER_MS)
/* LLMock's: the vendors' libraries make 3 attempts. */
enum { MAX_ATTEMPTS = 10 };
/* A client that is told to wait longer may well give up. */
enum { LONG_WAIT_S = 60 };
/* Thirty years: beyond it nothing is a wait. */
#define MAX_WAIT_S 1e9

struct judging {
  struct wire_verdict *v;
  const struct wire_call_seen *call;
  size_t number;
};

/* Numbers of attempts of the call. */
struct pair {
  size_t first, last;
};

__attribute__((format(printf, 6, 7))) static void
find(const struct judging *g, enum wire_verdict_severity severity,
     const char *code, const char *advice, struct pair seen, const char *format,
     ...)
{
  va_list ap;
  struct wire_verdict *v = g->v;
  *(severity == VERDICT_ERROR ? &v->errors : &v->warnings) += 1;
  if (v->nfindings == VERDICT_MAX_FINDINGS)
    return;
  struct wire_verdict_finding *f = &v->findings[v->nfindings++];
  *f = (struct wire_verdict_finding){.severity = severity,
                                     .code = code,
                                     .advice = advice,
                                     .call = g->number,
                                     .first = g->call->attempts[seen.first],
                                     .last = g->call->attempts[seen.last]};
  va_start(ap, format);
  vsnprintf(f->title, sizeof f->title, format, ap);
  va_end(ap);
}

static double seconds(int64_t ns)
{
  return (double)ns / (double)NS_PER_S;
}

/* A plain number of seconds; dates and junk ask for nothing that is judged
 * here. */
static bool wait_asked(const struct attempt *a, int64_t *ret_ns)
{
  double s = 0;
  if (!a->has_retry_after ||
      number_decimal(bytes_of(a->retry_after), 0, MAX_WAIT_S, &s) != NUMBER_OK)
    return false;
  *ret_ns = (int64_t)(s * (double)NS_PER_S);
  return true;
}

static void judge_retry_after(const struct judging *g)
{
  for (size_t i = 1; i < g->call->n; i++) {
    const struct attempt *before = g->call->attempts[i - 1];
    const struct attempt *after = g->call->attempts[i];
    int64_t asked = 0, waited = attempt_gap_ns(before, after);
    if (!attempt_failed(before) || !wait_asked(before, &asked) ||
        waited + SLACK_NS >= asked)
      continue;
    find(g, VERDICT_ERROR, "retry_after_ignored",
         "Wait for retry-after before retrying: an earlier retry lands in the "
         "same window and fails again.",
         (struct pair){i - 1, i},
         "Retried %.3f s after a %d whose retry-after was %.3f "
         "s.",
         seconds(waited), before->status, seconds(asked));
  }
}

/* Of 429 those that no wait within a client's life mends, by the names the
 * journal has for them. */
static bool is_spent(const char *what)
{
  static const char *const names[] = {"insufficient_quota",
                                      "credit_balance",
                                      "spend_limit",
                                      "usage_limit",
                                      "billing",
                                      "limit_zero",
                                      NULL};
  for (const char *const *n = names; *n; n++)
    if (strstr(what, *n))
      return true;
  return false;
}

static bool is_final(const struct attempt *a)
{
  switch (a->status) {
  case 400:
  case 402:
  case 403:
  case 404:
  case 405:
  case 413:
  case 422:
    return true;
  case 429:
    return is_spent(a->what);
  default:
    return false;
  }
}

static void judge_final(const struct judging *g)
{
  const struct attempt *before_that = NULL;
  for (size_t i = 1; i < g->call->n; i++) {
    const struct attempt *before = g->call->attempts[i - 1];
    /* after one 401 a client may have got itself another token */
    bool again =
        before->status == 401 && before_that && before_that->status == 401;
    before_that = before;
    if (!is_final(before) && !again)
      continue;
    find(g, VERDICT_ERROR, "retried_non_retryable",
         "Retry 408, 409, 429, 5xx and broken connections only; tell the "
         "caller of the others.",
         (struct pair){i - 1, i},
         "Retried after '%s': the same request fails the same way.",
         before->what);
    return; /* one a call, as LLMock */
  }
}

static void judge_storm(const struct judging *g)
{
  if (g->call->n > MAX_ATTEMPTS)
    find(g, VERDICT_ERROR, "retry_storm",
         "Cap retries: the vendors' libraries make two.",
         (struct pair){0, g->call->n - 1}, "%zu attempts for a single call.",
         g->call->n);
}

static void judge_backoff(const struct judging *g)
{
  size_t n = 0;
  for (size_t i = 1; i < g->call->n; i++) {
    const struct attempt *before = g->call->attempts[i - 1];
    if (before->has_retry_after)
      continue;
    if (attempt_gap_ns(before, g->call->attempts[i]) >= SLACK_NS)
      return;
    n++;
  }
  if (n >= 2)
    find(g, VERDICT_WARNING, "no_backoff",
         "Back off exponentially, with jitter, when no retry-after is given.",
         (struct pair){0, g->call->n - 1},
         "Retried %zu times with no delay at all.", n);
}

/* The wire cannot show whether a client tells its caller, so it is a
 * warning. */
static void judge_end(const struct judging *g)
{
  const struct attempt *last = g->call->attempts[g->call->n - 1];
  int64_t asked = 0;
  bool transient = last->status >= 500 || last->status == 429 ||
                   last->status == 408 || last->status == 409;
  if (last->is_start || last->end == END_OPEN || !transient || is_final(last) ||
      (wait_asked(last, &asked) && asked > LONG_WAIT_S * NS_PER_S))
    return;
  find(g, VERDICT_WARNING, "gave_up",
       "Transient failures are retryable: allow a few retries with backoff, or "
       "make sure the caller handles the error on purpose.",
       (struct pair){g->call->n - 1, g->call->n - 1},
       "No further attempt after a %d (%zu attempts).", last->status,
       g->call->n);
}

/* ---- what keeps a verdict from being one ---- */

static void reason(struct wire_verdict *v, bool holds, const char *text)
{
  if (holds && v->nreasons < VERDICT_MAX_REASONS)
    v->reasons[v->nreasons++] = text;
}

static void find_reasons(struct wire_verdict *v, const struct journal *j,
                         const struct wire_verdict_context *c, bool ambiguous)
{
  size_t open = 0, lost = 0;
  for (size_t i = 0; i < journal_count(j); i++) {
    const struct attempt *a = journal_get(j, i);
    open += a->cls == ATTEMPT_CALL && a->end == END_OPEN;
    lost += a->injected && !a->delivered && a->end != END_OPEN;
  }
  reason(v, v->calls == 0, "no_request: no call has reached the server");
  reason(v, c->no_faults, "no_faults: a control run sends no fault");
  reason(v, v->calls && v->faults == 0, "no_fault_sent: no fault went out");
  reason(v, lost && !c->no_faults,
         "fault_not_delivered: a fault was meant and did not go out");
  reason(v, c->unused_steps,
         "fault_not_consumed: a step of the script met no call");
  reason(v, c->waiting,
         "fault_not_consumed: a queued error or a retry test waits still");
  reason(v, open, "open_attempts: a call is still being answered");
  reason(v, journal_dropped(j), "journal_dropped: the oldest calls are gone");
  reason(v, ambiguous,
         "ambiguous_calls: two calls with the same body ran at once in a lane; "
         "give each worker a lane or an idempotency key");
}

static void judge_call(struct judging *g)
{
  judge_storm(g);
  judge_retry_after(g);
  judge_final(g);
  judge_backoff(g);
  judge_end(g);
}

/* Errors first, each kind in the order of calls. */
static void sort_findings(struct wire_verdict *v)
{
  struct wire_verdict_finding *sorted =
      mem_alloc((v->nfindings + 1) * sizeof *sorted);
  size_t n = 0;
  for (int s = VERDICT_ERROR; s <= VERDICT_WARNING; s++)
    for (size_t i = 0; i < v->nfindings; i++)
      if ((int)v->findings[i].severity == s)
        sorted[n++] = v->findings[i];
  free(v->findings);
  v->findings = sorted;
}

void wire_verdict_judge(const struct journal *j,
                        const struct wire_verdict_context *c,
                        struct wire_verdict *ret)
{
  struct wire_calls calls;
  bool ambiguous = false;
  *ret = (struct wire_verdict){0};
  ret->findings = mem_alloc(VERDICT_MAX_FINDINGS * sizeof *ret->findings);
  wire_calls_find(j, &calls);
  ret->calls = calls.n;
  for (size_t i = 0; i < calls.n; i++) {
    const struct wire_call_seen *call = &calls.list[i];
    struct judging g = {ret, call, i + 1};
    ret->attempts += call->n;
    for (size_t k = 0; k < call->n; k++)
      ret->faults +=
          call->attempts[k]->injected && call->attempts[k]->delivered;
    if (call->ambiguous)
      ambiguous = true; /* whose retry is whose is not known */
    else
      judge_call(&g);
  }
  sort_findings(ret);
  find_reasons(ret, j, c, ambiguous);
  wire_calls_release(&calls);
}

void wire_verdict_release(struct wire_verdict *v)
{
  free(v->findings);
}

const char *wire_verdict_word(const struct wire_verdict *v)
{
  return v->errors ? "fail" : v->nreasons ? "inconclusive" : "pass";
}
