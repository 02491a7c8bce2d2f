#include "limits.h"

#include <inttypes.h>

static bool has(const struct guard_rate *r, enum guard_rate_field field,
                int64_t *ret)
{
  return guard_rate_get(r, field, ret) == GUARD_RATE_VALUE;
}

static void add_share(const struct guard_rate *r, const char *of,
                      struct buf *ret)
{
  int64_t left, limit, used;
  if (has(r, GUARD_RATE_REMAINING, &left) && has(r, GUARD_RATE_QUOTA, &limit))
    buf_addf(ret, " %" PRId64 "%s%" PRId64 " left", left, of, limit);
  else if (has(r, GUARD_RATE_REMAINING, &left))
    buf_addf(ret, " %" PRId64 " left", left);
  else if (has(r, GUARD_RATE_UTILIZATION, &used))
    buf_addf(ret, " %.1f %% used", (double)used / 10000);
}

static void add_status(const struct guard_rate *r, struct buf *ret)
{
  static const char *const words[] = {"allowed", "allowed, with a warning",
                                      "rejected"};
  int64_t status;
  if (has(r, GUARD_RATE_STATUS, &status))
    buf_addf(ret, " %s", words[status]);
}

static void add_family(const struct guard_rates *rates,
                       enum guard_rate_family f, const char *of,
                       struct buf *ret)
{
  const struct guard_rate *r = &rates->family[f];
  int64_t reset_ms;
  buf_adds(ret, guard_rate_family_name(f));
  add_share(r, of, ret);
  add_status(r, ret);
  if (has(r, GUARD_RATE_RESET, &reset_ms) && reset_ms > 0)
    buf_addf(ret, ", %s in %.1f s", r->refills ? "full" : "back",
             (double)reset_ms / 1000);
}

void limits_line(const struct guard_rates *r, enum guard_rate_family tightest,
                 struct buf *ret)
{
  if (tightest < GUARD_RATE_NFAMILIES)
    add_family(r, tightest, "/", ret);
  for (int i = 0; i < GUARD_RATE_NFAMILIES; i++) {
    enum guard_rate_family f = (enum guard_rate_family)i;
    if (f == tightest || !r->family[f].seen)
      continue;
    if (ret->n > 0)
      buf_adds(ret, "; ");
    add_family(r, f, "/", ret);
  }
}

void limits_slow_line(const struct guard_rates *r,
                      const struct guard_rate_advice *a, struct buf *ret)
{
  buf_addf(ret, "slows down %.1f s: ", (double)a->slow_ms / 1000);
  add_family(r, a->family, " of ", ret);
}
