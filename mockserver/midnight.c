#include "mockserver/midnight.h"

#define DAY_S INT64_C(86400)
#define HOUR_S INT64_C(3600)

static int64_t floor_div(int64_t a, int64_t b)
{
  return a / b - (a % b < 0);
}

/* Days from 1970-01-01 to the first of a month, proleptic Gregorian: years
 * are counted from March, so that the leap day is their last. */
static int64_t days_to_month(int64_t year, int month)
{
  int64_t y = month <= 2 ? year - 1 : year;
  int64_t era = floor_div(y, 400);
  int64_t in_era = y - era * 400;
  int64_t from_march = (month + 9) % 12;
  int64_t in_year = (153 * from_march + 2) / 5;
  int64_t in_days = in_era * 365 + in_era / 4 - in_era / 100 + in_year;
  return era * 146097 + in_days - 719468; /* 0000-03-01 to 1970-01-01 */
}

static int64_t year_of(int64_t days)
{
  /* at most one year off, put right below */
  int64_t year = 1970 + floor_div(days * 400, 146097);
  while (days_to_month(year, 1) > days)
    year--;
  while (days_to_month(year + 1, 1) <= days)
    year++;
  return year;
}

/* The n-th Sunday of a month, n from 1; 1970-01-01 was a Thursday. */
static int64_t sunday(int64_t year, int month, int n)
{
  int64_t first = days_to_month(year, month);
  int64_t weekday = first + 4 - floor_div(first + 4, 7) * 7;
  return first + (7 - weekday) % 7 + 7 * (n - 1);
}

int64_t midnight_pacific_offset_s(int64_t epoch_s)
{
  /* no change is near a new year, so the year by UTC-8 is the right one */
  int64_t year = year_of(floor_div(epoch_s - 8 * HOUR_S, DAY_S));
  int64_t summer = sunday(year, 3, 2) * DAY_S + (2 + 8) * HOUR_S;
  int64_t winter = sunday(year, 11, 1) * DAY_S + (2 + 7) * HOUR_S;
  return epoch_s >= summer && epoch_s < winter ? -7 * HOUR_S : -8 * HOUR_S;
}

int64_t midnight_next(enum midnight_zone zone, int64_t epoch_s)
{
  if (zone == MIDNIGHT_UTC)
    return (floor_div(epoch_s, DAY_S) + 1) * DAY_S;
  int64_t local = epoch_s + midnight_pacific_offset_s(epoch_s);
  int64_t next = (floor_div(local, DAY_S) + 1) * DAY_S;
  /* the offset that holds at that midnight, which may be the other one */
  int64_t guess = next - midnight_pacific_offset_s(epoch_s);
  return next - midnight_pacific_offset_s(guess);
}
