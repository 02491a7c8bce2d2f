#include "base/civil.h"

/* Years begin in March here, so that the day that comes and goes is the
 * last; an era is 400 of them. */
enum { DAYS_PER_ERA = 146097, YEARS_PER_ERA = 400 };
/* 0000-03-01 to 1970-01-01 */
enum { DAYS_TO_EPOCH = 719468 };

static int64_t floor_div(int64_t a, int64_t b)
{
  return a / b - (a % b < 0);
}

int64_t civil_days(int64_t year, int month, int day)
{
  year -= month <= 2;
  int64_t era = floor_div(year, YEARS_PER_ERA);
  int64_t of_era = year - era * YEARS_PER_ERA;
  int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  return era * DAYS_PER_ERA + of_era * 365 + of_era / 4 - of_era / 100 +
         of_year - DAYS_TO_EPOCH;
}

void civil_date(int64_t days, int64_t *ret_year, int *ret_month, int *ret_day)
{
  days += DAYS_TO_EPOCH;
  int64_t era = floor_div(days, DAYS_PER_ERA);
  int64_t day = days - era * DAYS_PER_ERA;
  int64_t year = (day - day / 1460 + day / 36524 - day / 146096) / 365;
  int64_t of_year = day - (365 * year + year / 4 - year / 100);
  int64_t month = (5 * of_year + 2) / 153;
  *ret_day = (int)(of_year - (153 * month + 2) / 5 + 1);
  *ret_month = (int)(month < 10 ? month + 3 : month - 9);
  *ret_year = year + era * YEARS_PER_ERA + (*ret_month <= 2);
}

int civil_weekday(int64_t days)
{
  int64_t since = days + 4; /* 1970-01-01 was a Thursday */
  return (int)(since - floor_div(since, 7) * 7);
}

int64_t civil_day_of(int64_t epoch_s)
{
  return floor_div(epoch_s, CIVIL_DAY_S);
}
