#include "harness/check/all.h"
#include "harness/check/common.h"

#include <string.h>

/* Without `lane` all lanes count together: one breaker for many workers is
 * judged by what the server sees. */
static size_t count(const struct evidence *e, const struct expect *x)
{
  size_t n = 0;
  double within_s = 0;
  bool timed = param_number(x->node, "within_s", &within_s);
  int64_t first_ns = e->nattempts ? e->attempts[0]->first_byte_ns : 0;
  for (size_t i = 0; i < e->nattempts; i++) {
    const struct attempt *a = e->attempts[i];
    if (x->lane && strcmp(a->lane, x->lane) != 0)
      continue;
    n += !timed || ns_to_s(a->first_byte_ns - first_ns) <= within_s;
  }
  return n;
}

/* KIND_NONE: no start was still there at its limit. */
static enum kind hang_kind(const struct evidence *e)
{
  enum kind kind = KIND_NONE;
  for (size_t i = 0; i < e->nstarts; i++)
    if (e->starts[i].timed_out && kind != KIND_STALLED)
      kind = start_hang_kind(&e->starts[i]);
  return kind;
}

static void judge(const struct evidence *e, const struct expect *x,
                  struct finding *ret)
{
  struct bounds b;
  char why[160];
  struct expr_vars vars = vars_plain(e);
  snprintf(ret->text, sizeof ret->text, "number of calls");
  enum expr_result r = bounds_read(x, &vars, &b, why, sizeof why);
  if (r != EXPR_OK) {
    finding_no_value(ret, r, why);
    return;
  }
  bounds_format_count(&b, ret->expected, sizeof ret->expected);
  if (no_contact(e, ret))
    return;
  size_t n = count(e, x);
  bool low = b.has_low && (double)n < b.low;
  finding_actual(ret, bounds_hold(&b, (double)n) ? VERDICT_PASS : VERDICT_FAIL,
                 "%zu", n);
  if (low && hang_kind(e) != KIND_NONE)
    ret->kind = hang_kind(e);
}

static const struct param params[] = {
    {.name = "exactly", .type = PARAM_EXPR, .summary = "this many calls"},
    {.name = "at_least",
     .type = PARAM_EXPR,
     .summary = "this many calls or more"},
    {.name = "at_most",
     .type = PARAM_EXPR,
     .summary = "this many calls or fewer"},
    {.name = "within_s",
     .type = PARAM_NUMBER,
     .max = 86400,
     .summary = "only calls within so many seconds of the first"},
    {.name = NULL}};

const struct check check_attempts = {
    .name = "attempts",
    .summary = "how many calls arrived, over all lanes or in one",
    .params = params,
    .check = bounds_check,
    .judge = judge};
