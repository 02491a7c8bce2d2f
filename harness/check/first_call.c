#include "harness/check/all.h"
#include "harness/check/common.h"
#include "harness/check/slow.h"

/* From the start of the program to the first byte of its first request. */
static bool measure(const struct lane_view *v, size_t start, double *ret_s)
{
  for (size_t i = 0; i < v->na; i++) {
    if (lane_start_of(v, v->a[i]) != (int)start)
      continue;
    *ret_s = ns_to_s(v->a[i]->first_byte_ns - v->s[start]->start_ns);
    return true;
  }
  return false;
}

static void judge_start(const struct lane_view *v, size_t i,
                        const struct bounds *b, double s, struct finding *ret)
{
  struct finding f = {0};
  char label[32];
  snprintf(f.text, sizeof f.text, "%stime from the start to the first request",
           start_label(v, i, label, sizeof label));
  bounds_format_ms(b, f.expected, sizeof f.expected);
  finding_actual(&f, bounds_hold(b, s) ? VERDICT_PASS : VERDICT_FAIL, "%s",
                 span_text(s * 1000).s);
  slow_explain(v->e, v->s[i]->start_ns,
               v->s[i]->start_ns + (int64_t)(s * (double)NS_PER_S), &f);
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
           "time from the start to the first request");
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
     .summary = "the shortest time, in seconds: a hard bound"},
    {.name = "at_most",
     .type = PARAM_EXPR,
     .summary = "the longest time, in seconds: add policy.slack"},
    {.name = NULL}};

const struct check check_first_call = {
    .name = "first_call",
    .summary = "how long after its start a client makes its first call",
    .params = params,
    .check = bounds_check,
    .judge = judge};
