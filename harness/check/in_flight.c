#include "harness/check/all.h"
#include "harness/check/common.h"

#include <string.h>

static bool counts(const struct attempt *a, const struct expect *x)
{
  return !x->lane || strcmp(a->lane, x->lane) == 0;
}

/* The number reaches its peak at the begin of some call. */
static size_t open_at(const struct evidence *e, const struct expect *x,
                      int64_t t)
{
  size_t n = 0;
  for (size_t i = 0; i < e->nattempts; i++) {
    const struct attempt *a = e->attempts[i];
    if (counts(a, x) && a->first_byte_ns <= t && t < attempt_end_ns(a))
      n++;
  }
  return n;
}

/* Neither that many calls nor that many clients: it could not have failed. */
static bool never_tried(const struct evidence *e, double most)
{
  return (double)e->nattempts <= most && (double)e->nstarts <= most;
}

static void judge(const struct evidence *e, const struct expect *x,
                  struct finding *ret)
{
  struct bounds b;
  char why[160];
  struct expr_vars vars = vars_plain(e);
  size_t peak = 0;
  snprintf(ret->text, sizeof ret->text, "calls on the wire at one time");
  enum expr_result r = bounds_read(x, &vars, &b, why, sizeof why);
  if (r != EXPR_OK) {
    finding_no_value(ret, r, why);
    return;
  }
  bounds_format_count(&b, ret->expected, sizeof ret->expected);
  if (no_contact(e, ret))
    return;
  for (size_t i = 0; i < e->nattempts; i++) {
    size_t n = counts(e->attempts[i], x)
                   ? open_at(e, x, e->attempts[i]->first_byte_ns)
                   : 0;
    peak = n > peak ? n : peak;
  }
  if (!bounds_hold(&b, (double)peak))
    finding_actual(ret, VERDICT_FAIL, "%zu", peak);
  else if (b.has_high && never_tried(e, b.high))
    finding_actual(ret, VERDICT_INCONCLUSIVE,
                   "%zu, but there were no more than that to begin with", peak);
  else
    finding_actual(ret, VERDICT_PASS, "%zu", peak);
}

static const struct param params[] = {
    {.name = "at_least",
     .type = PARAM_EXPR,
     .summary = "so many or more at some moment"},
    {.name = "at_most",
     .type = PARAM_EXPR,
     .summary = "never more than so many"},
    {.name = NULL}};

const struct check check_in_flight = {
    .name = "in_flight",
    .summary = "how many calls overlap on the wire, over all lanes or in one",
    .params = params,
    .check = bounds_check,
    .judge = judge};
