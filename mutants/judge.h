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

#endif
