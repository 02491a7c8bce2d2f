/*
 * limits.h - what the rate-limit headers of an answer say, as one line.
 *
 * Rule: limits are looked at before they are hit (third article), by people
 * too: the tightest family first, then the others.
 */
#ifndef GUARD_COMMAND_LIMITS_H
#define GUARD_COMMAND_LIMITS_H

#include "base/buf.h"
#include "guard/rate_headers.h"

/* "requests 3/50 left, full in 12.0 s; tokens 100/40000 left". |tightest|
 * comes first; nothing when no family was seen. */
void limits_line(const struct guard_rates *r, enum guard_rate_family tightest,
                 struct buf *ret);
/* "slows down 1.2 s: requests 1 of 50 left, full in 12.0 s" */
void limits_slow_line(const struct guard_rates *r,
                      const struct guard_rate_advice *a, struct buf *ret);

#endif
