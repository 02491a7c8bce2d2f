/*
 * jobs.h - one process per piece of work, so many at a time.
 *
 * Each job runs in a fork of its own and hands back bytes through a pipe. A
 * job that dies, or takes longer than it may, is known by that. When the
 * caller is interrupted every job is told (SIGTERM) and waited for; nothing
 * a job has started outlives this module, since the caller is made a
 * subreaper and ends what is left.
 */
#ifndef HARNESS_JOBS_H
#define HARNESS_JOBS_H

#include "base/buf.h"
#include "base/clock.h"
#include "base/diag.h"

/* What came of a job. */
struct job_result {
  struct buf bytes; /* what it handed back */
  bool done;        /* it ended well; false: it died or ran out of time */
  bool stopped;     /* an interruption ended it, or it never began */
  char why[128];    /* how it died */
};

/* Who looks on; all in the caller, all may be NULL. */
struct jobs_watch {
  void (*started)(void *arg, size_t i);
  /* `r` is its result, with bytes that may be taken. Not called for jobs that
   * an interruption ended. */
  void (*ended)(void *arg, size_t i, struct job_result *r);
  void (*tick)(void *arg); /* every `tick_ns` or so */
  int64_t tick_ns;         /* 0: never */
  void *arg;
};

struct jobs {
  size_t n;
  int at_once;
  struct clock *clock;
  /* In the child: the work. Writes its result to `fd`; SIGTERM is blocked
   * there and `stop_fd` becomes readable instead. Returns an exit code. */
  int (*work)(void *arg, size_t i, int fd, int stop_fd);
  /* How long job i may take, in nanoseconds. */
  int64_t (*limit_ns)(void *arg, size_t i);
  /* In the caller, after each job, in the order they end; may be NULL. */
  void (*ended)(void *arg, size_t i, size_t ndone);
  void *arg; /* of the three above */
  struct jobs_watch watch;
};

/* Runs all; `results` has room for n and every entry is set. Returns the
 * signal that interrupted it, or 0, or -1 with `diag` set. A second signal
 * gives the jobs no more time. After an interruption SIGINT, SIGTERM and
 * SIGHUP stay blocked, so that what is known so far can be written. */
int jobs_run(const struct jobs *j, struct job_result *results,
             struct diag *diag);

#endif
