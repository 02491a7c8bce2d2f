#include "base/civil.h"
#include "tests/unit/unit.h"

#include <stdbool.h>

static int length_of(int64_t year, int month)
{
  static const int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  return lengths[month - 1] + (month == 2 && leap);
}

/* Counted day by day, by nothing but the lengths of the months. */
static void every_day_of_an_era_goes_both_ways(int64_t from_year)
{
  int64_t days = civil_days(from_year, 1, 1), year, first = days;
  int weekday = civil_weekday(days), month, day;
  for (int64_t y = from_year; y < from_year + 400; y++)
    for (int m = 1; m <= 12; m++)
      for (int d = 1; d <= length_of(y, m); d++) {
        civil_date(days, &year, &month, &day);
        if (civil_days(y, m, d) != days || year != y || month != m ||
            day != d || civil_weekday(days) != weekday)
          fail_msg("%lld-%d-%d: day %lld, and back %lld-%d-%d, weekday %d",
                   (long long)y, m, d, (long long)days, (long long)year, month,
                   day, civil_weekday(days));
        days++;
        weekday = (weekday + 1) % 7;
      }
  assert_int_equal(days - first, 146097);
}

static void every_day_of_400_years_goes_both_ways(void **state)
{
  (void)state;
  every_day_of_an_era_goes_both_ways(1800);
  every_day_of_an_era_goes_both_ways(-200); /* through year 0 and day < 0 */
}

static void days_of_dates(void **state)
{
  static const struct {
    const char *id;
    int64_t year;
    int month, day;
    int64_t days;
    int weekday;
  } rows[] = {
      {"the epoch", 1970, 1, 1, 0, 4},
      {"the day before", 1969, 12, 31, -1, 3},
      {"behind a leap day", 2000, 3, 1, 11017, 3},
      {"a century without one", 1900, 3, 1, -25508, 4},
      {"the first of the first year", 1, 1, 1, -719162, 1},
      {"a January of year 0, which is leap", 0, 1, 1, -719528, 6},
      {"the end of four digits", 9999, 12, 31, 2932896, 5},
      {"far behind", INT64_C(1000000000000), 1, 1, INT64_C(365242499280472), 6},
      {"far before", INT64_C(-1000000000000), 1, 1, INT64_C(-365242500719528),
       6},
      {"beyond a month's end", 2023, 2, 29, 19417, 3}};
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    int64_t days = civil_days(rows[i].year, rows[i].month, rows[i].day);
    if (days != rows[i].days || civil_weekday(days) != rows[i].weekday)
      fail_msg("%s: day %lld, weekday %d", rows[i].id, (long long)days,
               civil_weekday(days));
  }
}

static void an_instant_before_the_epoch_is_in_the_day_it_is_in(void **state)
{
  static const struct {
    int64_t epoch_s, day;
  } rows[] = {{0, 0},
              {86399, 0},
              {86400, 1},
              {-1, -1},
              {-86400, -1},
              {-86401, -2},
              {INT64_MIN, -106751991167301},
              {INT64_MAX, 106751991167300}};
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++)
    assert_int_equal(civil_day_of(rows[i].epoch_s), rows[i].day);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_day_of_400_years_goes_both_ways),
      cmocka_unit_test(days_of_dates),
      cmocka_unit_test(an_instant_before_the_epoch_is_in_the_day_it_is_in)};
  return cmocka_run_group_tests_name("civil", tests, NULL, NULL);
}
