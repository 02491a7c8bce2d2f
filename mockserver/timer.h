/*
 * timer.h - what is due when: a heap of timers.
 *
 * Ordered by (due time, order of setting), so that two timers due at the
 * same moment always fire in the order in which they were set: a run with a
 * clock moved by hand is the same every time. A timer knows its own place in
 * the heap, so taking it out costs O(log n). Nothing here reads a clock.
 */
#ifndef MOCKSERVER_TIMER_H
#define MOCKSERVER_TIMER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct timer {
  int64_t due_ns;
  uint64_t seq;
  size_t place; /* in the heap, from 1; 0: not set */
  void (*fire)(void *owner, struct timer *t);
};

struct timers {
  struct timer **heap;
  size_t n, cap;
  uint64_t next_seq;
};

void timers_init(struct timers *h);
/* The timers themselves belong to their owners. */
void timers_release(struct timers *h);
/* Sets or moves a timer. */
void timers_set(struct timers *h, struct timer *t, int64_t due_ns);
/* Fine for a timer that is not set. */
void timers_drop(struct timers *h, struct timer *t);
/* When the first one is due; INT64_MAX when none is set. */
int64_t timers_first_due_ns(const struct timers *h);
/* Takes out and returns the first timer if it is due at `now_ns` or before
 * and was set before the sequence number stood at `below_seq`; else NULL. A
 * loop that gives next_seq of its start ends even if firing sets timers. */
struct timer *timers_take_due(struct timers *h, int64_t now_ns,
                              uint64_t below_seq);

#endif
