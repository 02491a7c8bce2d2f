/*
 * backoff.h - how long to wait when the server did not say.
 *
 * Rule: the five formulas of the AWS Architecture blog's simulator
 * (aws-arch-backoff-simulator): expo(n) = min(max, base x 2^n), full
 * U(0, expo), equal expo/2 + U(0, expo/2), decorrelated
 * min(max, U(base, 3 x previous)). Without randomness clients that were
 * refused together come back together, so `fixed` and `exponential` are here
 * for comparison.
 */
#ifndef GUARD_BACKOFF_H
#define GUARD_BACKOFF_H

#include "guard/policy.h"

/*
 * The wait in milliseconds before retry number |retry| (0 is the first).
 * |previous_ms| is what was waited before the retry before it (0: nothing
 * yet); only the decorrelated form reads it. |random| is in [0, 1).
 */
int64_t guard_backoff_ms(const struct guard_policy *p, int retry,
                         int64_t previous_ms, double random);

#endif
