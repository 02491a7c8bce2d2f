/*
 * tally.h - what the kill matrix says about the tests. Pure.
 *
 * A mutant that is not killed is news about one control; a test that kills
 * nothing, two mutants that no test can tell apart, and the smallest set of
 * tests with the same kills are news about the suite.
 */
#ifndef MUTANTS_TALLY_H
#define MUTANTS_TALLY_H

#include "mutants/record.h"

/* Row by row: killed[mutant * ntests + test]. Only mutants that were judged
 * (caught or weak) count. The caller frees it. */
bool *tally_kills(const struct records *r);
/* Names of tests, without the canary, that kill no mutant. */
void tally_idle_tests(const struct records *r, struct texts *ret);
/* Greedy set cover; ties go to the test named first. */
void tally_minimal_set(const struct records *r, struct texts *ret);
/* Calls `each` with every group of two or more caught mutants whose killing
 * tests are the same. */
void tally_same_signature(const struct records *r,
                          void (*each)(void *ctx, const struct texts *ids),
                          void *ctx);
int tally_count(const struct records *r, enum outcome o);
/* The exit code of the whole run. */
enum gate_exit tally_exit(const struct records *r, bool strict_tests);

#endif
