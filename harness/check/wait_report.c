#include "harness/check/all.h"
#include "harness/check/common.h"
#include "harness/check/slow.h"
#include "harness/pattern.h"

#include "base/number.h"

#include <math.h>

/* Times below this are the clock and the scheduler, not the client. */
#define LEAST_TOLERANCE_S 0.1

/* The announced wait in seconds: groups `n` and, for "ms", `unit`. */
static bool announced(struct pattern *p, const struct lane_view *v, double *ret)
{
  struct bytes n = {0}, unit = {0};
  for (size_t i = v->ns; i-- > 0;) {
    if (!pattern_last(p, v->s[i]->err) && !pattern_last(p, v->s[i]->out))
      continue;
    if (!pattern_group(p, "n", &n) ||
        number_decimal(n, 0, 1e9, ret) != NUMBER_OK)
      return false;
    if (pattern_group(p, "unit", &unit) && bytes_starts(unit, BYTES("m")))
      *ret /= bytes_equal(unit, BYTES("ms")) ? 1000 : 1.0 / 60;
    return true;
  }
  return false;
}

struct wait {
  double s;
  double slept_s; /* in real time all of it */
  int64_t from_ns, to_ns;
};

/* The lane's last wait after a fault. What it computed besides is no part of
 * the wait it announced, where that can be told apart. */
static bool observed(const struct lane_view *v, struct wait *ret)
{
  const struct vtime_report *vtime = v->e->vtime;
  struct gap g;
  bool found = false;
  for (size_t i = 0; i < v->na; i++) {
    if (!attempt_faulty(v->a[i]) || !lane_gap(v, i, &g))
      continue;
    int64_t from = attempt_end_ns(g.before), to = g.after->first_byte_ns;
    *ret = (struct wait){ns_to_s(g.ns), ns_to_s(g.ns), from, to};
    struct jump_sum sum = {0};
    if (vtime)
      sum = jump_log_between(vtime->log, from, to);
    if (sum.whole)
      ret->slept_s = ns_to_s(sum.slept_ns);
    found = true;
  }
  return found;
}

static void compare(const struct lane_view *v, const struct expect *x,
                    struct pattern *p, struct finding *ret)
{
  double said = 0, share = 0.25;
  struct wait did = {0};
  param_number(x->node, "tolerance", &share);
  if (!announced(p, v, &said)) {
    finding_actual(ret, VERDICT_INCONCLUSIVE, "it announced no wait");
    return;
  }
  if (!observed(v, &did)) {
    finding_actual(ret, VERDICT_INCONCLUSIVE,
                   "it announced %g s, and no call followed", said);
    return;
  }
  double most = fmax(said * share, LEAST_TOLERANCE_S);
  bool good = fabs(said - did.s) <= most || fabs(said - did.slept_s) <= most;
  snprintf(ret->expected, sizeof ret->expected, "%s, give or take %s",
           span_text(said * 1000).s, span_text(most * 1000).s);
  finding_actual(ret, good ? VERDICT_PASS : VERDICT_FAIL, "%s",
                 span_text(did.s * 1000).s);
  slow_explain(v->e, did.from_ns, did.to_ns, ret);
}

static void judge_lane(const struct lane_view *v, const struct expect *x,
                       struct finding *ret)
{
  const char *text = NULL;
  char why[224];
  param_string(x->node, "matches", &text);
  snprintf(ret->text, sizeof ret->text,
           "the last wait is as long as the client announced it");
  if (no_contact(v->e, ret))
    return;
  struct pattern *p = pattern_new(text, why, sizeof why);
  if (p)
    compare(v, x, p, ret);
  else
    finding_actual(ret, VERDICT_INCONCLUSIVE, "%s", why);
  pattern_free(p);
}

static void judge(const struct evidence *e, const struct expect *x,
                  struct finding *ret)
{
  judge_lanes(e, x, judge_lane, ret);
}

static int check(const struct jval *expect, struct diag *diag)
{
  struct jval v;
  const char *text = NULL;
  char why[224];
  if (!jval_member(expect, "matches", &v))
    return 0; /* required: said by the table */
  if (pattern_check(&v, diag) < 0 || jval_string(&v, &text, diag) < 0)
    return -1;
  struct pattern *p = pattern_new(text, why, sizeof why);
  bool has = p && pattern_has_group(p, "n");
  pattern_free(p);
  return has ? 0 : jval_error(&v, diag, "needs a group (?<n>...) for the time");
}

static const struct param params[] = {
    {.name = "matches",
     .type = PARAM_STRING,
     .required = true,
     .summary = "pattern of the announcement: (?<n>...) the number, "
                "(?<unit>ms|s|m) its unit, default seconds"},
    {.name = "tolerance",
     .type = PARAM_NUMBER,
     .max = 10,
     .summary = "share of the announced wait it may differ by, default 0.25"},
    {.name = NULL}};

const struct check check_wait_report = {
    .name = "wait_report",
    .summary = "whether the wait a client announces is the one it does",
    .params = params,
    .per_lane = true,
    .check = check,
    .judge = judge};
