/*
 * value.h - one value of a scenario with every time in it divided.
 *
 * The rule: a time of a second or more is divided by k, a shorter one is no
 * wait and stays. Works on the value's JSON text, so that all else in it
 * stays byte for byte. Pure.
 */
#ifndef HARNESS_SCALE_VALUE_H
#define HARNESS_SCALE_VALUE_H

#include "harness/scale/keys.h"

#include "base/buf.h"

/* Shorter ones are not divided, and none becomes shorter: a retry-after is
 * whole seconds (RFC 9110 section 10.2.3), and on a busy machine shorter
 * waits do not tell right from wrong. */
#define SCALE_LEAST_S 1.0

/* `whole`: told to the client as a whole number, and has to stay one. */
typedef void scale_found_fn(void *arg, double s, bool whole);

struct scale_work {
  double k;
  scale_found_fn *found; /* each time there is, before; NULL: nobody asks */
  void *arg;
  /* a moment in whole seconds, the rest of which is cut: the wait that it
   * tells is up to a second shorter */
  bool cut;
  char why[200]; /* set: cannot be divided, a sentence's end */
};

double scale_divide(double s, double k);
/* The JSON text `raw` of a value of a simple kind to `out`. False, with
 * w->why, when it has times that cannot be divided; they are copied. */
bool scale_value(struct scale_work *w, enum scale_kind kind, struct bytes raw,
                 struct buf *out);
/* A text with {{...}} values and words (text.c). */
bool scale_text(struct scale_work *w, struct bytes text, struct buf *out);
/* A time as people and HTTP write it. */
void scale_put_number(double v, struct buf *out);

#endif
