#include "harness/check/all.h"
#include "harness/check/common.h"
#include "harness/check/slow.h"

/* From the first request of a start to its exit; a start that made none is
 * judged by other checks. */
static bool measure(const struct lane_view *v, size_t start, double *ret_s)
{
  for (size_t i = 0; i < v->na; i++) {
    if (lane_start_of(v, v->a[i]) != (int)start)
      continue;
    *ret_s = ns_to_s(v->s[start]->exit_ns - v->a[i]->first_byte_ns);
    return true;
  }
  return false;
}

static void judge_start(const struct lane_view *v, size_t i,
                        const struct bounds *b, double s, struct finding *ret)
{
  struct finding f = {0};
  char label[32];
  snprintf(f.text, sizeof f.text, "%stime from the first request to the end",
           start_label(v, i, label, sizeof label));
  bounds_format_ms(b, f.expected, sizeof f.expected);
  bool good = bounds_hold(b, s), stalled = v->s[i]->stalled_ns > 0;
  bool where = stalled && v->s[i]->stalled_in[0];
  if (v->s[i]->timed_out) {
    f.kind = start_hang_kind(v->s[i]);
    /* It would have gone on: a lower bound holds, an upper one is open. */
    finding_actual(&f,
                   !good         ? VERDICT_FAIL
                   : b->has_high ? VERDICT_INCONCLUSIVE
                                 : VERDICT_PASS,
                   "%s and %s%s%s%s", span_text(s * 1000).s,
                   stalled ? "waits for ever" : "still running at the limit",
                   where ? " (" : "", where ? v->s[i]->stalled_in : "",
                   where ? ")" : "");
  } else {
    finding_actual(&f, good ? VERDICT_PASS : VERDICT_FAIL, "%s",
                   span_text(s * 1000).s);
    slow_explain(v->e, v->s[i]->exit_ns - (int64_t)(s * (double)NS_PER_S),
                 v->s[i]->exit_ns, &f);
  }
  finding_merge(ret, &f);
}

static void judge_lane(const struct lane_view *v, const struct expect *x,
                       struct finding *ret)
{
  struct bounds b;
  char why[160];
  struct expr_vars vars = vars_plain(v->e);
  double s = 0;
  enum expr_result r = bounds_read(x, &vars, &b, why, sizeof why);
  for (size_t i = 0; r == EXPR_OK && i < v->ns; i++)
    if (measure(v, i, &s))
      judge_start(v, i, &b, s, ret);
  if (ret->text[0])
    return;
  snprintf(ret->text, sizeof ret->text,
           "time from the first request to the end");
  if (r != EXPR_OK)
    finding_no_value(ret, r, why);
  else
    finding_actual(ret, VERDICT_INCONCLUSIVE, "no start made a request");
}

static void judge(const struct evidence *e, const struct expect *x,
                  struct finding *ret)
{
  judge_lanes(e, x, judge_lane, ret);
}

static const struct param params[] = {
    {.name = "at_least",
     .type = PARAM_EXPR,
     .summary = "the shortest time, in seconds"},
    {.name = "at_most",
     .type = PARAM_EXPR,
     .summary = "the longest time, in seconds"},
    {.name = NULL}};

const struct check check_total_time = {
    .name = "total_time",
    .summary = "how long each start took from its first request to its end",
    .params = params,
    .per_lane = true,
    .check = bounds_check,
    .judge = judge};
