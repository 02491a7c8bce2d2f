#include "harness/check/all.h"
#include "harness/check/common.h"

/* Fewer waits than this tell nothing about randomness: of eight waits drawn
 * from a range, less than a third of it is covered in 3 of 1,000 runs; of
 * four, in 1 of 9. */
enum { MIN_WAITS = 8 };

struct range {
  double low_ms, high_ms;
  size_t n;
};

static void add_lane(const struct evidence *e, const char *lane, int after,
                     struct range *r)
{
  struct lane_view v;
  struct gap g;
  lane_view_init(&v, e, lane);
  for (size_t i = 0; i < v.na; i++) {
    if (!lane_gap(&v, i, &g) || g.number != after)
      continue;
    double ms = ns_to_ms(g.ns);
    r->low_ms = r->n == 0 || ms < r->low_ms ? ms : r->low_ms;
    r->high_ms = r->n == 0 || ms > r->high_ms ? ms : r->high_ms;
    r->n++;
  }
  lane_view_release(&v);
}

static void judge(const struct evidence *e, const struct expect *x,
                  struct finding *ret)
{
  const char *lanes[64];
  struct expr_vars vars = vars_plain(e);
  struct range r = {0};
  struct bounds b;
  char why[160];
  int64_t after = 1;
  param_int(x->node, "after", &after);
  snprintf(ret->text, sizeof ret->text,
           "the waits after answer %d differ between the lanes", (int)after);
  enum expr_result found = bounds_read(x, &vars, &b, why, sizeof why);
  if (found != EXPR_OK) {
    finding_no_value(ret, found, why);
    return;
  }
  bounds_format_ms(&b, ret->expected, sizeof ret->expected);
  if (no_contact(e, ret))
    return;
  size_t n = evidence_lanes(e, x, lanes, sizeof lanes / sizeof lanes[0]);
  for (size_t i = 0; i < n; i++)
    add_lane(e, lanes[i], (int)after, &r);
  double ms = r.high_ms - r.low_ms;
  if (r.n < MIN_WAITS)
    finding_actual(ret, VERDICT_INCONCLUSIVE,
                   "%zu such waits, %d are needed to tell", r.n, MIN_WAITS);
  else
    finding_actual(ret,
                   bounds_hold(&b, ms / 1000) ? VERDICT_PASS : VERDICT_FAIL,
                   "%s between the shortest (%s) and the longest of %zu",
                   span_text(ms).s, span_text(r.low_ms).s, r.n);
}

static const struct param params[] = {
    {.name = "after",
     .type = PARAM_INT,
     .min = 1,
     .max = 100000,
     .summary = "the waits after this attempt of each lane, default 1"},
    {.name = "at_least",
     .type = PARAM_EXPR,
     .required = true,
     .summary = "seconds between the shortest and the longest wait"},
    {.name = NULL}};

const struct check check_spread = {
    .name = "spread",
    .summary = "how far the waits of many clients lie apart: none in step",
    .params = params,
    .check = bounds_check,
    .judge = judge};
