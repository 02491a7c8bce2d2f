/*
 * progress.h - what a long run shows while it goes on: how many scenarios are
 * done, what runs, what runs longest, how long the rest will take.
 *
 * Pure: a picture of the run and a width in, one line out. Without a
 * terminal nobody wants it, so harness/progress_live.h asks first.
 */
#ifndef HARNESS_PROGRESS_H
#define HARNESS_PROGRESS_H

#include "base/buf.h"

#include <stdint.h>

/* A run at one moment. */
struct progress_view {
  size_t total, done, running;
  size_t red;     /* of the done ones: failed or inconclusive */
  int at_once;    /* so many run at one time */
  int64_t sum_ns; /* what the done ones took, one by one */
  /* Of the running ones the one that began first; NULL: none runs. */
  const char *slowest;
  int64_t slowest_ns;
  int64_t running_ns; /* what the running ones have taken, summed */
};

/* Nanoseconds until all are done, if the rest is like what is done; -1: not
 * known, nothing is done yet. */
int64_t progress_left_ns(const struct progress_view *v);

/* Columns a line leaves empty: the last one, since some terminals go on in
 * the next row when it is filled, and four for two Ctrl-C, which terminals
 * echo as ^C. */
enum { PROGRESS_MARGIN = 5 };

/* One line without a line end, at most `columns` - PROGRESS_MARGIN wide. What
 * does not fit is left out, the least needed first. Printable ASCII only. */
void progress_line(const struct progress_view *v, size_t columns,
                   struct buf *ret);

/* The bytes that take away a line of `width` characters, which a terminal of
 * `columns` now shows in one row or, since it got narrower, in several. */
void progress_erase(size_t width, size_t columns, struct buf *ret);

#endif
