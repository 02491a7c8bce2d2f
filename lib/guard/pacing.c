#include "guard/pacing.h"

#include "guard/policy.h"

#include <stddef.h>

enum { MS_PER_S = 1000 };

void guard_pacing_default(struct guard_pacing *ret)
{
  *ret = (struct guard_pacing){
      .throttle_k = 2,
      .throttle_window_ms = 120 * MS_PER_S,
      .throttle_min = 20,
      .slow_down = true,
      .max_slow_ms = 600 * MS_PER_S,
      .places = 3,
      .lease_ms = 630 * MS_PER_S,
      .wait_ms = 5 * MS_PER_S,
      .ask_ms = 250,
      .most_overtakes = 8,
      .step_ms = 60 * MS_PER_S,
      .max_stagger_ms = 600 * MS_PER_S,
  };
}

static const char *throttle_fault(const struct guard_pacing *p)
{
  /* written so that NaN is refused as well */
  if (p->throttle_k != 0 && !(p->throttle_k >= 1))
    return "the throttle counts accepts once or more";
  if (p->throttle_window_ms <= 0)
    return "the throttle's window must be longer than nothing";
  if (p->throttle_min < 0)
    return "the throttle's least number of requests must not be negative";
  return NULL;
}

static const char *lanes_fault(const struct guard_pacing *p)
{
  if (p->places < 0 || p->places > GUARD_MAX_PLACES)
    return "there are 1 to 64 places, or 0 for any number";
  if (p->lease_ms <= 0)
    return "the lease of a place must be longer than nothing";
  if (p->ask_ms <= 0 || p->wait_ms <= p->ask_ms)
    return "a waiter must be given longer than the time until it asks again";
  if (p->most_overtakes < 0)
    return "the overtakes must not be negative";
  return NULL;
}

const char *guard_pacing_fault(const struct guard_pacing *p)
{
  const char *fault = throttle_fault(p);

  if (fault)
    return fault;
  if (p->requests_per_minute < 0 || p->tokens_per_minute < 0)
    return "a quota must not be negative";
  if (p->max_slow_ms < 0)
    return "the longest slow-down must not be negative";
  if (p->step_ms < 0 || p->max_stagger_ms < 0)
    return "a stagger must not be negative";
  if (p->throttle_window_ms > GUARD_MAX_MS || p->lease_ms > GUARD_MAX_MS ||
      p->max_slow_ms > GUARD_MAX_MS || p->wait_ms > GUARD_MAX_MS ||
      p->step_ms > GUARD_MAX_MS || p->max_stagger_ms > GUARD_MAX_MS)
    return "no time may be longer than 100 years";
  return lanes_fault(p);
}
