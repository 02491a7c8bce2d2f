#include "harness/check/all.h"
#include "harness/check/common.h"
#include "harness/pattern.h"

#include <string.h>

enum { STDOUT, STDERR, BOTH };
static const char *const streams[] = {"stdout", "stderr", "both", NULL};

/* What the starts wrote, one after the other; `cut`: not all was kept. */
struct written {
  struct buf text;
  bool cut;
  size_t starts;
};

/* Room for the captured outputs of a run; what is beyond counts as cut. */
#define MAX_JOINED ((size_t)64 << 20)

static void collect(const struct lane_view *v, const struct expect *x,
                    struct written *w)
{
  int which = param_word(x->node, "stream", streams, BOTH);
  int64_t only = 0;
  param_int(x->node, "start", &only);
  memset(w, 0, sizeof *w);
  buf_init(&w->text, MAX_JOINED);
  for (size_t i = 0; i < v->ns; i++) {
    const struct client_start *s = v->s[i];
    if (only && (size_t)only != i + 1)
      continue;
    w->starts++;
    if (which != STDERR) {
      buf_addb(&w->text, s->out);
      w->cut |= s->out_cut;
    }
    if (which != STDOUT) {
      buf_addb(&w->text, s->err);
      w->cut |= s->err_cut;
    }
  }
  w->cut |= w->text.full;
}

/* The end of the output, printable, for the reader of a failure. */
static void excerpt(const struct written *w, char *ret, size_t size)
{
  struct bytes b = buf_bytes(&w->text);
  size_t room = 160, skip = b.n > room ? b.n - room : 0;
  struct buf out;
  buf_init(&out, 4096);
  buf_add_json(&out, (struct bytes){b.p ? b.p + skip : "", b.n - skip});
  if (b.n == 0)
    snprintf(ret, size, "nothing was written");
  else
    snprintf(ret, size, "%zu bytes, %s%s", b.n, skip ? "at the end: " : "",
             buf_str(&out));
  buf_release(&out);
}

/* A text that was not found in a kept part may be in the rest. */
static void judge_key(const struct written *w, const char *what,
                      const char *wanted, bool good, bool proved,
                      struct finding *ret)
{
  struct finding f = {0};
  char saw[480];
  excerpt(w, saw, sizeof saw);
  snprintf(f.text, sizeof f.text, "the output %s", what);
  snprintf(f.expected, sizeof f.expected, "%s", wanted);
  if (w->cut && !proved)
    finding_actual(&f, VERDICT_INCONCLUSIVE,
                   "more was written than is kept (%zu bytes)", w->text.n);
  else
    finding_actual(&f, good ? VERDICT_PASS : VERDICT_FAIL, "%s", saw);
  finding_merge(ret, &f);
}

static void judge_contains(const struct written *w, const struct expect *x,
                           struct finding *ret)
{
  const char *text = NULL;
  struct bytes all = buf_bytes(&w->text);
  if (param_string(x->node, "contains", &text)) {
    bool found = bytes_find(all, bytes_of(text)) >= 0;
    judge_key(w, "contains", text, found, found, ret);
  }
  if (param_string(x->node, "not_contains", &text)) {
    bool found = bytes_find(all, bytes_of(text)) >= 0;
    judge_key(w, "does not contain", text, !found, found, ret);
  }
  if (param_string(x->node, "equals", &text)) {
    bool same = bytes_equal(all, bytes_of(text));
    judge_key(w, "is", text, same, all.n > strlen(text), ret);
  }
}

static void judge_matches(const struct written *w, const struct expect *x,
                          struct finding *ret)
{
  const char *text = NULL;
  char why[160];
  if (!param_string(x->node, "matches", &text))
    return;
  struct pattern *p = pattern_new(text, why, sizeof why);
  bool found = p && pattern_last(p, buf_bytes(&w->text));
  judge_key(w, "matches", text, found, found, ret);
  pattern_free(p);
}

static void judge_lane(const struct lane_view *v, const struct expect *x,
                       struct finding *ret)
{
  struct written w;
  snprintf(ret->text, sizeof ret->text, "the output");
  if (no_contact(v->e, ret))
    return;
  ret->text[0] = '\0';
  collect(v, x, &w);
  if (w.starts) {
    judge_contains(&w, x, ret);
    judge_matches(&w, x, ret);
  } else {
    snprintf(ret->text, sizeof ret->text, "the output");
    finding_actual(ret, VERDICT_INCONCLUSIVE, "there was no such start");
  }
  buf_release(&w.text);
}

static void judge(const struct evidence *e, const struct expect *x,
                  struct finding *ret)
{
  judge_lanes(e, x, judge_lane, ret);
}

static int check(const struct jval *expect, struct diag *diag)
{
  static const char *const keys[] = {"contains", "not_contains", "equals",
                                     "matches", NULL};
  struct jval v;
  bool any = false;
  for (size_t i = 0; keys[i]; i++)
    any |= param_has(expect->node, keys[i]);
  if (!any)
    return jval_error(expect, diag,
                      "needs 'contains', 'not_contains', 'matches' or "
                      "'equals'");
  if (jval_member(expect, "matches", &v))
    return pattern_check(&v, diag);
  return 0;
}

static const struct param params[] = {
    {.name = "stream",
     .type = PARAM_WORD,
     .words = streams,
     .summary = "which output, default both, one behind the other"},
    {.name = "contains", .type = PARAM_STRING, .summary = "holds this text"},
    {.name = "not_contains",
     .type = PARAM_STRING,
     .summary = "does not hold this text"},
    {.name = "matches",
     .type = PARAM_STRING,
     .summary = "a regular expression that matches somewhere"},
    {.name = "equals", .type = PARAM_STRING, .summary = "is exactly this text"},
    {.name = "start",
     .type = PARAM_INT,
     .min = 1,
     .max = 100,
     .summary = "only this start of the client, default all of them joined"},
    {.name = NULL}};

const struct check check_output = {
    .name = "output",
    .summary = "what the client wrote on stdout and stderr",
    .params = params,
    .check = check,
    .judge = judge};
