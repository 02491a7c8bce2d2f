#include "guard/policy.h"

#include "guard/error_class.h"

#include <stddef.h>

enum { MS_PER_S = 1000, S_PER_HOUR = 3600 };

/* guard_class_is_limit() says the same of one class. */
#define LIMITS                                                                 \
  (1U << GUARD_RATE_LIMIT | 1U << GUARD_OVERLOADED | 1U << GUARD_USAGE_LIMIT | \
   1U << GUARD_QUOTA_EXHAUSTED)

void guard_policy_default(struct guard_policy *ret)
{
  *ret = (struct guard_policy){
      .cap_ms = 300 * MS_PER_S,
      .base_ms = 5 * MS_PER_S,
      .max_backoff_ms = 120 * MS_PER_S,
      .backoff = GUARD_BACKOFF_EQUAL,
      .retry_after_jitter_ms = 1000,
      .short_wait_ms = 1000,
      .breaker_hits = 3,
      .breaker_window_ms = 120 * MS_PER_S,
      .cooldown_ms = 60 * MS_PER_S,
      .max_cooldown_ms = 600 * MS_PER_S,
      .max_hold_ms = INT64_C(6) * S_PER_HOUR * MS_PER_S,
      .breaker_counts = LIMITS,
      .probe_grace_ms = 30 * MS_PER_S,
      .attempts = 6,
      .deadline_ms = 600 * MS_PER_S,
      .retries_per_request = 3,
      .retry_ratio = 0.1,
      .min_retries = 10,
      .budget_window_ms = 120 * MS_PER_S,
      .timeout_ms = 300 * MS_PER_S,
      .connect_timeout_ms = 10 * MS_PER_S,
      .first_byte_ms = 120 * MS_PER_S,
      .idle_ms = 60 * MS_PER_S,
      .timeout_retries = 1,
      .timeout_stretch = 1.5,
  };
}

static const char *breaker_fault(const struct guard_policy *p)
{
  if (p->breaker_hits < 0 || p->breaker_hits > GUARD_MAX_HITS)
    return "the breaker counts 0 to 16 hits";
  if (p->breaker_window_ms <= 0)
    return "the breaker's window must be longer than nothing";
  if (p->cooldown_ms <= 0)
    return "the cooldown must be longer than nothing";
  if (p->max_cooldown_ms < p->cooldown_ms)
    return "the longest cooldown is shorter than the first one";
  if (p->max_hold_ms < p->max_cooldown_ms)
    return "an end that the server names is trusted less than a cooling";
  if (p->breaker_counts >> GUARD_NCLASSES || p->breaker_counts & 1)
    return "the breaker can only count classes of errors";
  if (p->probe_grace_ms < 0)
    return "the grace of a probe must not be negative";
  return NULL;
}

static const char *try_fault(const struct guard_policy *p)
{
  if (p->timeout_ms < 0 || p->connect_timeout_ms < 0 || p->first_byte_ms < 0 ||
      p->idle_ms < 0)
    return "a time-out must not be negative";
  if (p->timeout_retries < 0)
    return "the retries after a time-out must not be negative";
  /* written so that NaN is refused as well */
  if (!(p->timeout_stretch >= 1))
    return "a time-out is stretched by 1 or more";
  return NULL;
}

static const char *budget_fault(const struct guard_policy *p)
{
  if (p->retries_per_request < 0 || p->min_retries < 0)
    return "a retry budget must not be negative";
  if (!(p->retry_ratio >= 0))
    return "the share of retries must not be negative";
  if (p->budget_window_ms <= 0)
    return "the budget's window must be longer than nothing";
  return NULL;
}

static const char *length_fault(const struct guard_policy *p)
{
  const int64_t all[] = {p->cap_ms,
                         p->base_ms,
                         p->max_backoff_ms,
                         p->deadline_ms,
                         p->breaker_window_ms,
                         p->retry_after_jitter_ms,
                         p->short_wait_ms,
                         p->cooldown_ms,
                         p->max_cooldown_ms,
                         p->max_hold_ms,
                         p->probe_grace_ms,
                         p->timeout_ms,
                         p->first_byte_ms,
                         p->connect_timeout_ms,
                         p->budget_window_ms,
                         p->idle_ms};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (all[i] > GUARD_MAX_MS)
      return "no time may be longer than 100 years";
  return NULL;
}

const char *guard_policy_fault(const struct guard_policy *p)
{
  if (p->cap_ms < 0 || p->base_ms < 0 || p->retry_after_jitter_ms < 0 ||
      p->short_wait_ms < 0)
    return "a wait must not be negative";
  if (p->max_backoff_ms < p->base_ms)
    return "the longest backoff is shorter than its base";
  if (p->attempts < 1)
    return "a call needs one attempt at least";
  if (p->deadline_ms <= 0)
    return "the deadline must be longer than nothing";
  const char *fault = length_fault(p);
  if (!fault)
    fault = breaker_fault(p);
  if (!fault)
    fault = budget_fault(p);
  return fault ? fault : try_fault(p);
}
