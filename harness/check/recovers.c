#include "harness/check/all.h"
#include "harness/check/common.h"

/* The end of the lane's last fault; false when none was sent. */
static bool last_fault(const struct lane_view *v, int64_t *ret_ns)
{
  bool found = false;
  for (size_t i = 0; i < v->na; i++) {
    if (!attempt_faulty(v->a[i]))
      continue;
    *ret_ns = attempt_end_ns(v->a[i]);
    found = true;
  }
  return found;
}

/* The first whole good answer behind it. */
static const struct attempt *good_after(const struct lane_view *v, int64_t ns)
{
  for (size_t i = 0; i < v->na; i++) {
    const struct attempt *a = v->a[i];
    if (a->first_byte_ns >= ns && attempt_whole(a) && !attempt_faulty(a) &&
        a->status >= 200 && a->status < 300)
      return a;
  }
  return NULL;
}

static void judge_lane(const struct lane_view *v, const struct expect *x,
                       struct finding *ret)
{
  struct expr_vars vars = vars_plain(v->e);
  struct bounds b;
  char why[160];
  int64_t fault_ns = 0;
  snprintf(ret->text, sizeof ret->text,
           "a call succeeds after the last fault has ended");
  enum expr_result r = bounds_read(x, &vars, &b, why, sizeof why);
  if (r != EXPR_OK) {
    finding_no_value(ret, r, why);
    return;
  }
  bounds_format_ms(&b, ret->expected, sizeof ret->expected);
  if (!last_fault(v, &fault_ns)) {
    finding_actual(ret, VERDICT_INCONCLUSIVE, "no fault was sent");
    return;
  }
  const struct attempt *good = good_after(v, fault_ns);
  if (!good) {
    finding_actual(ret, VERDICT_FAIL, "no call succeeded after it");
    return;
  }
  double s = ns_to_s(attempt_end_ns(good) - fault_ns);
  finding_actual(ret, bounds_hold(&b, s) ? VERDICT_PASS : VERDICT_FAIL, "%s",
                 span_text(s * 1000).s);
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
     .summary = "seconds from the end of the last fault to the end of the "
                "first good answer"},
    {.name = NULL}};

const struct check check_recovers = {
    .name = "recovers",
    .summary = "how soon a call succeeds once the fault is over",
    .params = params,
    .per_lane = true,
    .judge = judge};
