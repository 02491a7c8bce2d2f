/*
 * baseline.h - what must hold before any mutant is tried.
 *
 * The unmutated copy builds and every test is green, twice. A test that is
 * green in one of these runs and not in another is noise: it is told, and can
 * neither kill a mutant nor clear it. Then the two controls: with a server that
 * never sends a fault, and with a dead client, every test that is not declared
 * to stand that must stop being green. A test that stays green proves nothing
 * about the client, and no mutant can show that: it looks the same as a control
 * that holds.
 */
#ifndef MUTANTS_BASELINE_H
#define MUTANTS_BASELINE_H

#include "mutants/suite.h"
#include "mutants/worker.h"

/* Fills g->pins, base, tests, noisy and limit_ms. *ret_ok false: not green, and
 * `why` has a line for each reason. */
int baseline_run(struct gate *g, struct worker *w, bool *ret_ok,
                 struct buf *why, struct diag *diag);
/* *ret_ok false when a test stayed green that must not. */
int controls_run(struct gate *g, struct worker *w, bool *ret_ok,
                 struct buf *why, struct diag *diag);
/* Pure. Adds a line for each test that must not be green and is; returns
 * how many. A skipped test claims nothing and does not count. */
int control_false_greens(const struct verdicts *v, const struct texts *declared,
                         const char *control, struct buf *why);
/* Pure: adds a line for each test that is not green; returns how many. */
int baseline_not_green(const struct verdicts *v, struct buf *why);

#endif
