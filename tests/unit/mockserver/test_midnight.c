#include "tests/unit/unit.h"

#include "mockserver/midnight.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Made with another program's zone data: date -d 'TZ="America/Los_Angeles"
 * YYYY-MM-DD 00:00' +%s. */
static const struct {
  const char *id, *why;
  int64_t now, next;
} rows[] = {
    {"winter", "midnight is 08:00 UTC", 1764547200, 1764576000},
    {"at midnight", "the one that is now does not count", 1764576000,
     1764662400},
    {"a second before", "it is still the old day", 1764575999, 1764576000},
    {"summer", "midnight is 07:00 UTC", 1751328000, 1751353200},
    {"spring day", "8 March 2026 has 23 hours", 1772956800, 1773039600},
    {"autumn day", "1 November 2026 has 25 hours", 1793516400, 1793606400},
    {"before the change", "31 October 2026 ends in summer time", 1793430000,
     1793516400},
    {"new year", "the year of the rule is the local one", 1767254399,
     1767254400},
    {"leap day", "29 February 2028 is a day", 1835395200, 1835424000}};

static void the_pacific_day_ends_at_its_own_midnight(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    int64_t got = midnight_next(MIDNIGHT_PACIFIC, rows[i].now);
    if (got != rows[i].next)
      fail_msg("%s (%s): %lld, wanted %lld", rows[i].id, rows[i].why,
               (long long)got, (long long)rows[i].next);
  }
}

/* The C library's own zone data, when this machine has any. */
static void every_hour_of_forty_years_agrees_with_the_zone_data(void **state)
{
  (void)state;
  setenv("TZ", "PST8PDT,M3.2.0,M11.1.0", 1);
  tzset();
  for (int64_t t = 1190000000; t < 2450000000; t += 3600) {
    struct tm tm;
    time_t now = (time_t)t;
    localtime_r(&now, &tm);
    if (midnight_pacific_offset_s(t) != tm.tm_gmtoff)
      fail_msg("at %lld: %lld, wanted %ld", (long long)t,
               (long long)midnight_pacific_offset_s(t), tm.tm_gmtoff);
  }
}

static void the_utc_day_ends_at_a_whole_day(void **state)
{
  (void)state;
  assert_int_equal(midnight_next(MIDNIGHT_UTC, 1764547199), 1764547200);
  assert_int_equal(midnight_next(MIDNIGHT_UTC, 1764547200), 1764633600);
  assert_int_equal(midnight_next(MIDNIGHT_UTC, -1), 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_pacific_day_ends_at_its_own_midnight),
      cmocka_unit_test(every_hour_of_forty_years_agrees_with_the_zone_data),
      cmocka_unit_test(the_utc_day_ends_at_a_whole_day)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
