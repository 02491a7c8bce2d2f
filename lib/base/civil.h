/*
 * civil.h - dates of the proleptic Gregorian calendar as days since
 * 1970-01-01, and back, without the process-global state of gmtime().
 *
 * Rule: ISO 8601 (year 0 is 1 BC); the arithmetic is that of Howard Hinnant,
 * "chrono-compatible low-level date algorithms". Years from -10^12 to 10^12
 * do not overflow.
 */
#ifndef BASE_CIVIL_H
#define BASE_CIVIL_H

#include <stdint.h>

#define CIVIL_DAY_S INT64_C(86400)

/* `month` from 1; a day behind the month's end counts on into the next. */
int64_t civil_days(int64_t year, int month, int day);
void civil_date(int64_t days, int64_t *ret_year, int *ret_month, int *ret_day);
/* 0: Sunday. */
int civil_weekday(int64_t days);
/* The day an instant is in, also before 1970. */
int64_t civil_day_of(int64_t epoch_s);

#endif
