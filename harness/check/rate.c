#include "harness/check/all.h"
#include "harness/check/common.h"

/* Long enough that a backoff of seconds shows its pace, short enough for a
 * run of a test. */
#define DEFAULT_WINDOW_S 10.0

/* The most repeats within one window behind any call of the lane. */
static size_t most_repeats(const struct lane_view *v, double window_s)
{
  size_t most = 0;
  for (size_t i = 0; i < v->na; i++) {
    size_t n = 0;
    for (size_t k = i + 1; k < v->na; k++)
      n += ns_to_s(v->a[k]->first_byte_ns - v->a[i]->first_byte_ns) <= window_s;
    most = n > most ? n : most;
  }
  return most;
}

static void judge_lane(const struct lane_view *v, const struct expect *x,
                       struct finding *ret)
{
  struct expr_vars vars = vars_plain(v->e);
  struct bounds b;
  char why[160];
  double window_s = DEFAULT_WINDOW_S;
  param_number(x->node, "over_s", &window_s);
  snprintf(ret->text, sizeof ret->text, "repeats per second over any %g s",
           window_s);
  enum expr_result r = bounds_read(x, &vars, &b, why, sizeof why);
  if (r != EXPR_OK) {
    finding_no_value(ret, r, why);
    return;
  }
  bounds_format_count(&b, ret->expected, sizeof ret->expected);
  if (v->na == 0) {
    finding_set(ret, VERDICT_INCONCLUSIVE);
    return;
  }
  size_t n = most_repeats(v, window_s);
  finding_actual(
      ret, bounds_hold(&b, (double)n / window_s) ? VERDICT_PASS : VERDICT_FAIL,
      "%g, %zu repeats", (double)n / window_s, n);
}

static void judge(const struct evidence *e, const struct expect *x,
                  struct finding *ret)
{
  judge_lanes(e, x, judge_lane, ret);
}

static const struct param params[] = {
    {.name = "at_most",
     .type = PARAM_EXPR,
     .required = true,
     .summary = "repeats per second, the first call not counted"},
    {.name = "over_s",
     .type = PARAM_NUMBER,
     .min = 0.1,
     .max = 86400,
     .summary = "the window, default 10"},
    {.name = NULL}};

const struct check check_rate = {.name = "rate",
                                 .summary = "how many calls a second a client "
                                            "makes at its busiest",
                                 .params = params,
                                 .per_lane = true,
                                 .judge = judge};
