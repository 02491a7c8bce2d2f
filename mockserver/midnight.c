#include "mockserver/midnight.h"

#include "base/civil.h"

#define HOUR_S INT64_C(3600)

/* The n-th Sunday of a month, n from 1. */
static int64_t sunday(int64_t year, int month, int n)
{
  int64_t first = civil_days(year, month, 1);
  return first + (7 - civil_weekday(first)) % 7 + 7 * (n - 1);
}

int64_t midnight_pacific_offset_s(int64_t epoch_s)
{
  /* no change is near a new year, so the year by UTC-8 is the right one */
  int64_t year;
  int month, day;
  civil_date(civil_day_of(epoch_s - 8 * HOUR_S), &year, &month, &day);
  int64_t summer = sunday(year, 3, 2) * CIVIL_DAY_S + (2 + 8) * HOUR_S;
  int64_t winter = sunday(year, 11, 1) * CIVIL_DAY_S + (2 + 7) * HOUR_S;
  return epoch_s >= summer && epoch_s < winter ? -7 * HOUR_S : -8 * HOUR_S;
}

int64_t midnight_next(enum midnight_zone zone, int64_t epoch_s)
{
  if (zone == MIDNIGHT_UTC)
    return (civil_day_of(epoch_s) + 1) * CIVIL_DAY_S;
  int64_t local = epoch_s + midnight_pacific_offset_s(epoch_s);
  int64_t next = (civil_day_of(local) + 1) * CIVIL_DAY_S;
  /* the offset that holds at that midnight, which may be the other one */
  int64_t guess = next - midnight_pacific_offset_s(epoch_s);
  return next - midnight_pacific_offset_s(guess);
}
