/*
 * lanes.h - how many calls run at the same time, and who goes first.
 *
 * Rules: three calls at the same time (first article); important work before
 * the rest (third article), but nobody waits for ever: after a number of
 * overtakes it is a waiter's turn, whatever comes. Starts are spread, the
 * n-th waits n steps (second and fourth article).
 *
 * Whoever got a place must leave it, on every path. A holder that died is
 * released when its lease is over, or as soon as somebody finds its owner
 * dead; a waiter that died, when it has not asked
 * for a while. A lease must be longer than the longest call: a holder that
 * is only slow then shares its place with another, and learns so from
 * guard_lanes_leave().
 *
 * The struct holds plain numbers only, to be shared by processes; the caller
 * locks. Times are milliseconds of one clock that all sharers have in common;
 * if it steps back, no lease lasts longer than a whole one from now.
 */
#ifndef GUARD_LANES_H
#define GUARD_LANES_H

#include "guard/pacing.h"

#include <stdbool.h>

enum guard_lane {
  GUARD_LANE_HIGH, /* somebody waits for it */
  GUARD_LANE_NORMAL,
  GUARD_LANE_LOW, /* can be done at any time */
  GUARD_NLANES
};

struct guard_place {
  int64_t ticket; /* who holds it, 0: free */
  int64_t end_ms; /* when its lease is over */
  int64_t owner;  /* who can be asked whether it lives, 0: nobody */
};

struct guard_waiter {
  int64_t ticket; /* 0: no waiter here */
  int64_t lane;
  int64_t overtaken; /* later comers that went first */
  int64_t end_ms;    /* until then it must ask again */
};

/* All zero is a fresh set. */
struct guard_lanes {
  int64_t last_ticket;
  struct guard_place place[GUARD_MAX_PLACES];
  struct guard_waiter waiter[GUARD_MAX_WAITERS];
};

/*
 * Asks for a place. |ticket| is 0 the first time and belongs to the lanes
 * from then on: the waiter keeps its rank by asking with it again. True: the
 * ticket holds a place until guard_lanes_leave(). False: ask again after
 * |ret_ask_in_ms|; a ticket still 0 says that the queue is full. Lane is an
 * enum guard_lane.
 */
bool guard_lanes_ask(struct guard_lanes *l, const struct guard_pacing *p,
                     enum guard_lane lane, int64_t now_ms, int64_t *ticket,
                     int64_t *ret_ask_in_ms);
/* Gives the place or the rank back; right for a waiter and a holder. False
 * when there was none any more: the lease was over. Sets the ticket to 0. */
bool guard_lanes_leave(struct guard_lanes *l, int64_t *ticket);
/* A holder that is still alive takes a new lease; false when the old one was
 * over and the place is somebody else's. */
bool guard_lanes_renew(struct guard_lanes *l, const struct guard_pacing *p,
                       int64_t now_ms, int64_t ticket);
/* Notes whose place it is: a number of the caller, not 0. */
void guard_lanes_own(struct guard_lanes *l, int64_t ticket, int64_t owner);
/* Frees the places whose owner is dead, before their lease is over. */
void guard_lanes_free_dead(struct guard_lanes *l,
                           bool (*is_dead)(int64_t owner));
/* Places held at |now_ms|. */
int guard_lanes_held(const struct guard_lanes *l, int64_t now_ms);

/*
 * The wait before the n-th start (from 0): n steps and a part of one step by
 * |random| in [0, 1), together at most the longest stagger; those beyond it
 * are spread over its last step.
 */
int64_t guard_stagger_ms(const struct guard_pacing *p, int64_t n,
                         double random);

#endif
