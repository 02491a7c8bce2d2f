/*
 * pacing.h - every number of the modules that slow a client down before it
 * is refused: throttle, bucket, lanes, start stagger.
 *
 * Rule: as policy.h has it, nothing waits or counts by a number that is not
 * here; each has its default and where it comes from. "First article" and
 * the others: docs/guard.md, "Sources".
 */
#ifndef GUARD_PACING_H
#define GUARD_PACING_H

#include <stdbool.h>
#include <stdint.h>

/* Most places and waiters that lanes.h keeps. */
enum { GUARD_MAX_PLACES = 64, GUARD_MAX_WAITERS = 64 };

struct guard_pacing {
  /* Throttle. */
  double throttle_k;          /* 2, SRE book: accepts count that often; 0: no
                                 throttle */
  int64_t throttle_window_ms; /* 120 s, SRE book */
  int64_t throttle_min;       /* 20 requests in the window, own choice: with
                                 fewer nothing is refused, for the formula
                                 refuses every second call after one bad
                                 answer. Three calls at once with six tries
                                 each are 18 */

  /* Own quotas, per minute; 0: none. */
  int64_t requests_per_minute;
  int64_t tokens_per_minute;

  /* What the server says about its limits. */
  bool slow_down;      /* on, third article: the throttle sits in front of the
                          sending */
  int64_t max_slow_ms; /* 600 s, the longest cooling of the first article: a
                          reset time that was read wrongly costs no more */

  /* Places for calls at the same time. */
  int places;         /* 3, first article; at most GUARD_MAX_PLACES; 0: any
                         number of calls */
  int64_t lease_ms;   /* 630 s: the longest call (600 s, second article) and
                         30 s of grace, own choice: a place whose holder has
                         not left by then belonged to a dead process */
  int64_t wait_ms;    /* 5 s, own choice: a waiter that has not asked again by
                         then is dead */
  int64_t ask_ms;     /* 250 ms, own choice: how often a waiter asks */
  int most_overtakes; /* 8, own choice: so many later comers of a higher
                         lane may go first, then it is the waiter's turn */

  /* Start stagger. */
  int64_t step_ms;        /* 60 s: starts are minutes apart, second article */
  int64_t max_stagger_ms; /* 600 s, own choice: ten jobs, then they share the
                             last step */
};

void guard_pacing_default(struct guard_pacing *ret);

/* NULL when the numbers fit together, else a sentence that says which do
 * not; a constant text. */
const char *guard_pacing_fault(const struct guard_pacing *p);

#endif
