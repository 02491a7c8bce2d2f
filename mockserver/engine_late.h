/*
 * engine_late.h - how late timers fired: a histogram of fixed size.
 *
 * Sixteen buckets per power of two, so a percentile is at most 1/16 above
 * the true value, adding costs a few instructions, and a run of any length
 * fits. Times in nanoseconds.
 */
#ifndef MOCKSERVER_ENGINE_LATE_H
#define MOCKSERVER_ENGINE_LATE_H

#include <stdint.h>

/* Values below 16 have a bucket each; then 16 for each of the 59 powers of
 * two from 2^4 to 2^62. */
#define LATE_BUCKETS (16 + 59 * 16)

struct late {
  uint64_t n;
  int64_t max_ns;
  uint64_t bucket[LATE_BUCKETS];
};

void late_clear(struct late *l);
/* Below zero counts as zero. */
void late_add(struct late *l, int64_t ns);
/* The smallest value that at least `percent` of all are not above, rounded
 * up to its bucket's end but never above the maximum; 0 when none was
 * added. */
int64_t late_percentile(const struct late *l, unsigned percent);

#endif
