#include "guard/deadline.h"

#include <assert.h>

void guard_deadline_start(struct guard_deadline *d, int64_t now_ms,
                          int64_t deadline_ms)
{
  assert(deadline_ms >= 0);
  d->end_ms =
      now_ms > INT64_MAX - deadline_ms ? INT64_MAX : now_ms + deadline_ms;
}

int64_t guard_deadline_left_ms(const struct guard_deadline *d, int64_t now_ms)
{
  return now_ms < d->end_ms ? d->end_ms - now_ms : 0;
}

bool guard_deadline_overrun(const struct guard_deadline *d, int64_t now_ms,
                            int64_t wait_ms)
{
  return wait_ms >= guard_deadline_left_ms(d, now_ms);
}

int64_t guard_deadline_timeout_ms(const struct guard_deadline *d,
                                  int64_t now_ms, int64_t timeout_ms)
{
  int64_t left = guard_deadline_left_ms(d, now_ms);
  return timeout_ms == 0 || left < timeout_ms ? left : timeout_ms;
}
