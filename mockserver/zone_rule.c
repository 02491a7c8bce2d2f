#include "mockserver/zone_rule.h"

#include "base/civil.h"
#include "base/number.h"

#include <string.h>

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

/* Between brackets, POSIX XBD 8.3. */
static bool is_quoted(char c)
{
  return is_letter(c) || (c >= '0' && c <= '9') || c == '+' || c == '-';
}

/* "CET" or "<+03>". */
static bool take_name(struct bytes *s, char ret[ZONE_ABBREVIATION])
{
  size_t n = 0;
  bool quoted = take(s, '<');
  while (n < s->n && (quoted ? is_quoted(s->p[n]) : is_letter(s->p[n])))
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

static int64_t month_day(const struct zone_change *c, int64_t year)
{
  int64_t first = civil_days(year, c->month, 1);
  int64_t day =
      first + (c->day - civil_weekday(first) + 7) % 7 + 7 * (c->week - 1);
  int64_t next = c->month == 12 ? civil_days(year + 1, 1, 1)
                                : civil_days(year, c->month + 1, 1);
  while (day >= next) /* week 5 is the last one */
    day -= 7;
  return day;
}

/* Seconds of local time, as if it were Greenwich's. */
static int64_t moment(const struct zone_change *c, int64_t year)
{
  int64_t january = civil_days(year, 1, 1);
  int64_t day = january + c->day;
  if (c->kind == CHANGE_MONTH)
    day = month_day(c, year);
  else if (c->kind == CHANGE_JULIAN) /* counts from 1 and has no 29 Feb. */
    day = january + c->day - 1 +
          (c->day > 59 && civil_days(year, 3, 1) - january == 60);
  return day * CIVIL_DAY_S + c->at_s;
}

void zone_rule_at(const struct zone_rule *r, int64_t epoch_s,
                  struct zone_offset *ret)
{
  int64_t year = 0, local_s = epoch_s + r->standard.east_s;
  int month = 0, day = 0;
  civil_date(civil_day_of(local_s), &year, &month, &day);
  int64_t begin = moment(&r->begin, year) - r->standard.east_s;
  int64_t end = moment(&r->end, year) - r->summer.east_s;
  bool summer = begin < end ? epoch_s >= begin && epoch_s < end
                            : epoch_s >= begin || epoch_s < end;
  *ret = r->has_summer && summer ? r->summer : r->standard;
}
