#include "harness/check/all.h"
#include "harness/check/common.h"

/* How long nothing more came before the client left. */
static double silence_s(const struct attempt *a)
{
  int64_t last = a->answer_last_ns > a->end_request_ns ? a->answer_last_ns
                                                       : a->end_request_ns;
  return ns_to_s(a->client_left_ns - last);
}

static void judge_attempt(const struct lane_view *v, const struct expect *x,
                          size_t i, struct finding *ret)
{
  const struct attempt *a = v->a[i];
  struct finding f = {0};
  struct bounds b;
  char why[160];
  struct expr_vars vars = vars_plain(v->e);
  enum expr_result r = bounds_read(x, &vars, &b, why, sizeof why);
  snprintf(f.text, sizeof f.text,
           "how long attempt %zu was silent before the client left it", i + 1);
  if (r != EXPR_OK) {
    finding_no_value(&f, r, why);
  } else {
    bounds_format_ms(&b, f.expected, sizeof f.expected);
    finding_actual(&f,
                   bounds_hold(&b, silence_s(a)) ? VERDICT_PASS : VERDICT_FAIL,
                   "%s", span_text(silence_s(a) * 1000).s);
  }
  finding_merge(ret, &f);
}

static void judge_lane(const struct lane_view *v, const struct expect *x,
                       struct finding *ret)
{
  int64_t only = 0;
  param_int(x->node, "attempt", &only);
  for (size_t i = 0; i < v->na; i++)
    if (v->a[i]->end == END_CLIENT && v->a[i]->client_left_ns > 0 &&
        (only == 0 || only == (int64_t)i + 1))
      judge_attempt(v, x, i, ret);
  if (ret->text[0])
    return;
  snprintf(ret->text, sizeof ret->text, "the client leaves a silent answer");
  finding_actual(ret, VERDICT_INCONCLUSIVE, "it left no answer");
}

static void judge(const struct evidence *e, const struct expect *x,
                  struct finding *ret)
{
  judge_lanes(e, x, judge_lane, ret);
}

static const struct param params[] = {
    {.name = "attempt",
     .type = PARAM_INT,
     .min = 1,
     .max = 100000,
     .summary = "only this attempt of the lane, default every one the client "
                "left before its end"},
    {.name = "at_least",
     .type = PARAM_EXPR,
     .summary = "seconds it waits at the least: a hard bound"},
    {.name = "at_most",
     .type = PARAM_EXPR,
     .summary = "seconds it waits at the most: add policy.slack"},
    {.name = NULL}};

const struct check check_abort = {
    .name = "abort",
    .summary = "how long the client waits on a silent answer before it leaves",
    .params = params,
    .per_lane = true,
    .check = bounds_check,
    .judge = judge};
