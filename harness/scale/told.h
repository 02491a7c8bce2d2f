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

enum scale_told scale_told(const struct scenario *scenario,
                           const struct spec *spec, int step);
/* The most calls a right client makes, over all lanes and starts; infinity:
 * nothing says it. */
double scale_most_calls(const struct spec *spec);

#endif
