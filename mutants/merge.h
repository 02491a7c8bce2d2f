/*
 * merge.h - the results of several runs over one plan as one. Pure.
 *
 * Shards are judged apart and may be lost apart, so what is joined must fit:
 * the same plan, the same tests, no mutant twice. When mutants of the plan are
 * missing, the joined run is no proof, and says so.
 */
#ifndef MUTANTS_MERGE_H
#define MUTANTS_MERGE_H

#include "mutants/record.h"

/* Takes the records of `more` over; `name` says where they are from. On -1
 * both are as they were. */
int merge_add(struct records *all, struct records *more, const char *name,
              struct diag *diag);
/* Once all are in: adds to all->problem what is missing. */
void merge_finish(struct records *all);

#endif
