/*
 * patience.h - how long a client stays with a silent answer. Pure.
 */
#ifndef HARNESS_PROBE_PATIENCE_H
#define HARNESS_PROBE_PATIENCE_H

#include "harness/probe/sight.h"

struct patience {
  bool no_silence; /* it neither left nor was it still waiting */
  bool known;      /* it left by itself after `s` seconds; false: `s` is how
                      long it was seen to wait */
  double s;
  double stretch; /* the second time-out as a share of the first, 0: none */
  size_t retries;
  bool ended; /* by itself: the retries are all */
};

struct patience patience_of(const struct sight *s);

#endif
