/*
 * span.h - between which two moments a client's deadline lies. Pure.
 */
#ifndef HARNESS_PROBE_SPAN_H
#define HARNESS_PROBE_SPAN_H

#include "harness/probe/sight.h"

struct span {
  double low_s;  /* it was still at work then, 0: nothing is known */
  double high_s; /* it would not have gone on until then */
  bool has_high;
};

/* Takes in a trial with a wait of `wait_s` after each of `attempts` answers:
 * nothing is learnt where the waits were not obeyed. */
void span_add(struct span *ret, const struct sight *s, size_t attempts,
              double wait_s);

#endif
