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
  char why[128];    /* how it died */
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
  void *arg;
};

/* Runs all; `results` has room for n and every entry is set. Returns the
 * signal that interrupted it, or 0, or -1 with `diag` set. */
int jobs_run(const struct jobs *j, struct job_result *results,
             struct diag *diag);

#endif
