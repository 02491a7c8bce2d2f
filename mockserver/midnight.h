/*
 * midnight.h - when the day of a daily quota ends.
 *
 * Rule: Gemini's requests a day start again at midnight Pacific time (the
 * quota pages; one author measured 00:00 UTC, which is why both are there).
 * Pacific time is UTC-8, and UTC-7 from the second Sunday of March to the
 * first Sunday of November, changing at 02:00 local time (Energy Policy Act
 * of 2005; for years before 2007 the same rule is used here).
 */
#ifndef MOCKSERVER_MIDNIGHT_H
#define MOCKSERVER_MIDNIGHT_H

#include <stdint.h>

enum midnight_zone { MIDNIGHT_UTC, MIDNIGHT_PACIFIC };

/* The first midnight of the zone after `epoch_s`, in seconds since 1970. */
int64_t midnight_next(enum midnight_zone zone, int64_t epoch_s);
/* Seconds to add to UTC for Pacific local time: -28800 or -25200. */
int64_t midnight_pacific_offset_s(int64_t epoch_s);

#endif
