/*
 * plan.h - by how much a scenario is divided, or why it is not. Pure.
 *
 * The rule: k is as large as it may be: no time of a second or more falls
 * below a second, whole seconds that are told stay whole (a fraction is never
 * made of a whole number), and the longest wait need not be shorter than 2 s.
 * What cannot be divided runs as it is when it waits no longer than a run may
 * take; else it is skipped with the reason, and never passed.
 */
#ifndef HARNESS_SCALE_PLAN_H
#define HARNESS_SCALE_PLAN_H

#include "harness/scale/facts.h"

struct scale_options {
  double k;            /* at most so much; 0: as the rule says */
  double real_limit_s; /* what a run may take that cannot be divided */
  const struct policy *policy;
};

enum scale_word {
  SCALE_AS_IS,
  SCALE_WINDOW_ONLY, /* thresholds alone: true values, a short run */
  SCALE_DIVIDED,
  SCALE_SKIPPED
};

struct scale_plan {
  enum scale_word word;
  double k;       /* 1 unless divided */
  double cut_s;   /* by so much lower bounds are lower */
  double limit_s; /* client.limit_s of the run */
  char *why;      /* not divided: a sentence; NULL: nothing to say */
};

/* The caller frees ret->why. */
void scale_decide(struct scale_plan *ret, const struct scale_facts *f,
                  const struct spec *spec, const struct scale_options *o);

#endif
