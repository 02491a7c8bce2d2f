/*
 * stats.h - numbers collected by a measuring tool, and their percentiles.
 */
#ifndef TESTS_BENCH_STATS_H
#define TESTS_BENCH_STATS_H

#include <stddef.h>
#include <stdint.h>

struct stats {
  int64_t *value;
  size_t n, cap;
};

void stats_add(struct stats *s, int64_t value);
/* Sorts; `percent` from 0 to 100. 0 when nothing was added. */
int64_t stats_percentile(struct stats *s, double percent);
/* "NAME n=5 p50=1 p90=2 p99=3 p99.9=4 max=5 UNIT" on stdout; the values are
 * divided by `divisor`. */
void stats_print(struct stats *s, const char *name, int64_t divisor,
                 const char *unit);
void stats_release(struct stats *s);

#endif
