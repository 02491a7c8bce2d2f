/*
 * scenario_step.h - one member of `steps`: its keys and their check.
 */
#ifndef MOCKSERVER_SCENARIO_STEP_H
#define MOCKSERVER_SCENARIO_STEP_H

#include "base/param.h"
#include "mockserver/scenario.h"

/* Keys every step may hold; the keys of a reply; those of `match`. */
extern const struct param step_params[];
extern const struct param reply_params[];
extern const struct param match_params[];

/* Checks step `v` and fills `ret`; texts point into the document. */
int scenario_step_read(struct step *ret, const struct jval *v, int index,
                       struct diag *diag);

#endif
