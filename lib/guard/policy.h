/*
 * policy.h - every number of the client's behaviour, in one struct.
 *
 * Rule: nothing in lib/guard waits, counts or gives up by a number that is
 * not here. Each has its unit in the name, its default and where the default
 * comes from. "First article": the trading job that stopped by morning;
 * "second": backoff that does not choke itself; "third": limits, retries and
 * streams in production (docs/guard.md, "Sources").
 */
#ifndef GUARD_POLICY_H
#define GUARD_POLICY_H

#include <stdbool.h>
#include <stdint.h>

enum guard_backoff {
  GUARD_BACKOFF_FIXED,       /* base, always: for comparison only */
  GUARD_BACKOFF_EXPONENTIAL, /* base x 2^n, no randomness */
  GUARD_BACKOFF_FULL,        /* uniform in 0..base x 2^n */
  GUARD_BACKOFF_EQUAL,       /* half of it fixed, half random */
  GUARD_BACKOFF_DECORRELATED /* uniform in base..3 x the wait before */
};

/* The breaker of a test: every path of the caller can be walked without a
 * server that says no. */
enum guard_force {
  GUARD_FORCE_NONE,
  GUARD_FORCE_OPEN,  /* refuses every call, whatever its state */
  GUARD_FORCE_CLOSED /* lets every call out, learns nothing */
};

/* Most hits a breaker can be told to count: it keeps a time for each. */
enum { GUARD_MAX_HITS = 16 };

/* 100 years: no time in a policy may be longer, so that sums cannot
 * overflow. */
#define GUARD_MAX_MS (INT64_C(100) * 366 * 24 * 3600 * 1000)

struct guard_policy {
  /* Waits. */
  int64_t cap_ms;         /* 300 s, first article: a longer wait is not slept */
  int64_t base_ms;        /* 5 s, first article */
  int64_t max_backoff_ms; /* 120 s, first article */
  enum guard_backoff backoff;    /* equal, first article */
  int64_t retry_after_jitter_ms; /* 1 s, second article: on top, never below */
  int64_t
      short_wait_ms; /* 1 s, own choice: a shorter wait asked for is not
                        gone below own backoff; most such come from a reset
                        in whole seconds that is as good as over, and "at
                        once" told to all workers brings them back in step */

  /* Breaker. */
  int breaker_hits;          /* 3, first article; 0: no breaker */
  int64_t breaker_window_ms; /* 120 s, first article */
  int64_t cooldown_ms;       /* 60 s, first article */
  int64_t max_cooldown_ms;   /* 600 s, first article */
  int64_t max_hold_ms;       /* 6 h, own choice: how far an end named by the
                                server is trusted. The longest window in the
                                field that a night meets is five hours */
  uint32_t breaker_counts;   /* bit n: enum guard_class n counts as a hit. The
                                four limits; a server error is no reason to
                                stop asking (first article) */
  enum guard_force breaker_force; /* none */
  /* 30 s, own choice: a probe that has not reported that long after its
   * time-out belongs to a dead process; its place is free again. */
  int64_t probe_grace_ms;

  /* How much one call may try. */
  int attempts;        /* 6, second article; the first try counts */
  int64_t deadline_ms; /* 600 s, second article */
  bool repeat_output;  /* false, third article: once output has left the
                          program, doing it again would show it twice */

  /* Retry budget. */
  int retries_per_request;  /* 3, third article */
  double retry_ratio;       /* 0.1 of the requests in the window, third */
  int min_retries;          /* 10 in a window are always allowed, else a client
                               with few calls could never retry; Finagle's
                               RetryBudget keeps 10 in reserve too */
  int64_t budget_window_ms; /* 120 s: the window of adaptive throttling in the
                               SRE book */

  /* Time-outs of one try; 0: none. */
  int64_t timeout_ms;         /* 300 s, whole try, first article */
  int64_t connect_timeout_ms; /* 10 s, own choice; SDKs use 5 s */
  int64_t first_byte_ms;      /* 120 s to the first content, own choice */
  int64_t idle_ms;            /* 60 s between two contents, own choice */
  int timeout_retries;        /* 1, first article */
  double timeout_stretch;     /* 1.5, first article */
};

void guard_policy_default(struct guard_policy *ret);

/* NULL when the numbers fit together, else a sentence that says which do
 * not; a constant text. */
const char *guard_policy_fault(const struct guard_policy *p);

#endif
