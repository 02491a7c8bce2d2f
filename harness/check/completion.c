#include "harness/herd.h"

#include "harness/check/all.h"
#include "harness/check/common.h"

static void judge(const struct evidence *e, const struct expect *x,
                  struct finding *ret)
{
  struct expr_vars vars = vars_plain(e);
  struct bounds b;
  struct herd h;
  char why[160];
  snprintf(ret->text, sizeof ret->text,
           "the share of calls that got a whole good answer");
  enum expr_result r = bounds_read(x, &vars, &b, why, sizeof why);
  if (r != EXPR_OK) {
    finding_no_value(ret, r, why);
    return;
  }
  bounds_format_count(&b, ret->expected, sizeof ret->expected);
  if (no_contact(e, ret))
    return;
  herd_measure(&h, e, x->lane);
  if (h.calls == 0) {
    finding_actual(ret, VERDICT_INCONCLUSIVE, "no call arrived in this lane");
    return;
  }
  double share = (double)h.completed / (double)h.calls;
  finding_actual(ret, bounds_hold(&b, share) ? VERDICT_PASS : VERDICT_FAIL,
                 "%.3g (%zu of %zu)", share, h.completed, h.calls);
}

static const struct param params[] = {{.name = "at_least",
                                       .type = PARAM_EXPR,
                                       .required = true,
                                       .summary = "the share, 0 to 1"},
                                      {.name = NULL}};

const struct check check_completion = {
    .name = "completion",
    .summary = "how many of the calls were answered in the end",
    .params = params,
    .judge = judge};
