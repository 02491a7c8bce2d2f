#include "mockserver/zone_rule.h"

#include "base/number.h"

#include <string.h>

#define DAY_S INT64_C(86400)

/* ---- the calendar; the algorithms of Howard Hinnant, "chrono-compatible
 * low-level date algorithms": years begin in March, so that the day that
 * comes and goes is the last ---- */

enum { DAYS_PER_ERA = 146097 }; /* 400 years */

int64_t zone_days(int64_t year, int month, int day)
{
  year -= month <= 2;
  int64_t era = (year >= 0 ? year : year - 399) / 400;
  int64_t of_era = year - era * 400;
  int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  return era * DAYS_PER_ERA + of_era * 365 + of_era / 4 - of_era / 100 +
         of_year - 719468; /* 0000-03-01 to 1970-01-01 */
}

void zone_date(int64_t days, int64_t *ret_year, int *ret_month, int *ret_day)
{
  days += 719468;
  int64_t era = (days >= 0 ? days : days - DAYS_PER_ERA + 1) / DAYS_PER_ERA;
  int64_t day = days - era * DAYS_PER_ERA;
  int64_t year = (day - day / 1460 + day / 36524 - day / 146096) / 365;
  int64_t of_year = day - (365 * year + year / 4 - year / 100);
  int64_t month = (5 * of_year + 2) / 153;
  *ret_day = (int)(of_year - (153 * month + 2) / 5 + 1);
  *ret_month = (int)(month < 10 ? month + 3 : month - 9);
  *ret_year = year + era * 400 + (*ret_month <= 2);
}

/* ---- reading ---- */

static bool take(struct bytes *s, char c)
{
  if (s->n == 0 || *s->p != c)
    return false;
  s->p++;
  s->n--;
  return true;
}

static bool take_number(struct bytes *s, int max, int *ret)
{
  uint64_t n = 0;
  if (number_take_u64(s, (uint64_t)max, &n) != NUMBER_OK)
    return false;
  *ret = (int)n;
  return true;
}

static bool is_letter(char c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* "CET" or "<+03>". */
static bool take_name(struct bytes *s, char ret[ZONE_ABBREVIATION])
{
  size_t n = 0;
  bool quoted = take(s, '<');
  while (n < s->n && (quoted ? s->p[n] != '>' : is_letter(s->p[n])))
    n++;
  if (n == 0 || n >= ZONE_ABBREVIATION)
    return false;
  memcpy(ret, s->p, n);
  ret[n] = '\0';
  s->p += n;
  s->n -= n;
  return !quoted || take(s, '>');
}

/* [+-]hh[:mm[:ss]] */
static bool take_time(struct bytes *s, int64_t *ret_s)
{
  int hours = 0, minutes = 0, seconds = 0;
  bool minus = take(s, '-');
  if (!minus)
    take(s, '+');
  /* a week, RFC 9636 3.3.1 */
  if (!take_number(s, 167, &hours) ||
      (take(s, ':') && (!take_number(s, 59, &minutes) ||
                        (take(s, ':') && !take_number(s, 59, &seconds)))))
    return false;
  int64_t total = hours * INT64_C(3600) + minutes * 60 + seconds;
  *ret_s = minus ? -total : total;
  return true;
}

static bool take_change(struct bytes *s, struct zone_change *ret)
{
  *ret = (struct zone_change){.kind = CHANGE_DAY, .at_s = 7200};
  if (take(s, 'M')) {
    ret->kind = CHANGE_MONTH;
    if (!take_number(s, 12, &ret->month) || ret->month < 1 || !take(s, '.') ||
        !take_number(s, 5, &ret->week) || ret->week < 1 || !take(s, '.') ||
        !take_number(s, 6, &ret->day))
      return false;
  } else {
    if (take(s, 'J'))
      ret->kind = CHANGE_JULIAN;
    if (!take_number(s, 365, &ret->day))
      return false;
  }
  return !take(s, '/') || take_time(s, &ret->at_s);
}

/* West is positive in such a rule. */
static bool take_offset(struct bytes *s, struct zone_offset *ret)
{
  int64_t west_s = 0;
  if (!take_time(s, &west_s))
    return false;
  ret->east_s = -west_s;
  return true;
}

bool zone_rule_read(struct bytes s, struct zone_rule *r)
{
  *r = (struct zone_rule){.has_summer = false};
  if (!take_name(&s, r->standard.name) || !take_offset(&s, &r->standard))
    return false;
  if (s.n == 0)
    return true;
  r->has_summer = true;
  if (!take_name(&s, r->summer.name))
    return false;
  r->summer.east_s = r->standard.east_s + 3600;
  if (s.n && *s.p != ',' && !take_offset(&s, &r->summer))
    return false;
  return take(&s, ',') && take_change(&s, &r->begin) && take(&s, ',') &&
         take_change(&s, &r->end) && s.n == 0;
}

/* ---- applying ---- */

static int64_t weekday(int64_t days)
{
  int64_t w = (days + 4) % 7; /* 1970-01-01 was a Thursday */
  return w < 0 ? w + 7 : w;
}

static int64_t month_day(const struct zone_change *c, int64_t year)
{
  int64_t first = zone_days(year, c->month, 1);
  int64_t day = first + (c->day - weekday(first) + 7) % 7 + 7 * (c->week - 1);
  int64_t next = c->month == 12 ? zone_days(year + 1, 1, 1)
                                : zone_days(year, c->month + 1, 1);
  while (day >= next) /* week 5 is the last one */
    day -= 7;
  return day;
}

/* Seconds of local time, as if it were Greenwich's. */
static int64_t moment(const struct zone_change *c, int64_t year)
{
  int64_t january = zone_days(year, 1, 1);
  int64_t day = january + c->day;
  if (c->kind == CHANGE_MONTH)
    day = month_day(c, year);
  else if (c->kind == CHANGE_JULIAN) /* counts from 1 and has no 29 Feb. */
    day = january + c->day - 1 +
          (c->day > 59 && zone_days(year, 3, 1) - january == 60);
  return day * DAY_S + c->at_s;
}

void zone_rule_at(const struct zone_rule *r, int64_t epoch_s,
                  struct zone_offset *ret)
{
  int64_t year = 0, local_s = epoch_s + r->standard.east_s;
  int month = 0, day = 0;
  zone_date(local_s / DAY_S - (local_s % DAY_S < 0), &year, &month, &day);
  int64_t begin = moment(&r->begin, year) - r->standard.east_s;
  int64_t end = moment(&r->end, year) - r->summer.east_s;
  bool summer = begin < end ? epoch_s >= begin && epoch_s < end
                            : epoch_s >= begin || epoch_s < end;
  *ret = r->has_summer && summer ? r->summer : r->standard;
}
