#include "guard/backoff.h"

#include <assert.h>

/* base x 2^retry, at most |max|; stops doubling before it can overflow. */
static int64_t expo_ms(int64_t base, int64_t max, int retry)
{
  int64_t wait = base < max ? base : max;
  for (int i = 0; i < retry && wait > 0 && wait < max; i++)
    wait = wait > max / 2 ? max : wait * 2;
  return wait;
}

/* Uniform in low..high. */
static int64_t between_ms(int64_t low, int64_t high, double random)
{
  return low + (int64_t)((double)(high - low) * random + 0.5);
}

static int64_t decorrelated_ms(const struct guard_policy *p,
                               int64_t previous_ms, double random)
{
  int64_t before = previous_ms > p->base_ms ? previous_ms : p->base_ms;
  int64_t high =
      before > p->max_backoff_ms / 3 ? p->max_backoff_ms : before * 3;
  if (high < p->base_ms)
    high = p->base_ms;
  return between_ms(p->base_ms, high, random);
}

int64_t guard_backoff_ms(const struct guard_policy *p, int retry,
                         int64_t previous_ms, double random)
{
  assert(retry >= 0 && random >= 0 && random < 1);
  int64_t expo = expo_ms(p->base_ms, p->max_backoff_ms, retry);
  switch (p->backoff) {
  case GUARD_BACKOFF_FIXED:
    return p->base_ms;
  case GUARD_BACKOFF_EXPONENTIAL:
    return expo;
  case GUARD_BACKOFF_FULL:
    return between_ms(0, expo, random);
  case GUARD_BACKOFF_EQUAL:
    return between_ms(expo / 2, expo, random);
  case GUARD_BACKOFF_DECORRELATED:
    break;
  }
  return decorrelated_ms(p, previous_ms, random);
}
