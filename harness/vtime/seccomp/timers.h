/*
 * timers.h - timers of clients that are no waits: alarm and setitimer,
 * POSIX timers, timer descriptors. They end by a signal or by a descriptor
 * that gets readable.
 */
#ifndef VTIME_SECCOMP_TIMERS_H
#define VTIME_SECCOMP_TIMERS_H

#include "base/clock.h"

#include <stddef.h>
#include <time.h>

enum timer_kind { TIMER_INTERVAL, TIMER_POSIX, TIMER_FD };

struct vtimer {
  enum timer_kind kind;
  int tgid;
  int id;         /* of a POSIX timer; the descriptor in that process */
  int fd;         /* TIMER_FD: our copy, -1 else */
  clockid_t clk;  /* what absolute times are of */
  int signo, tid; /* signal 0: none; tid 0: to the process */
  uint64_t value; /* goes with the signal */
  bool sent;      /* its signal, since it was armed */
  int overrun;    /* periods since then in which that was still pending */
  int64_t deadline_ns, interval_ns, asked_ns; /* NO_DEADLINE: not armed */
};

struct timer_table {
  struct vtimer *timer;
  size_t n, cap;
  int next_id;
};

/* Ids we give begin here; the kernel's own are small. */
enum { TIMER_FIRST_ID = 1000000 };

void timer_table_release(struct timer_table *t);
struct vtimer *timer_add(struct timer_table *t, enum timer_kind kind, int tgid);
void timer_drop(struct timer_table *t, struct vtimer *timer);
struct vtimer *timer_find(const struct timer_table *t, enum timer_kind kind,
                          int tgid, int id);
/* The process has another program now: exec deletes POSIX timers
 * (timer_create(2)); the others stay. */
void timer_exec(struct timer_table *t, int tgid);
/* Arms it again or not at all. Pure but for the record. */
void timer_next(struct vtimer *timer, int64_t now_ns);
/* Sends its signal, unless the one before is still pending, or adds to what
 * its descriptor has to be read. */
void timer_fire(struct vtimer *timer);
/* Its owner is there, and no zombie. A descriptor is alive while any process
 * has it, by whatever number: a child, or one that it was passed to, becomes
 * the owner when the one before has closed it or ended. */
bool timer_is_alive(struct vtimer *timer);
/* The timer our descriptor `copy` is of, whoever owns it; NULL: none. */
struct vtimer *timer_of_file(const struct timer_table *t, int copy);
/* Time left, 1 ns at least while it is armed, else 0. */
int64_t timer_left(const struct vtimer *timer, int64_t now_ns);

#endif
