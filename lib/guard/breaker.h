/*
 * breaker.h - stops calling when the server keeps saying no.
 *
 * Rule (first article): 3 limit answers within 120 s open it; 60 s later one
 * single call goes out as a probe (half-open); its success closes, its
 * failure opens again with twice the cooling, at most 600 s.
 *
 * Who passed must report. before_call() gives a permit; exactly one on_...()
 * takes it back, on every path. A path that forgot kept the half-open place
 * for ever in the first article's system. Here reporting twice is a broken
 * invariant, a path that forgot is one too and its place is free again
 * (guard_breaker_dropped), and a permit that never comes back (its process
 * died) is replaced once its lease is over.
 *
 * Only the classes of policy.breaker_counts count, by default the limits. A
 * 400 or a 500 never opens a closed breaker. A probe that ends in a 500 opens
 * it again for the next cooling; one that ends in a 400 leaves its place to
 * the next call.
 *
 * An end that the server names keeps it open until then, at most
 * policy.max_hold_ms: after that one probe asks again, so that a reset time
 * that was read wrongly, or a quota that was topped up, costs hours and not
 * days.
 *
 * The struct holds plain numbers only, to be shared by processes; the caller
 * locks. Times are milliseconds of one clock that all sharers have in common.
 * It may step back: no opening ever lasts longer than its own length from
 * then.
 */
#ifndef GUARD_BREAKER_H
#define GUARD_BREAKER_H

#include "guard/policy.h"

#include <stdbool.h>

enum guard_breaker_state {
  GUARD_BREAKER_CLOSED,
  GUARD_BREAKER_OPEN,
  GUARD_BREAKER_HALF_OPEN
};
/* "closed", "open", "half-open" */
const char *guard_breaker_state_name(enum guard_breaker_state s);

/* All zero is a fresh, closed breaker. */
struct guard_breaker {
  int64_t state;        /* enum guard_breaker_state */
  int64_t until_ms;     /* open: its end */
  int64_t hold_ms;      /* open: its length */
  int64_t cooldown_ms;  /* the last cooling without known end, 0: none yet */
  int64_t probe;        /* half-open: permit in the one place, 0: free */
  int64_t probe_end_ms; /* half-open: when that permit's lease is over */
  int64_t last_permit;  /* number of the last probe permit */
  int64_t nhits;        /* times in hits_ms, oldest first */
  int64_t hits_ms[GUARD_MAX_HITS];
};

struct guard_permit {
  bool held;     /* given and not yet taken back */
  int64_t probe; /* number of the probe permit, 0: not a probe */
};

/* The limit's end is not known. */
#define GUARD_UNKNOWN_MS INT64_C(-1)

/*
 * May a call go out? True: |ret| is the permit, good for |lease_ms| if it is
 * a probe. False: |ret_retry_in_ms| says when it is worth asking again.
 */
bool guard_breaker_before_call(struct guard_breaker *b,
                               const struct guard_policy *p, int64_t now_ms,
                               int64_t lease_ms, struct guard_permit *ret,
                               int64_t *ret_retry_in_ms);

/* The call ended well. */
void guard_breaker_on_success(struct guard_breaker *b,
                              struct guard_permit *permit);
/* The answer was of a class that counts; the limit ends in |ends_in_ms| (or
 * GUARD_UNKNOWN_MS). True when this report opened the breaker. */
bool guard_breaker_on_limit(struct guard_breaker *b,
                            const struct guard_policy *p,
                            struct guard_permit *permit, int64_t now_ms,
                            int64_t ends_in_ms);
/* The same for a limit nobody should wait for (usage limit, quota, a wait
 * above the cap): opens at once, for the longest cooling when the end is not
 * known. */
bool guard_breaker_on_exhausted(struct guard_breaker *b,
                                const struct guard_policy *p,
                                struct guard_permit *permit, int64_t now_ms,
                                int64_t ends_in_ms);
/* The server is there and says no to this one call (400, 401, 404): nothing
 * is learnt about the limit, and nothing speaks against asking. A probe's
 * place is free again for the next call, without a cooling. */
void guard_breaker_on_client_error(struct guard_breaker *b,
                                   struct guard_permit *permit);
/* Any other bad end: a class that does not count. True when it opened. */
bool guard_breaker_on_failure(struct guard_breaker *b,
                              const struct guard_policy *p,
                              struct guard_permit *permit, int64_t now_ms);
/* The call never came to an answer for a reason of our own: could not be
 * started, was interrupted. A probe opens again for the same cooling, for
 * nothing was learnt. True when it opened. */
bool guard_breaker_on_abandoned(struct guard_breaker *b,
                                const struct guard_policy *p,
                                struct guard_permit *permit, int64_t now_ms);

/* Whoever held the permit is done with it. When nobody has taken it back, a
 * path forgot to report: that ends a debug build (GUARD_DEBUG), and is the
 * same as abandoned in others. True when it opened. */
bool guard_breaker_dropped(struct guard_breaker *b,
                           const struct guard_policy *p,
                           struct guard_permit *permit, int64_t now_ms);

/* The state at |now_ms|: an open one whose time is over is half-open; the one
 * that the policy forces. */
enum guard_breaker_state guard_breaker_state(const struct guard_breaker *b,
                                             const struct guard_policy *p,
                                             int64_t now_ms);
/* For tests, of a caller's paths: a breaker in |state|, open until
 * |until_ms|. */
void guard_breaker_set(struct guard_breaker *b, enum guard_breaker_state state,
                       int64_t now_ms, int64_t until_ms);

#endif
