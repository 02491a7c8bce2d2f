/*
 * call.h - the only gate: one call from its first try to its end.
 *
 * Rule: there is one gate, in the lowest function; whoever calls an API or
 * starts a CLI passes it, whoever passed reports back, on every path (first
 * article, 4 and 5). The gate decides; sending and sleeping are the
 * program's:
 *
 *   order = guard_call_begin(...)
 *   while the order is GUARD_TRY:
 *     try within order.limits, then
 *     order = guard_call_result(...), or guard_call_abandon(...) and out
 *     if the order is GUARD_WAIT: sleep order.wait_ms, then
 *       order = guard_call_again(...)
 *   guard_call_close(...)
 *
 * Nothing is kept but the struct guard_call; breaker, budget and metrics may
 * be shared, the caller locks them around each function. The clock of
 * |now_ms| counts from 1970, for verdicts name the end of a limit in that.
 */
#ifndef GUARD_CALL_H
#define GUARD_CALL_H

#include "guard/breaker.h"
#include "guard/budget.h"
#include "guard/deadline.h"
#include "guard/error_class.h"
#include "guard/metrics.h"

/* What all calls of one client share. */
struct guard_gate {
  const struct guard_policy *policy;
  struct guard_breaker *breaker;
  struct guard_budget *budget;
  struct guard_metrics *metrics;
};

/* The time-outs of one try, in milliseconds; 0: none. */
struct guard_limits {
  int64_t total_ms; /* never 0: the deadline is a limit too */
  int64_t connect_ms;
  int64_t first_byte_ms;
  int64_t idle_ms;
};

enum guard_step {
  GUARD_TRY,     /* send now, within `limits` */
  GUARD_WAIT,    /* sleep `wait_ms`, then guard_call_again() */
  GUARD_DONE,    /* ended well */
  GUARD_GIVE_UP, /* ended badly; the answer or the attempts say so */
  GUARD_DEGRADE  /* out at once: waiting here would harm; the caller should
                    do without this answer now */
};

struct guard_order {
  enum guard_step step;
  int64_t wait_ms; /* GUARD_WAIT; GUARD_DEGRADE: until the breaker lets
                      the next call out, 0 when that is not known */
  struct guard_limits limits; /* GUARD_TRY */
  bool overrun;    /* the deadline is over, or a wait would pass it */
  const char *why; /* a constant text, never NULL */
};

struct guard_call {
  struct guard_deadline deadline;
  struct guard_permit permit;
  int tries;         /* tries begun */
  int retries;       /* retries ordered */
  int timeouts;      /* tries that ran into a time-out */
  int64_t waited_ms; /* the wait before, for decorrelated jitter */
};

/* How one try ended. */
struct guard_outcome {
  struct guard_verdict verdict;
  int64_t tokens; /* used by it, 0: not known */
  bool delivered; /* output already left the program: doing it again would
                     show it twice */
};

/* Starts the call's deadline and asks for the first try: GUARD_TRY, or
 * GUARD_DEGRADE when the breaker refuses. */
struct guard_order guard_call_begin(struct guard_call *c,
                                    const struct guard_gate *g, int64_t now_ms);
/* begin() in two parts, for a caller that waits before its first try: starts
 * the deadline, asks for nothing; guard_call_again() follows. */
void guard_call_open(struct guard_call *c, const struct guard_gate *g,
                     int64_t now_ms);
/* Whether guard_call_again() would now order a try. Takes no permit and
 * counts nothing. */
bool guard_call_would_go(const struct guard_call *c, const struct guard_gate *g,
                         int64_t now_ms);
/* Ends a call that holds no permit: something before the breaker refused it,
 * |overrun| because of the deadline. |wait_ms| as in GUARD_DEGRADE. */
struct guard_order guard_call_refuse(const struct guard_gate *g,
                                     int64_t wait_ms, bool overrun,
                                     const char *why);
/* Asks for the next try after a GUARD_WAIT was slept; as above, and
 * GUARD_DEGRADE when the deadline is over. */
struct guard_order guard_call_again(struct guard_call *c,
                                    const struct guard_gate *g, int64_t now_ms);
/* Reports the try's end. |random| is in [0, 1). */
struct guard_order guard_call_result(struct guard_call *c,
                                     const struct guard_gate *g,
                                     const struct guard_outcome *o,
                                     int64_t now_ms, double random);
/* The call ends without a result: could not be started, interrupted, wait
 * cut short. Right at any moment after begin; counts as failed. */
void guard_call_abandon(struct guard_call *c, const struct guard_gate *g,
                        int64_t now_ms);
/* The caller has no more use for the call, however it ended; to be called at
 * the end of every call. Nothing after a report; without one the permit was
 * dropped (breaker.h). */
void guard_call_close(struct guard_call *c, const struct guard_gate *g,
                      int64_t now_ms);

/* True for the classes that count as a hit of a limit. */
bool guard_class_is_limit(enum guard_class cls);

#endif
