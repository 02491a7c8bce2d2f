/* test_budget.c - retries stay a tenth of the requests, window by window. */
#include "guard/budget.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define YEAR_MS (INT64_C(365) * 24 * 3600 * 1000)

static int take_all(struct guard_budget *b, const struct guard_policy *p,
                    int64_t now_ms)
{
  int n = 0;
  while (n < 10000 && guard_budget_retry(b, p, now_ms))
    n++;
  return n;
}

static void a_quiet_client_has_its_reserve(void **state)
{
  (void)state;
  struct guard_policy p;
  guard_policy_default(&p);
  struct guard_budget b = {0};
  guard_budget_request(&b, &p, YEAR_MS);
  assert_int_equal(take_all(&b, &p, YEAR_MS), 10);
}

static void a_busy_client_gets_a_tenth(void **state)
{
  (void)state;
  struct guard_policy p;
  guard_policy_default(&p);
  struct guard_budget b = {0};
  for (int i = 0; i < 1000; i++)
    guard_budget_request(&b, &p, YEAR_MS + i * 50);
  assert_int_equal(take_all(&b, &p, YEAR_MS + 60000), 100);
}

static void what_is_older_than_the_window_is_forgotten(void **state)
{
  (void)state;
  struct guard_policy p;
  guard_policy_default(&p);
  struct guard_budget b = {0};
  assert_int_equal(take_all(&b, &p, YEAR_MS), 10);
  assert_int_equal(take_all(&b, &p, YEAR_MS + 99999), 0);
  assert_int_equal(take_all(&b, &p, YEAR_MS + 120000), 10);
}

static void a_year_of_outage_keeps_the_load_at_a_tenth(void **state)
{
  (void)state;
  struct guard_policy p;
  guard_policy_default(&p);
  p.min_retries = 0;
  struct guard_budget b = {0};
  int64_t retries = 0, requests = 0;
  for (int64_t t = YEAR_MS; t < 2 * YEAR_MS; t += 3600 * 1000 / 2 + 7001) {
    for (int i = 0; i < 40; i++, requests++) {
      guard_budget_request(&b, &p, t + i * 1000);
      retries += guard_budget_retry(&b, &p, t + i * 1000);
    }
  }
  assert_true(requests > 600000);
  assert_true(retries * 10 <= requests);
  assert_true(retries * 10 > requests * 9 / 10);
}

static void a_clock_that_steps_back_does_no_harm(void **state)
{
  (void)state;
  struct guard_policy p;
  guard_policy_default(&p);
  struct guard_budget b = {0};
  assert_int_equal(take_all(&b, &p, YEAR_MS), 10);
  /* a little: the same window goes on; far: a fresh one begins */
  assert_int_equal(take_all(&b, &p, YEAR_MS - 20000), 0);
  assert_int_equal(take_all(&b, &p, 0), 10);
  assert_int_equal(take_all(&b, &p, -YEAR_MS), 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_quiet_client_has_its_reserve),
      cmocka_unit_test(a_busy_client_gets_a_tenth),
      cmocka_unit_test(what_is_older_than_the_window_is_forgotten),
      cmocka_unit_test(a_year_of_outage_keeps_the_load_at_a_tenth),
      cmocka_unit_test(a_clock_that_steps_back_does_no_harm),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
