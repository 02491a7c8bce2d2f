/*
 * results.h - fills and keeps the results of a run: records from the plan,
 * and the files of OUT.
 */
#ifndef MUTANTS_RESULTS_H
#define MUTANTS_RESULTS_H

#include "mutants/gate.h"
#include "mutants/record.h"

/* One empty record for each selected mutant. */
void results_start(struct records *r, const struct gate *g);
/* The baseline's tests, once they are known. */
void results_take_tests(struct records *r, const struct gate *g);
/* diff/ID.diff, log/ID.json and log/ID.log, as soon as one mutant is done. */
int results_write_one(const struct gate *g, const struct record *r,
                      struct diag *diag);
/* outcomes.json, matrix.tsv, <outcome>.txt, junit.xml. */
int results_write_all(const char *out, const struct records *r,
                      struct diag *diag);

#endif
