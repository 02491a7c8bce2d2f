/*
 * step_when.h - which calls a step is for: `attempts`, `from_s`, `until_s`,
 * `barrier`, `optional`.
 *
 * Rule: docs/scenario.md, "When". A call outside of attempts or window is no
 * call for the step, like one its match excludes: the step keeps its place.
 */
#ifndef MOCKSERVER_STEP_WHEN_H
#define MOCKSERVER_STEP_WHEN_H

#include "base/param.h"
#include "mockserver/scenario.h"

extern const struct param when_params[];
extern const struct param barrier_params[];

/* Fills when, barrier, shared, optional; the keys are checked. */
int step_when_read(struct step *ret, const struct jval *v, struct diag *diag);
/* How many calls a step answers that does not say `times`. */
int64_t step_when_times(const struct step *step);
/* Call number `n` of its lane, `since_ns` behind the first. */
bool when_fits(const struct when *w, int64_t n, int64_t since_ns);
/* Neither number nor window keeps a call away. */
bool when_takes_all(const struct when *w);

#endif
