#include "guard/civil.h"

#include "guard/scan.h"

#include <string.h>

enum { DAY_S = 86400, ERA_DAYS = 146097 /* 400 years */ };

int64_t guard_civil_days(int year, int month, int day)
{
  int64_t y = year - (month <= 2 ? 1 : 0);
  int64_t era = (y >= 0 ? y : y - 399) / 400;
  int64_t yoe = y - era * 400;
  int64_t doy = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  int64_t doe = yoe * 365 + yoe / 4 - yoe / 100 + doy;

  return era * ERA_DAYS + doe - 719468; /* days from 0000-03-01 to 1970 */
}

static int64_t floor_div(int64_t a, int64_t b)
{
  return a / b - (a % b < 0 ? 1 : 0);
}

struct guard_civil guard_civil_of(int64_t epoch_s)
{
  const int64_t first = INT64_C(-62167219200); /* 0000-01-01 */
  const int64_t last = INT64_C(253402300799);  /* 9999-12-31 23:59:59 */
  int64_t s = epoch_s < first ? first : epoch_s > last ? last : epoch_s;
  int64_t z = floor_div(s, DAY_S) + 719468;
  int64_t era = floor_div(z, ERA_DAYS);
  int64_t doe = z - era * ERA_DAYS;
  int64_t yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
  int64_t doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
  int64_t mp = (5 * doy + 2) / 153;
  int64_t month = mp < 10 ? mp + 3 : mp - 9;
  int64_t second = s - floor_div(s, DAY_S) * DAY_S;

  return (struct guard_civil){
      .year = (int)(yoe + era * 400 + (month <= 2 ? 1 : 0)),
      .month = (int)month,
      .day = (int)(doy - (153 * mp + 2) / 5 + 1),
      .hour = (int)(second / 3600),
      .minute = (int)(second / 60 % 60),
      .second = (int)(second % 60),
  };
}

int guard_civil_weekday(int64_t days)
{
  int64_t w = (days + 4) % 7; /* 1970-01-01 was a Thursday */

  return (int)(w < 0 ? w + 7 : w);
}

static int month_days(int year, int month)
{
  static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;

  return days[month - 1] + (leap && month == 2 ? 1 : 0);
}

bool guard_civil_valid(const struct guard_civil *c)
{
  if (c->month < 1 || c->month > 12 || c->year < 0 || c->year > 9999)
    return false;
  if (c->day < 1 || c->day > month_days(c->year, c->month))
    return false;
  return c->hour >= 0 && c->hour < 24 && c->minute >= 0 && c->minute < 60 &&
         c->second >= 0 && c->second <= 60;
}

int64_t guard_civil_epoch_s(const struct guard_civil *c)
{
  return guard_civil_days(c->year, c->month, c->day) * DAY_S + c->hour * 3600 +
         c->minute * 60 + c->second;
}

int guard_civil_month(const char *p)
{
  static const char names[] = "JanFebMarAprMayJunJulAugSepOctNovDec";

  for (int i = 0; i < 12; i++) {
    struct guard_scan s = guard_scan_of(p, 3);
    char name[4] = {names[3 * i], names[3 * i + 1], names[3 * i + 2], '\0'};

    if (guard_scan_fold(&s, name))
      return i + 1;
  }
  return 0;
}
