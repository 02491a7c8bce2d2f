/*
 * call_pace.h - the one question before every try: breaker and pacing
 * together (call.h, pace.h).
 *
 * Rule, in this order and under one lock of the caller:
 *
 *   1. Would the breaker let it out? It is only looked at: no permit is
 *      taken. Refused: the call ends and takes no place; a rank it had in
 *      the queue is given back.
 *   2. May it go by throttle, quotas and places? A wait is slept without
 *      lock, permit and place, then all is asked again from 1.: a breaker
 *      that opened meanwhile ends the wait, and a half-open one gives its
 *      probe to whoever goes first, not to whoever waits.
 *   3. Only when it may go at this moment are the place and the permit
 *      taken, both or neither.
 */
#ifndef GUARD_CALL_PACE_H
#define GUARD_CALL_PACE_H

#include "guard/call.h"
#include "guard/pace.h"

/* One call and what it holds. */
struct guard_paced_call {
  struct guard_call call;
  struct guard_pace_ticket ticket;
  bool waits; /* it was told to wait for this try */
};

/* What all calls share besides the struct guard_gate. */
struct guard_paced_gate {
  struct guard_gate gate;
  const struct guard_pacing *pacing;
  struct guard_pace *pace;
};

/*
 * May the next try go out? After guard_call_open(), after the sleep of a
 * retry, and after the sleep this ordered: GUARD_TRY, GUARD_WAIT or
 * GUARD_DEGRADE. Deadline and cap of |r| are filled in here.
 */
struct guard_order guard_paced_enter(struct guard_paced_call *c,
                                     const struct guard_paced_gate *g,
                                     struct guard_pace_request r,
                                     int64_t now_ms);
/* guard_call_result(), and the place is given back. */
struct guard_order guard_paced_result(struct guard_paced_call *c,
                                      const struct guard_paced_gate *g,
                                      const struct guard_outcome *o,
                                      int64_t now_ms, double random);
/* guard_call_abandon(), and the place or rank is given back. */
void guard_paced_abandon(struct guard_paced_call *c,
                         const struct guard_paced_gate *g, int64_t now_ms);

#endif
