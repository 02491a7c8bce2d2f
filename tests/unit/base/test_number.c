#include "base/number.h"
#include "tests/unit/unit.h"

static void whole_numbers_have_a_maximum(void **state)
{
  (void)state;
  static const struct {
    const char *in;
    int64_t min, max;
    enum number_result result;
    int64_t value;
  } rows[] = {
      {"0", 0, 9, NUMBER_OK, 0},
      {"9", 0, 9, NUMBER_OK, 9},
      {"10", 0, 9, NUMBER_TOO_BIG, 0},
      {"3", 0, 2, NUMBER_TOO_BIG, 0},
      {"2", 0, 2, NUMBER_OK, 2},
      {"-3", -5, 5, NUMBER_OK, -3},
      {"-6", -5, 5, NUMBER_TOO_BIG, 0},
      {"", 0, 9, NUMBER_NONE, 0},
      {"-", -9, 9, NUMBER_NONE, 0},
      {"+1", 0, 9, NUMBER_NONE, 0},
      {" 1", 0, 9, NUMBER_NONE, 0},
      {"1x", 0, 9, NUMBER_NONE, 0},
      {"9223372036854775807", 0, INT64_MAX, NUMBER_OK, INT64_MAX},
      {"9223372036854775808", 0, INT64_MAX, NUMBER_TOO_BIG, 0},
      {"99999999999999999999999", 0, INT64_MAX, NUMBER_TOO_BIG, 0},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    int64_t v = 0;
    enum number_result r =
        number_i64(bytes_of(rows[i].in), rows[i].min, rows[i].max, &v);
    if (r != rows[i].result || v != rows[i].value)
      fail_msg("'%s': result %d, value %lld", rows[i].in, (int)r, (long long)v);
  }
}

static void decimals_are_plain(void **state)
{
  (void)state;
  double v = -1;
  assert_int_equal(number_decimal(BYTES("0.25"), 0, 1, &v), NUMBER_OK);
  assert_true(v > 0.2499999 && v < 0.2500001);
  assert_int_equal(number_decimal(BYTES("-1.5"), -2, 1, &v), NUMBER_OK);
  assert_true(v < -1.4999999 && v > -1.5000001);
  assert_int_equal(number_decimal(BYTES("1."), 0, 9, &v), NUMBER_NONE);
  assert_int_equal(number_decimal(BYTES(".5"), 0, 9, &v), NUMBER_NONE);
  assert_int_equal(number_decimal(BYTES("1e3"), 0, 9, &v), NUMBER_NONE);
  assert_int_equal(number_decimal(BYTES("nan"), 0, 9, &v), NUMBER_NONE);
  assert_int_equal(number_decimal(BYTES("9.5"), 0, 9, &v), NUMBER_TOO_BIG);
}

static void taking_moves_behind_the_digits(void **state)
{
  (void)state;
  struct bytes s = BYTES("123abc");
  uint64_t v = 0;
  assert_int_equal(number_take_u64(&s, 1000, &v), NUMBER_OK);
  assert_int_equal(v, 123);
  assert_int_equal(s.n, 3);
  assert_int_equal(number_take_u64(&s, 1000, &v), NUMBER_NONE);
  s = BYTES("3");
  assert_int_equal(number_take_u64(&s, 2, &v), NUMBER_TOO_BIG);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(whole_numbers_have_a_maximum),
      cmocka_unit_test(decimals_are_plain),
      cmocka_unit_test(taking_moves_behind_the_digits),
  };
  return cmocka_run_group_tests_name("number", tests, NULL, NULL);
}
