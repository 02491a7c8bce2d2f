/*
 * declare.h - what `record` writes: the plan with the reds and greens that
 * were seen, for its author to read and accept.
 *
 * The text of the plan stays as it is, comments and all; only the values of
 * "red" and "green" are replaced or put in. Never silently: the result goes
 * beside the plan unless --in-place says otherwise, and each mutant's tests
 * are told.
 *
 * Red is each test that fell every time by a kind that counts; green is each
 * that stayed green and killed another mutant of the run, so that it is known
 * to be able to fall. A mutant that came to no verdict, killed nothing, felled
 * the canary, or is declared equivalent, stays as it was.
 */
#ifndef MUTANTS_DECLARE_H
#define MUTANTS_DECLARE_H

#include "mutants/gate.h"
#include "mutants/record.h"

/* PLAN.recorded, or PLAN itself; prints what it did. */
int declare_write(const struct gate *g, const struct records *r,
                  struct diag *diag);

/* Pure: the reds and greens of one record, borrowed names. False when nothing
 * is to be declared. */
bool declare_tests(const struct records *all, const struct record *r,
                   struct texts *ret_red, struct texts *ret_green);
/* Pure: `text`, which is the plan's own, with the tests of each record. */
int declare_text(const struct plan *p, struct bytes text,
                 const struct records *r, struct buf *ret, struct diag *diag);

#endif
