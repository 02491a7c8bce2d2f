/*
 * told.h - does a right client wait as long as a step tells it to?
 *
 * The rule: a client's own cap ("longer than 300 s: do not wait") does not
 * become shorter, so a wait that is there to be refused keeps its true
 * length. It is such a one when no call may follow the answer that tells it.
 * Whoever expects a gap, or more calls, expects the wait. Where nothing says
 * which, nothing is divided. Pure.
 */
#ifndef HARNESS_SCALE_TOLD_H
#define HARNESS_SCALE_TOLD_H

#include "harness/spec.h"

enum scale_told { TOLD_WAITED, TOLD_THRESHOLD, TOLD_UNSAID };

/* What a scenario expects, read once for all its steps. */
struct scale_expected {
  /* The most calls a right client makes, over all lanes and starts; infinity:
   * nothing says it. */
  double most;
  bool wait;    /* a wait is expected, whatever the number of calls */
  double calls; /* so many calls, or more, are; 0: nothing says it */
  double runs;  /* lanes times starts */
  /* Of each step the number of the first call of a lane that it answers, from
   * 1; 0: it cannot be said. */
  double *first;
};

/* The caller releases. */
void scale_expected_read(struct scale_expected *ret,
                         const struct scenario *scenario,
                         const struct spec *spec);
void scale_expected_release(struct scale_expected *x);
/* step < 0: in none. */
enum scale_told scale_told(const struct scale_expected *x, int step);

#endif
