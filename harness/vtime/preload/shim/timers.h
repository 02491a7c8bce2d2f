/*
 * timers.h - the timers of this process on the board. Whoever has taken one
 * to TIMER_BUSY may write it.
 */
#ifndef VTIME_PRELOAD_TIMERS_H
#define VTIME_PRELOAD_TIMERS_H

#include "harness/vtime/preload/shim/shim.h"

/* NULL: there is none, or no room for one (then the process is given up). */
struct board_timer *timer_find(int kind, int id);
struct board_timer *timer_make(int kind, int id);
void timer_free(struct board_timer *t);
bool timer_is_own(const struct board_timer *t, int kind, int pid);
/* The time and the interval left before. */
struct timer_left {
  int64_t ns, interval_ns; /* 0: not armed */
};
struct timer_left timer_get(struct board_timer *t);
/* `deadline_ns` SHIM_EVER: off. */
void timer_arm(struct board_timer *t, int64_t deadline_ns, int64_t interval_ns);
/* The deadline of a new value; 0 means off. */
int64_t timer_deadline(clockid_t id, bool absolute, const struct timespec *t);

/* A thread at each end: 0, or an errno. _end() before timer_free(). */
int timer_thread_begin(struct board_timer *t, const struct sigevent *e);
void timer_thread_end(const struct board_timer *t);

#endif
