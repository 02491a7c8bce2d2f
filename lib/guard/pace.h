/*
 * pace.h - may this try go out now? Throttle, quotas, the server's own word
 * and places joined into one decision before a try, and one report after it.
 *
 * Rule: refused less often by asking less often (third article: the throttle
 * sits in front of the sending). In this order:
 *
 *   1. throttle: of the last requests too few were accepted: refused here
 *   2. quotas:   the end of a slow-down, the own requests and tokens per
 *                minute, and those the server has told: wait
 *   3. places:   so many calls at the same time, the higher lane first: wait
 *
 * A call that waits for a quota holds no place, and one that waits for a
 * place has taken nothing out of a quota. Only "go" takes, all at once. A
 * wait that would overrun the deadline, or a slow-down above the cap, is
 * refused at once. The throttle is asked again after every wait, always with
 * the same random number, so that waiting does not add to its refusals. A try
 * it lets through is counted with its end, so that calls still out are not
 * taken for refused ones.
 *
 *   decision = guard_pace_ask(...)
 *   while it is GUARD_PACE_WAIT: sleep wait_ms, ask again
 *   on GUARD_PACE_GO: try, then guard_pace_report(...)
 *   guard_pace_leave() on every other way out, of a wait as well
 *
 * Slow-down (rate_headers.h): the wait it asks for holds for all sharers
 * until it is over, and after it calls keep that distance until the limit is
 * full again. No time told by a header is trusted further than
 * pacing.max_slow_ms.
 *
 * The struct holds plain numbers only, to be shared by processes; the caller
 * locks, and sleeps without the lock. The clock may step back: no slow-down
 * lasts longer than the longest from then.
 */
#ifndef GUARD_PACE_H
#define GUARD_PACE_H

#include "guard/error_class.h"
#include "guard/lanes.h"
#include "guard/throttle.h"

enum guard_unit { GUARD_UNIT_REQUESTS, GUARD_UNIT_TOKENS, GUARD_NUNITS };

/* A limit the server told: a bucket that is full at a known time. */
struct guard_quota {
  struct guard_bucket bucket; /* capacity 0: nothing told yet */
  int64_t full_ms;            /* 0: not known */
  int64_t taken;              /* units taken since it was told */
};

/* All zero is fresh. */
struct guard_pace {
  struct guard_throttle throttle;
  struct guard_lanes lanes;
  struct guard_bucket own[GUARD_NUNITS];
  struct guard_quota told[GUARD_NUNITS];
  int64_t not_before_ms;  /* no call before */
  int64_t spacing_ms;     /* from then on calls keep this distance */
  int64_t spacing_end_ms; /* until then */
};

/* What one call keeps. All zero: has not asked yet, or has reported. */
struct guard_pace_ticket {
  int64_t place;  /* of the lanes: a rank or a place */
  bool out;       /* "go" was said and not yet reported */
  int64_t tokens; /* what "go" took for it */
};

struct guard_pace_request {
  enum guard_lane lane;
  int64_t owner; /* of the place (lanes.h), 0: nobody can be asked */
  struct guard_rate_cost cost;
  int64_t deadline_left_ms;
  int64_t cap_ms; /* a longer slow-down is not waited for */
  double random;  /* in [0, 1), one for all asks of a try */
};

enum guard_pace_step {
  GUARD_PACE_GO,
  GUARD_PACE_WAIT,  /* sleep wait_ms, ask again with the same ticket */
  GUARD_PACE_REFUSE /* not now; the ticket is free */
};

enum guard_pace_cause {
  GUARD_PACE_FREE, /* of "go" */
  GUARD_PACE_THROTTLE,
  GUARD_PACE_SLOW,  /* the server's headers */
  GUARD_PACE_QUOTA, /* own requests or tokens per minute */
  GUARD_PACE_PLACES
};

struct guard_pace_decision {
  enum guard_pace_step step;
  enum guard_pace_cause cause;
  int64_t wait_ms; /* REFUSE: when it may be worth asking again, 0: not known */
  bool overrun;    /* REFUSE: the wait would pass the deadline */
  const char *why; /* a constant text, never NULL */
};

struct guard_pace_decision guard_pace_ask(struct guard_pace *s,
                                          const struct guard_pacing *p,
                                          const struct guard_pace_request *r,
                                          struct guard_pace_ticket *t,
                                          int64_t now_ms);

/* What an answer's head says about the limits: may be told as soon as it is
 * there. |cost| is what the next call will use up. The advice has the
 * slow-down in force by it: 0 when the policy wants none. */
struct guard_rate_advice guard_pace_learn(struct guard_pace *s,
                                          const struct guard_pacing *p,
                                          const struct guard_rates *rates,
                                          const struct guard_rate_cost *cost,
                                          int64_t now_ms);

/* The try ended as |cls|; |used_tokens| is 0 when that is not known. Gives
 * the place back. */
void guard_pace_report(struct guard_pace *s, const struct guard_pacing *p,
                       struct guard_pace_ticket *t, enum guard_class cls,
                       int64_t used_tokens, int64_t now_ms);

/* Gives rank or place back without an end to report: the wait was cut short,
 * the try could not be made. Right at any moment. */
void guard_pace_leave(struct guard_pace *s, struct guard_pace_ticket *t);

/* The end of the slow-down at |now_ms|; 0: none. */
int64_t guard_pace_slowed_until_ms(const struct guard_pace *s,
                                   const struct guard_pacing *p,
                                   int64_t now_ms);
/* Units left in a quota the server told, and its size, at |now_ms|; false:
 * nothing was told. */
bool guard_pace_level(const struct guard_pace *s, enum guard_unit unit,
                      int64_t now_ms, int64_t *ret_left, int64_t *ret_limit);

#endif
