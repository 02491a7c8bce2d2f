/*
 * budget.h - how many retries all calls of one client may make together.
 *
 * Rule: at most a tenth of the requests may be retries, so that a failing
 * server sees about 1.1 times the load and not three times (Google SRE book,
 * "Handling Overload"; third article). A small number per window is always
 * allowed. The limit per request is the caller's to count (call.h).
 *
 * The counts live in slots of a sixth of the window each: old ones fall out
 * by themselves, and the struct is small and of fixed size, to be shared.
 */
#ifndef GUARD_BUDGET_H
#define GUARD_BUDGET_H

#include "guard/policy.h"

#include <stdbool.h>

enum { GUARD_BUDGET_SLOTS = 6 };

/* All zero is a fresh budget. */
struct guard_budget {
  int64_t slot; /* number of the newest slot since the epoch of the clock */
  int64_t requests[GUARD_BUDGET_SLOTS]; /* slot n is at n modulo the number */
  int64_t retries[GUARD_BUDGET_SLOTS];
};

/* A new request begins; a retry is no new request. */
void guard_budget_request(struct guard_budget *b, const struct guard_policy *p,
                          int64_t now_ms);
/* Takes one retry out of the budget; false when none is left. */
bool guard_budget_retry(struct guard_budget *b, const struct guard_policy *p,
                        int64_t now_ms);

#endif
