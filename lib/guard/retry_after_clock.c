/* A clock time needs the time of reading to become an instant. */
#include "guard/civil.h"
#include "guard/hint_clock.h"

enum { DAY_S = 86400 };

struct clock_text {
  struct guard_civil at; /* year 0 and month 0: not in the text */
  bool has_year;
  bool has_date;
  struct guard_scan zone; /* empty: UTC */
};

/* "4pm", "4:24am", "5:22 AM", "15:04" */
static bool take_clock(struct guard_scan *s, struct guard_civil *c)
{
  struct guard_scan at = *s;
  int64_t hour;
  bool colon, pm;

  if (!guard_scan_number(&at, 99, &hour))
    return false;
  c->hour = (int)hour;
  c->minute = 0;
  c->second = 0;
  colon = guard_scan_byte(&at, ':');
  if (colon && !guard_scan_fixed(&at, 2, &c->minute))
    return false;
  guard_scan_blanks(&at);
  pm = guard_scan_fold(&at, "pm");
  if (!pm && !guard_scan_fold(&at, "am")) {
    *s = at;
    return colon; /* a lone number is no time */
  }
  if (c->hour < 1 || c->hour > 12)
    return false;
  c->hour = c->hour % 12 + (pm ? 12 : 0);
  *s = at;
  return true;
}

/* "Dec 3", "Dec 3rd", then ", 2025" when there is a year. */
static bool take_month_day(struct guard_scan *s, struct clock_text *t)
{
  struct guard_scan at = *s;
  int64_t day;

  if (guard_scan_left(&at) < 4)
    return false;
  t->at.month = guard_civil_month(at.p);
  if (t->at.month == 0)
    return false;
  at.p += 3;
  while (guard_is_alpha(guard_scan_peek(&at)))
    at.p++; /* the rest of a month's full name */
  guard_scan_blanks(&at);
  if (!guard_scan_number(&at, 99, &day))
    return false;
  t->at.day = (int)day;
  while (guard_is_alpha(guard_scan_peek(&at)))
    at.p++; /* st nd rd th */
  t->has_date = true;
  *s = at;
  guard_scan_byte(&at, ',');
  guard_scan_blanks(&at);
  if (guard_scan_fixed(&at, 4, &t->at.year)) {
    t->has_year = true;
    *s = at;
  }
  return true;
}

static bool take_iso_date(struct guard_scan *s, struct clock_text *t)
{
  struct guard_scan at = *s;

  if (!guard_scan_fixed(&at, 4, &t->at.year) || !guard_scan_byte(&at, '-') ||
      !guard_scan_fixed(&at, 2, &t->at.month) || !guard_scan_byte(&at, '-') ||
      !guard_scan_fixed(&at, 2, &t->at.day))
    return false;
  t->has_year = true;
  t->has_date = true;
  *s = at;
  return true;
}

static void take_zone(struct guard_scan *s, struct clock_text *t)
{
  const size_t longest = 64; /* twice the longest name of a zone */
  struct guard_scan end;

  guard_scan_blanks(s);
  if (guard_scan_byte(s, '(')) {
    end = *s;
    if (guard_scan_left(&end) > longest)
      end.end = end.p + longest;
    if (guard_scan_past(&end, ")"))
      t->zone = (struct guard_scan){s->p, end.p - 1};
  } else if (guard_scan_lit(s, "UTC")) {
    t->zone = guard_scan_str("UTC");
  }
}

static bool take_text(struct guard_scan s, struct clock_text *t)
{
  guard_scan_blanks(&s);
  if (take_iso_date(&s, t) || take_month_day(&s, t)) {
    guard_scan_byte(&s, ',');
    guard_scan_blanks(&s);
    guard_scan_fold(&s, "at ");
  }
  if (!take_clock(&s, &t->at))
    return false;
  take_zone(&s, t);
  return true;
}

/* What the text leaves out is what makes the time the next one after now. */
static bool complete(struct clock_text *t, int64_t now_local_s,
                     int64_t *ret_local_s)
{
  struct guard_civil now = guard_civil_of(now_local_s);

  if (!t->has_year)
    t->at.year = now.year;
  if (!t->has_date) {
    t->at.month = now.month;
    t->at.day = now.day;
  }
  if (!guard_civil_valid(&t->at))
    return false;
  *ret_local_s = guard_civil_epoch_s(&t->at);
  /* a clock cut to the minute may lie up to a minute behind */
  if (!t->has_date && *ret_local_s < now_local_s - 60)
    *ret_local_s += DAY_S;
  /* a day of grace: the host's date may be ahead of ours */
  if (t->has_date && !t->has_year && *ret_local_s < now_local_s - DAY_S) {
    t->at.year++;
    if (!guard_civil_valid(&t->at))
      return false;
    *ret_local_s = guard_civil_epoch_s(&t->at);
  }
  return true;
}

enum guard_hint guard_hint_clock(struct guard_scan s, int64_t now_ms,
                                 struct guard_hint_value *ret)
{
  struct clock_text t = {.zone = {s.p, s.p}};
  int64_t now_s = now_ms / 1000;
  int64_t local_s;
  int offset_s = 0;
  size_t zone_n;

  if (!take_text(s, &t))
    return GUARD_HINT_INVALID;
  /* keeps the sums below far from the ends of int64 */
  if (now_s < 0 || now_s > INT64_C(253402300799))
    return GUARD_HINT_INVALID;
  zone_n = guard_scan_left(&t.zone);
  if (zone_n > 0 && !guard_zone_offset_s(t.zone.p, zone_n, now_s, &offset_s))
    return GUARD_HINT_INVALID;
  if (!complete(&t, now_s + offset_s, &local_s))
    return GUARD_HINT_INVALID;
  /* summer time may begin or end before then */
  if (zone_n > 0)
    guard_zone_offset_s(t.zone.p, zone_n, local_s - offset_s, &offset_s);
  return guard_hint_until_ms((local_s - offset_s) * 1000, now_ms, ret);
}
