/*
 * opening.h - a breaker seen from outside: starts of a client that make no
 * call. Pure.
 */
#ifndef HARNESS_PROBE_OPENING_H
#define HARNESS_PROBE_OPENING_H

#include "harness/probe/sight.h"

struct opening {
  bool opened;       /* a start made no call, after some that did */
  size_t after;      /* calls before it */
  int code;          /* exit code of that start */
  bool closed_again; /* a later start made a call */
  /* the calling start came so long after the last call before it, and the
   * last silent one so long: the cooling lies between */
  double cool_least_s, cool_most_s;
};

/* Of one lane. */
struct opening opening_of(const struct sight *s);

/* Two rounds of copies that share a breaker: the first opens it, the second
 * starts when it has cooled. */
struct trial_probes {
  bool shared;    /* no copy of the first round got through */
  size_t at_once; /* calls on the wire at one moment of the second round */
};
struct trial_probes probes_of(const struct sight *s);

#endif
