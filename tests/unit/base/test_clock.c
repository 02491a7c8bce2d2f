#include "base/clock.h"
#include "tests/unit/unit.h"

static void dates_are_written_as_the_standards_say(void **state)
{
  (void)state;
  static const struct {
    int64_t epoch_s;
    const char *http, *rfc3339;
  } rows[] = {
      {0, "Thu, 01 Jan 1970 00:00:00 GMT", "1970-01-01T00:00:00Z"},
      {784111777, "Sun, 06 Nov 1994 08:49:37 GMT", "1994-11-06T08:49:37Z"},
      {1764547200, "Mon, 01 Dec 2025 00:00:00 GMT", "2025-12-01T00:00:00Z"},
      {951782400, "Tue, 29 Feb 2000 00:00:00 GMT", "2000-02-29T00:00:00Z"},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    char text[32];
    clock_http_date(rows[i].epoch_s, text);
    assert_string_equal(text, rows[i].http);
    clock_rfc3339(rows[i].epoch_s, text);
    assert_string_equal(text, rows[i].rfc3339);
  }
}

static void a_fake_clock_moves_only_by_hand(void **state)
{
  (void)state;
  struct clock_fake f;
  clock_fake_init(&f, 1000);
  struct clock *c = &f.base;
  int64_t t = clock_now_ns(c);
  assert_int_equal(clock_now_ns(c), t);
  assert_int_equal(clock_wall_epoch_s(c), 1000);
  assert_int_equal(clock_block_ns(c, t + 1), -1);
  assert_int_equal(clock_block_ns(c, t), 0);
  clock_wait_until(c, t + 5 * NS_PER_S);
  assert_int_equal(clock_now_ns(c), t + 5 * NS_PER_S);
  assert_int_equal(clock_wall_epoch_s(c), 1005);
}

static void the_real_clock_waits_and_goes_forward(void **state)
{
  (void)state;
  struct clock *c = clock_real();
  int64_t t = clock_now_ns(c);
  clock_wait_until(c, t + 20 * NS_PER_MS);
  assert_true(clock_now_ns(c) >= t + 20 * NS_PER_MS);
  assert_int_equal(clock_block_ns(c, t), 0);
  assert_int_equal(clock_block_ns(c, NO_DEADLINE), -1);
  assert_true(clock_block_ns(c, clock_now_ns(c) + NS_PER_S) > 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(dates_are_written_as_the_standards_say),
      cmocka_unit_test(a_fake_clock_moves_only_by_hand),
      cmocka_unit_test(the_real_clock_waits_and_goes_forward),
  };
  return cmocka_run_group_tests_name("clock", tests, NULL, NULL);
}
