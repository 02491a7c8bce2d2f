#include "guard/budget.h"

#include <string.h>

/*
 * Moves the ring up to |now_ms| and gives the place of the present slot. A
 * clock that went backwards further than the window empties the ring; a small
 * step back counts into the newest slot.
 */
static int settle(struct guard_budget *b, const struct guard_policy *p,
                  int64_t now_ms)
{
  int64_t length = p->budget_window_ms / GUARD_BUDGET_SLOTS;
  int64_t now = (now_ms > 0 ? now_ms : 0) / (length > 0 ? length : 1);
  if (now >= b->slot + GUARD_BUDGET_SLOTS ||
      now + GUARD_BUDGET_SLOTS <= b->slot) {
    memset(b, 0, sizeof *b);
    b->slot = now;
  }
  while (b->slot < now) {
    b->slot++;
    b->requests[b->slot % GUARD_BUDGET_SLOTS] = 0;
    b->retries[b->slot % GUARD_BUDGET_SLOTS] = 0;
  }
  return (int)(b->slot % GUARD_BUDGET_SLOTS);
}

static int64_t sum(const int64_t *count)
{
  int64_t n = 0;
  for (int i = 0; i < GUARD_BUDGET_SLOTS; i++)
    n += count[i];
  return n;
}

void guard_budget_request(struct guard_budget *b, const struct guard_policy *p,
                          int64_t now_ms)
{
  b->requests[settle(b, p, now_ms)]++;
}

bool guard_budget_retry(struct guard_budget *b, const struct guard_policy *p,
                        int64_t now_ms)
{
  int slot = settle(b, p, now_ms);
  double allowed = (double)sum(b->requests) * p->retry_ratio;
  if (allowed < p->min_retries)
    allowed = p->min_retries;
  if ((double)(sum(b->retries) + 1) > allowed)
    return false;
  b->retries[slot]++;
  return true;
}
