/*
 * scenario_step.h - one member of `steps`: its keys and their check.
 */
#ifndef MOCKSERVER_SCENARIO_STEP_H
#define MOCKSERVER_SCENARIO_STEP_H

#include "base/param.h"
#include "mockserver/reply_step.h"
#include "mockserver/scenario.h"

/* Keys every step may hold; the keys of a reply; those of `match`. */
extern const struct param step_params[];
/* The same with the tables of step_when.h and the like; ends with NULL. */
extern const struct param *const step_tables[];
/* How many tables that are, the fault's and the reply's included. */
enum { STEP_TABLES = 8 };
/* All tables a step of that kind is checked against; how many they are. */
int step_tables_of(const struct fault *f, const struct param *ret[STEP_TABLES]);
extern const struct param match_params[];

/* Checks step `v` and fills `ret`; texts point into the document. */
int scenario_step_read(struct step *ret, const struct jval *v, int index,
                       struct diag *diag);

#endif
