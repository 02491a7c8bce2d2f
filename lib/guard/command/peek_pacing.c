#include "peek.h"

#include "base/clock.h"

#include <inttypes.h>

static int64_t count_waiters(const struct guard_lanes *l, int64_t now_ms)
{
  int64_t n = 0;
  for (int i = 0; i < GUARD_MAX_WAITERS; i++)
    n += l->waiter[i].ticket && l->waiter[i].end_ms > now_ms;
  return n;
}

static void add_levels(const struct guard_pace *s, int64_t now_ms,
                       struct buf *ret)
{
  static const char *const names[GUARD_NUNITS] = {"requests", "tokens"};
  int64_t left, limit;
  bool any = false;
  for (int i = 0; i < GUARD_NUNITS; i++) {
    if (!guard_pace_level(s, (enum guard_unit)i, now_ms, &left, &limit))
      continue;
    buf_addf(ret, "%s %s %" PRId64 " of %" PRId64 " left", any ? "," : "",
             names[i], left, limit);
    any = true;
  }
  if (!any)
    buf_adds(ret, " none told");
}

void peek_describe_pacing(const struct guard_pace *s,
                          const struct guard_pacing *p, int64_t now_epoch_ms,
                          struct buf *ret)
{
  int64_t slowed_ms = guard_pace_slowed_until_ms(s, p, now_epoch_ms);
  buf_addf(ret, "places: %d held, %" PRId64 " waiting\n",
           guard_lanes_held(&s->lanes, now_epoch_ms),
           count_waiters(&s->lanes, now_epoch_ms));
  buf_addf(ret, "throttle: refuses %.1f %%\n",
           100 * guard_throttle_refusal(&s->throttle, p, now_epoch_ms));
  buf_adds(ret, "limits:");
  add_levels(s, now_epoch_ms, ret);
  buf_adds(ret, "\nslowed: ");
  if (slowed_ms) {
    char date[21];
    clock_rfc3339((slowed_ms + 999) / 1000, date);
    buf_addf(ret, "until %s (%.1f s from now)\n", date,
             (double)(slowed_ms - now_epoch_ms) / 1000);
  } else {
    buf_adds(ret, "no\n");
  }
}
