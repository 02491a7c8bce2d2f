/*
 * metrics.h - the counters, and the one line that is always printed.
 *
 * Rule: the line appears at zero too, for without it "nothing happened" and
 * "the detection never matches" look alike (first article, 6b).
 */
#ifndef GUARD_METRICS_H
#define GUARD_METRICS_H

#include "guard/breaker.h"

#include <stddef.h>

/* All zero is a fresh set. */
struct guard_metrics {
  int64_t hits;             /* answers that were a limit */
  int64_t rejected;         /* calls the breaker did not let out */
  int64_t opened;           /* times the breaker went open */
  int64_t backoff_total_ms; /* waits ordered before retries */
  int64_t calls;
  int64_t attempts;
  int64_t retries;
  int64_t timeouts;
  int64_t done;     /* calls that ended well */
  int64_t degraded; /* calls that ended with "degrade now" */
  int64_t failed;   /* calls that ended badly for another reason */
};

/* Adds |add| to |to|. */
void guard_metrics_add(struct guard_metrics *to,
                       const struct guard_metrics *add);

/*
 * "rate_limit metrics label=L state=closed hits=0 rejected=0 opened=0
 * backoff_total=0.0s calls=0 ..." without a newline into |ret| of |size|
 * bytes, cut there; GUARD_METRICS_LINE bytes are enough for a label of up to
 * 100. Tenths of a second are rounded to the nearest.
 */
enum { GUARD_METRICS_LINE = 512 };
void guard_metrics_line(const struct guard_metrics *m, const char *label,
                        enum guard_breaker_state state, char *ret, size_t size);

#endif
