#include "tests/unit/unit.h"

#include "harness/vtime/clockcheck.h"

/* It would sleep for half an hour: a run of this test that ends at all is
 * right. */
static void outside_virtual_time_it_refuses(void **state)
{
  char name[] = CLOCKCHECK_COMMAND, other[] = "other", word[] = CLOCKCHECK_WORD;
  char *none[] = {name, NULL}, *wrong[] = {name, other, NULL};
  char *more[] = {name, word, other, NULL};
  (void)state;
  assert_int_equal(clockcheck_main(1, none), 2);
  assert_int_equal(clockcheck_main(2, wrong), 2);
  assert_int_equal(clockcheck_main(3, more), 2);
  assert_null(clockcheck_sentence(2));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(outside_virtual_time_it_refuses),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
