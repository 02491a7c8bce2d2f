/* test_deadline.c - what is left, and what no longer fits. */
#include "guard/deadline.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void time_left_shrinks_and_never_goes_below_zero(void **state)
{
  (void)state;
  struct guard_deadline d;
  guard_deadline_start(&d, 1000, 600000);
  assert_int_equal(guard_deadline_left_ms(&d, 1000), 600000);
  assert_int_equal(guard_deadline_left_ms(&d, 600999), 1);
  assert_int_equal(guard_deadline_left_ms(&d, 601000), 0);
  assert_int_equal(guard_deadline_left_ms(&d, INT64_MAX), 0);
}

static void a_wait_that_leaves_nothing_overruns(void **state)
{
  (void)state;
  struct guard_deadline d;
  guard_deadline_start(&d, 0, 10000);
  assert_false(guard_deadline_overrun(&d, 4000, 5999));
  assert_true(guard_deadline_overrun(&d, 4000, 6000));
  assert_true(guard_deadline_overrun(&d, 4000, INT64_MAX));
  assert_true(guard_deadline_overrun(&d, 10000, 0));
}

static void a_try_gets_the_shorter_of_its_timeout_and_what_is_left(void **state)
{
  (void)state;
  struct guard_deadline d;
  guard_deadline_start(&d, 0, 10000);
  assert_int_equal(guard_deadline_timeout_ms(&d, 0, 3000), 3000);
  assert_int_equal(guard_deadline_timeout_ms(&d, 8000, 3000), 2000);
  assert_int_equal(guard_deadline_timeout_ms(&d, 8000, 0), 2000);
}

static void a_deadline_beyond_the_clock_saturates(void **state)
{
  (void)state;
  struct guard_deadline d;
  guard_deadline_start(&d, 5, INT64_MAX);
  assert_int_equal(d.end_ms, INT64_MAX);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(time_left_shrinks_and_never_goes_below_zero),
      cmocka_unit_test(a_wait_that_leaves_nothing_overruns),
      cmocka_unit_test(a_try_gets_the_shorter_of_its_timeout_and_what_is_left),
      cmocka_unit_test(a_deadline_beyond_the_clock_saturates),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
