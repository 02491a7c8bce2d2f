#include "harness/herd.h"

#include "harness/check/all.h"
#include "harness/check/common.h"

static bool any_window(const struct evidence *e)
{
  double s = 0;
  for (size_t i = 0; i < e->nattempts; i++)
    if (attempt_retry_after_s(e, e->attempts[i], &s) && s > 0)
      return true;
  return false;
}

static void judge(const struct evidence *e, const struct expect *x,
                  struct finding *ret)
{
  struct expr_vars vars = vars_plain(e);
  struct bounds b;
  struct herd h;
  char why[160];
  snprintf(ret->text, sizeof ret->text,
           "calls sent while an answer had asked to wait");
  enum expr_result r = bounds_read(x, &vars, &b, why, sizeof why);
  if (r != EXPR_OK) {
    finding_no_value(ret, r, why);
    return;
  }
  bounds_format_count(&b, ret->expected, sizeof ret->expected);
  if (no_contact(e, ret))
    return;
  herd_measure(&h, e, x->lane);
  if (!any_window(e))
    finding_actual(ret, VERDICT_INCONCLUSIVE, "no answer asked to wait");
  else
    finding_actual(
        ret, bounds_hold(&b, (double)h.waste) ? VERDICT_PASS : VERDICT_FAIL,
        "%zu of %zu", h.waste, h.attempts);
}

static const struct param params[] = {
    {.name = "at_most",
     .type = PARAM_EXPR,
     .required = true,
     .summary = "so many calls, over all lanes"},
    {.name = NULL}};

const struct check check_waste = {
    .name = "waste",
    .summary = "calls that could not succeed: sent inside the wait an earlier "
               "answer of the lane had asked for",
    .params = params,
    .judge = judge};
