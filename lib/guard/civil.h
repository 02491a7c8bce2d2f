/*
 * civil.h - calendar arithmetic without the C library's clock and zones;
 * inside lib/guard only.
 *
 * Proleptic Gregorian calendar, days counted from 1970-01-01; the method is
 * Howard Hinnant's "chrono-compatible low-level date algorithms". Zones: the
 * table zones.def, with today's rules for summer time.
 */
#ifndef GUARD_CIVIL_H
#define GUARD_CIVIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct guard_civil {
  int year;  /* 0..9999 */
  int month; /* 1..12 */
  int day;   /* 1..31 */
  int hour, minute;
  int second; /* 0..60: a leap second is the next minute's first */
};

int64_t guard_civil_days(int year, int month, int day);
/* Date and time of an instant in UTC; before year 0 or after 9999 clamped. */
struct guard_civil guard_civil_of(int64_t epoch_s);
/* 0 is Sunday. */
int guard_civil_weekday(int64_t days);
bool guard_civil_valid(const struct guard_civil *c);
int64_t guard_civil_epoch_s(const struct guard_civil *c);
/* 1..12 of "Jan".."Dec", or 0; case folds. */
int guard_civil_month(const char *p);

/* Seconds to add to UTC in the named zone ("Europe/Rome", "UTC") at that
 * instant; false for a zone that is not in zones.def. */
bool guard_zone_offset_s(const char *name, size_t n, int64_t epoch_s,
                         int *ret_offset_s);

#endif
