/* test_backoff.c - the five formulas, their edges and their spread. */
#include "guard/backoff.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define ALMOST_1 0.9999999999

static struct guard_policy policy(enum guard_backoff kind)
{
  struct guard_policy p;
  guard_policy_default(&p);
  p.backoff = kind;
  return p;
}

static void each_formula_gives_its_range(void **state)
{
  (void)state;
  static const struct {
    const char *id;
    enum guard_backoff kind;
    int retry;
    int64_t previous, low, high;
    const char *why;
  } t[] = {
      {"fixed", GUARD_BACKOFF_FIXED, 9, 0, 5000, 5000, "never grows"},
      {"expo-0", GUARD_BACKOFF_EXPONENTIAL, 0, 0, 5000, 5000, "base x 2^0"},
      {"expo-3", GUARD_BACKOFF_EXPONENTIAL, 3, 0, 40000, 40000, "base x 2^3"},
      {"expo-4", GUARD_BACKOFF_EXPONENTIAL, 4, 0, 80000, 80000, "the last"},
      {"expo-cap", GUARD_BACKOFF_EXPONENTIAL, 5, 0, 120000, 120000,
       "160 s is over the maximum"},
      {"expo-far", GUARD_BACKOFF_EXPONENTIAL, 2000000000, 0, 120000, 120000,
       "no overflow, no long loop"},
      {"full-0", GUARD_BACKOFF_FULL, 0, 0, 0, 5000, "down to nothing"},
      {"full-2", GUARD_BACKOFF_FULL, 2, 0, 0, 20000, "up to expo"},
      {"equal-0", GUARD_BACKOFF_EQUAL, 0, 0, 2500, 5000, "half is fixed"},
      {"equal-9", GUARD_BACKOFF_EQUAL, 9, 0, 60000, 120000, "half of max"},
      {"decor-first", GUARD_BACKOFF_DECORRELATED, 0, 0, 5000, 15000,
       "s0 is base"},
      {"decor-next", GUARD_BACKOFF_DECORRELATED, 1, 12000, 5000, 36000,
       "three times the wait before"},
      {"decor-cap", GUARD_BACKOFF_DECORRELATED, 1, INT64_MAX, 5000, 120000,
       "no overflow"},
  };
  for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
    struct guard_policy p = policy(t[i].kind);
    int64_t low = guard_backoff_ms(&p, t[i].retry, t[i].previous, 0);
    int64_t high = guard_backoff_ms(&p, t[i].retry, t[i].previous, ALMOST_1);
    if (low != t[i].low || high != t[i].high)
      fail_msg("%s (%s): %lld..%lld", t[i].id, t[i].why, (long long)low,
               (long long)high);
  }
}

static void the_wait_grows_with_the_random_number(void **state)
{
  (void)state;
  for (int kind = GUARD_BACKOFF_FULL; kind <= GUARD_BACKOFF_DECORRELATED;
       kind++) {
    struct guard_policy p = policy((enum guard_backoff)kind);
    int64_t before = -1;
    for (int i = 0; i < 100; i++) {
      int64_t wait = guard_backoff_ms(&p, 2, 9000, i / 100.0);
      assert_true(wait > before);
      before = wait;
    }
  }
}

static void a_base_of_zero_stays_zero(void **state)
{
  (void)state;
  struct guard_policy p = policy(GUARD_BACKOFF_EQUAL);
  p.base_ms = 0;
  assert_int_equal(guard_backoff_ms(&p, 2000000000, 0, ALMOST_1), 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_formula_gives_its_range),
      cmocka_unit_test(the_wait_grows_with_the_random_number),
      cmocka_unit_test(a_base_of_zero_stays_zero),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
