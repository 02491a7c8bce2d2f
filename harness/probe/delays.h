/*
 * delays.h - by how much a busy machine may have delayed a client. Pure.
 *
 * What copies of one client do without waiting should take them all the same
 * time: to start and make the first call, and to end behind the last answer.
 * And the server of a trial answers an error at once. Whatever of these took
 * longer than it must may have been added to a wait as well.
 */
#ifndef HARNESS_PROBE_DELAYS_H
#define HARNESS_PROBE_DELAYS_H

#include "harness/probe/sight.h"

struct spread {
  bool any;
  double least_s, most_s;
};

/* Zeroed, then filled with the sights of all copies. */
struct delays {
  struct spread start, end;
  double answer_s; /* the slowest answer */
};

void delays_add(struct delays *d, const struct sight *s);
double delays_most(const struct delays *d);

#endif
