/*
 * seat.h - a thread of our own program in virtual time: a struct clock over
 * the page for the server, the harness and small tools.
 *
 * The rule: a seat says when its thread may be taken for asleep. block_ns()
 * and wait_until() write down the deadline and take the seat to SEAT_WAITS;
 * the next now_ns() of the thread takes it back to SEAT_RUNS. What runs, or
 * was woken and has not yet run, forbids every jump. /proc is asked as well:
 * a seat alone proves nothing.
 *
 * Whoever blocks in the kernel by block_ns() also watches wake_fd, and calls
 * seat_woken() when it is readable.
 */
#ifndef VTIME_SEAT_H
#define VTIME_SEAT_H

#include "harness/vtime/page.h"

enum seat_state { SEAT_RUNS, SEAT_WAITS, SEAT_WOKEN };

struct seat {
  struct clock clock; /* first: a struct clock * is a struct seat * */
  struct vtime_page *page;
  int tid, wake_fd;
  _Atomic int state;
  _Atomic int64_t deadline_ns; /* valid while it waits */
  _Atomic uint64_t waits;      /* entered so far: the epoch of the rule */
};

/* For the calling thread. */
int seat_init(struct seat *s, struct vtime_page *page, struct diag *diag);
void seat_release(struct seat *s);
/* Takes the wake-up out of wake_fd. */
void seat_woken(struct seat *s);
/* By the coordinator: its deadline has come. */
void seat_wake(struct seat *s);

#endif
