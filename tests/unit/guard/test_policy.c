/* test_policy.c - the defaults are those of the source articles. */
#include "guard/policy.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void defaults_are_those_of_the_articles(void **state)
{
  (void)state;
  struct guard_policy p;
  guard_policy_default(&p);
  assert_int_equal(p.cap_ms, 300000);
  assert_int_equal(p.base_ms, 5000);
  assert_int_equal(p.max_backoff_ms, 120000);
  assert_int_equal(p.backoff, GUARD_BACKOFF_EQUAL);
  assert_int_equal(p.breaker_hits, 3);
  assert_int_equal(p.breaker_window_ms, 120000);
  assert_int_equal(p.cooldown_ms, 60000);
  assert_int_equal(p.max_cooldown_ms, 600000);
  assert_int_equal(p.attempts, 6);
  assert_int_equal(p.deadline_ms, 600000);
  assert_int_equal(p.retries_per_request, 3);
  assert_true(p.retry_ratio > 0.0999 && p.retry_ratio < 0.1001);
  assert_int_equal(p.timeout_ms, 300000);
  assert_int_equal(p.timeout_retries, 1);
  assert_true(p.timeout_stretch > 1.4999 && p.timeout_stretch < 1.5001);
  assert_int_equal(p.retry_after_jitter_ms, 1000);
  assert_int_equal(p.short_wait_ms, 1000);
  assert_null(guard_policy_fault(&p));
}

static void numbers_that_do_not_fit_are_named(void **state)
{
  (void)state;
  struct guard_policy p[12];
  for (int i = 0; i < 12; i++)
    guard_policy_default(&p[i]);
  p[0].breaker_hits = GUARD_MAX_HITS + 1; /* more than it can remember */
  p[1].cooldown_ms = 600001;              /* longer than the longest */
  p[2].base_ms = 120001;
  p[3].attempts = 0;
  p[4].deadline_ms = 0;
  p[5].timeout_stretch = 0.5;
  p[6].timeout_stretch = (double)NAN;
  p[7].retry_ratio = -0.1;
  p[8].cap_ms = -1;
  p[9].deadline_ms = INT64_MAX; /* sums would overflow */
  p[10].idle_ms = -1;
  p[11].cooldown_ms = 0;
  for (int i = 0; i < 12; i++)
    if (!guard_policy_fault(&p[i]))
      fail_msg("case %d was accepted", i);
}

static void no_breaker_and_no_timeouts_are_allowed(void **state)
{
  (void)state;
  struct guard_policy p;
  guard_policy_default(&p);
  p.breaker_hits = 0;
  p.timeout_ms = p.first_byte_ms = p.idle_ms = p.connect_timeout_ms = 0;
  p.cap_ms = 0;
  assert_null(guard_policy_fault(&p));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(defaults_are_those_of_the_articles),
      cmocka_unit_test(numbers_that_do_not_fit_are_named),
      cmocka_unit_test(no_breaker_and_no_timeouts_are_allowed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
