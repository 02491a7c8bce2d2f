/*
 * zone.h - wall clock times as command-line clients print them: in a time
 * zone, to the minute, without seconds.
 */
#ifndef MOCKSERVER_COMMAND_ZONE_H
#define MOCKSERVER_COMMAND_ZONE_H

#include "base/buf.h"

/* "UTC", or a name of the machine's zone database. */
bool zone_known(const char *name);
/* Local time of a known zone. */
struct tm zone_time(const char *name, int64_t epoch_s);

/* "4:24am", and "2am" at the full hour: Claude Code. */
void zone_clock(const struct tm *tm, struct buf *ret);
/* "Dec 3, 1:39am": Claude Code 2.1.332, more than a day away. */
void zone_day_clock(const struct tm *tm, struct buf *ret);
/* "Apr 23 at 4pm": Claude Code 2.1.117. */
void zone_day_at_clock(const struct tm *tm, struct buf *ret);
/* "Dec 3rd, 2026 5:22 AM": Codex. */
void zone_date_clock(const struct tm *tm, struct buf *ret);
/* "5 days 22 hours 11 minutes", "3 hours 2 minutes": Codex; never empty. */
void zone_left(int64_t seconds, struct buf *ret);

#endif
