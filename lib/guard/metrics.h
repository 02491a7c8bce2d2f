/*
 * metrics.h - the counters, and the one line that is always printed.
 *
 * Rule: the line appears at zero too, for without it "nothing happened" and
 * "the detection never matches" look alike (first article, 6b). Watched are
 * the share of limit answers, success after retries, p95 and p99, deadline
 * overruns (third article) and retries per call (fourth).
 *
 * Durations go into a fixed histogram: one bucket a millisecond up to 8 ms,
 * then 8 buckets between two powers of two. A quantile is the upper end of
 * its bucket, at most the longest call seen: never below the true value, and
 * above it by less than an eighth (12.5 %). One that falls into the last
 * bucket, from 17.4 hours on, is the longest call.
 */
#ifndef GUARD_METRICS_H
#define GUARD_METRICS_H

#include "guard/breaker.h"

#include <stddef.h>

enum {
  GUARD_METRICS_PER_OCTAVE = 8,
  /* up to 2^26 ms; what is longer falls into the last one */
  GUARD_METRICS_BUCKETS = GUARD_METRICS_PER_OCTAVE * 24
};

/* All zero is a fresh set. */
struct guard_metrics {
#define COUNTER(field, name, help) int64_t field;
#define TIMER(field, name, help) int64_t field;
#include "guard/metrics.def"
#undef COUNTER
#undef TIMER
  int64_t most_retries;    /* of one call */
  int64_t longest_ms;      /* call */
  int64_t duration_sum_ms; /* of the calls that ended */
  int64_t durations[GUARD_METRICS_BUCKETS];
};

/* The end of one call, however it ended. */
struct guard_ended {
  int64_t duration_ms; /* from its begin, waits included; below 0 is 0 */
  int retries;
  bool done;
  bool overran; /* the deadline ended it, or it ended after it */
};

/* Counts what only the end of a call tells; the rest is counted on the way
 * (call.h). */
void guard_metrics_ended(struct guard_metrics *m, const struct guard_ended *e);

/* Adds |add| to |to|. */
void guard_metrics_add(struct guard_metrics *to,
                       const struct guard_metrics *add);

/* The duration that |permille| of 1000 calls did not exceed, with the error
 * above; 0 without a call. */
int64_t guard_metrics_quantile_ms(const struct guard_metrics *m, int permille);
/* Calls that took less than 2^|exponent| ms; exact. 3 <= |exponent| <= 25. */
int64_t guard_metrics_within(const struct guard_metrics *m, int exponent);

/*
 * "rate_limit metrics label=L state=closed hits=0 rejected=0 opened=0
 * backoff_total=0.0s calls=0 ..." without a newline into |ret| of |size|
 * bytes, cut there; GUARD_METRICS_LINE bytes are enough for a label of up to
 * 100. Tenths of a second are rounded to the nearest. Shares are of 1, and 0
 * where there is nothing to divide by.
 */
enum { GUARD_METRICS_LINE = 1024 };
void guard_metrics_line(const struct guard_metrics *m, const char *label,
                        enum guard_breaker_state state, char *ret, size_t size);

#endif
