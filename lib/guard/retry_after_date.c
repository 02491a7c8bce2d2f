/*
 * The three HTTP-date forms of RFC 9110 5.6.7 and RFC 3339. Both grammars
 * are fixed: one space is one space, letters keep their case.
 *
 * The name of the day is redundant: it must be a day's name but may be the
 * wrong one.
 */
#include "guard/civil.h"
#include "guard/hint.h"

#include <string.h>

static const char *const short_days[] = {"Sun", "Mon", "Tue", "Wed",
                                         "Thu", "Fri", "Sat"};
static const char *const long_days[] = {"Sunday",    "Monday",   "Tuesday",
                                        "Wednesday", "Thursday", "Friday",
                                        "Saturday"};

static bool take_day_name(struct guard_scan *s, const char *const names[7])
{
  for (int i = 0; i < 7; i++)
    if (guard_scan_lit(s, names[i]))
      return true;
  return false;
}

static bool take_month(struct guard_scan *s, int *ret)
{
  static const char *const names[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  for (int i = 0; i < 12; i++)
    if (guard_scan_lit(s, names[i])) {
      *ret = i + 1;
      return true;
    }
  return false;
}

static bool take_time(struct guard_scan *s, struct guard_civil *c)
{
  return guard_scan_fixed(s, 2, &c->hour) && guard_scan_byte(s, ':') &&
         guard_scan_fixed(s, 2, &c->minute) && guard_scan_byte(s, ':') &&
         guard_scan_fixed(s, 2, &c->second);
}

/* Sun, 06 Nov 1994 08:49:37 GMT */
static bool imf_fixdate(struct guard_scan s, struct guard_civil *c)
{
  return take_day_name(&s, short_days) && guard_scan_lit(&s, ", ") &&
         guard_scan_fixed(&s, 2, &c->day) && guard_scan_byte(&s, ' ') &&
         take_month(&s, &c->month) && guard_scan_byte(&s, ' ') &&
         guard_scan_fixed(&s, 4, &c->year) && guard_scan_byte(&s, ' ') &&
         take_time(&s, c) && guard_scan_lit(&s, " GMT") && guard_scan_done(&s);
}

/* Sunday, 06-Nov-94 08:49:37 GMT */
static bool rfc850_date(struct guard_scan s, struct guard_civil *c)
{
  return take_day_name(&s, long_days) && guard_scan_lit(&s, ", ") &&
         guard_scan_fixed(&s, 2, &c->day) && guard_scan_byte(&s, '-') &&
         take_month(&s, &c->month) && guard_scan_byte(&s, '-') &&
         guard_scan_fixed(&s, 2, &c->year) && guard_scan_byte(&s, ' ') &&
         take_time(&s, c) && guard_scan_lit(&s, " GMT") && guard_scan_done(&s);
}

/* Sun Nov  6 08:49:37 1994 */
static bool asctime_date(struct guard_scan s, struct guard_civil *c)
{
  if (!take_day_name(&s, short_days) || !guard_scan_byte(&s, ' ') ||
      !take_month(&s, &c->month) || !guard_scan_byte(&s, ' '))
    return false;
  if (guard_scan_byte(&s, ' ') ? !guard_scan_fixed(&s, 1, &c->day)
                               : !guard_scan_fixed(&s, 2, &c->day))
    return false;
  return guard_scan_byte(&s, ' ') && take_time(&s, c) &&
         guard_scan_byte(&s, ' ') && guard_scan_fixed(&s, 4, &c->year) &&
         guard_scan_done(&s);
}

/* RFC 9110 5.6.7: a two-digit year that appears to be more than 50 years in
 * the future is the past one with the same last digits. */
static void choose_century(struct guard_civil *c, int64_t now_ms)
{
  int64_t now_s = now_ms / 1000;
  struct guard_civil fifty_back;

  c->year += guard_civil_of(now_s).year / 100 * 100;
  fifty_back = *c;
  fifty_back.year -= 50;
  if (guard_civil_epoch_s(&fifty_back) > now_s)
    c->year -= 100;
}

enum guard_hint guard_hint_http_date(struct guard_scan s, int64_t now_ms,
                                     struct guard_hint_value *ret)
{
  struct guard_civil c = {0};

  guard_scan_trim(&s);
  if (!guard_is_alpha(guard_scan_peek(&s))) /* all three begin with a day */
    return GUARD_HINT_INVALID;
  if (!imf_fixdate(s, &c) && !asctime_date(s, &c)) {
    if (!rfc850_date(s, &c))
      return GUARD_HINT_INVALID;
    choose_century(&c, now_ms);
  }
  if (!guard_civil_valid(&c))
    return GUARD_HINT_INVALID;
  return guard_hint_until_ms(guard_civil_epoch_s(&c) * 1000, now_ms, ret);
}

/* "Z", "+09:00"; seconds east of UTC. */
static bool take_offset(struct guard_scan *s, int64_t *ret_s)
{
  int hour, minute, sign = guard_scan_peek(s) == '-' ? -1 : 1;

  *ret_s = 0;
  if (guard_scan_fold(s, "Z"))
    return true;
  if (!guard_scan_byte(s, '+') && !guard_scan_byte(s, '-'))
    return false;
  if (!guard_scan_fixed(s, 2, &hour) || !guard_scan_byte(s, ':') ||
      !guard_scan_fixed(s, 2, &minute) || hour > 23 || minute > 59)
    return false;
  *ret_s = (int64_t)sign * (hour * 3600 + minute * 60);
  return true;
}

/* The fraction in ms, rounded up; none is 0. */
static bool take_fraction_ms(struct guard_scan *s, int64_t *ret_ms)
{
  struct guard_decimal d;
  struct guard_span span = {0, 0};
  struct guard_scan from = *s;

  *ret_ms = 0;
  if (guard_scan_peek(s) != '.')
    return true;
  from.p--; /* the last digit of the second: the caller has just read it */
  if (!guard_scan_decimal(&from, &d) || !d.has_fraction)
    return false;
  d.whole = 0;
  guard_span_add(&span, &d, INT64_C(1000000000));
  *ret_ms = guard_span_ms(&span);
  s->p = from.p;
  return true;
}

enum guard_hint guard_hint_rfc3339(struct guard_scan s, int64_t now_ms,
                                   struct guard_hint_value *ret)
{
  struct guard_civil c = {0};
  int64_t offset_s, ms;

  guard_scan_trim(&s);
  if (!guard_scan_fixed(&s, 4, &c.year) || !guard_scan_byte(&s, '-') ||
      !guard_scan_fixed(&s, 2, &c.month) || !guard_scan_byte(&s, '-') ||
      !guard_scan_fixed(&s, 2, &c.day))
    return GUARD_HINT_INVALID;
  /* section 5.6: the T may be lower case or a space */
  if (!guard_scan_fold(&s, "T") && !guard_scan_byte(&s, ' '))
    return GUARD_HINT_INVALID;
  if (!take_time(&s, &c) || !take_fraction_ms(&s, &ms) ||
      !take_offset(&s, &offset_s) || !guard_scan_done(&s) ||
      !guard_civil_valid(&c))
    return GUARD_HINT_INVALID;
  return guard_hint_until_ms((guard_civil_epoch_s(&c) - offset_s) * 1000 + ms,
                             now_ms, ret);
}
