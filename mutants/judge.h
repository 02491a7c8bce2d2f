/*
 * judge.h - one mutant's verdicts against what the plan declares. Pure.
 *
 * Rule: "a test went red" is not enough. The declared tests must fall by a
 * kind that counts (a crash is no proof of a check), the declared greens and
 * the canary must stay green, and what saw no request at all proves nothing.
 */
#ifndef MUTANTS_JUDGE_H
#define MUTANTS_JUDGE_H

#include "base/buf.h"
#include "mutants/outcome.h"
#include "mutants/plan.h"
#include "mutants/verdict.h"

/* True when this verdict kills mutant `m`. */
bool judge_kills(const struct plan_mutant *m, const struct test *t);
/* Adds the reason to `why`, empty for CAUGHT. Only judged verdicts come in
 * here: none is VERDICT_ERROR. */
enum outcome judge_mutant(const struct plan_mutant *m,
                          const struct texts *canary,
                          const struct verdicts *tests, struct buf *why);

/* Which tests a bad outcome, or a kill by any test, hangs on: they are run
 * again alone before it is believed. Borrowed names. */
void judge_disputed(const struct plan_mutant *m, const struct texts *canary,
                    const struct verdicts *tests, enum outcome o,
                    struct texts *ret);
/* Adds the disputed tests that said something else the second time, and
 * returns how many. */
int judge_differing(const struct plan_mutant *m, const struct texts *disputed,
                    const struct verdicts *first, const struct verdicts *again,
                    struct buf *why);
/* For `record`: what the tests say when nothing is declared yet. MISSED,
 * CAUGHT, or OVERKILL when the canary fell. */
enum outcome judge_observed(const struct plan_mutant *m,
                            const struct texts *canary,
                            const struct verdicts *tests, struct buf *why);

#endif
