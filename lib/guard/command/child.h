/*
 * child.h - starts a command, catches both of its outputs, ends it in time.
 *
 * Rule: the child leads a process group of its own, and at a time-out or a
 * signal the whole group goes (gemini-cli forks another process; killing
 * only the first leaves the work running). Standard input is empty.
 */
#ifndef GUARD_COMMAND_CHILD_H
#define GUARD_COMMAND_CHILD_H

#include "base/buf.h"
#include "base/clock.h"
#include "base/diag.h"
#include "guard/call.h"

enum child_end {
  CHILD_EXITED,  /* exit_code */
  CHILD_KILLED,  /* by a signal not of ours: exit_code is 128 + number */
  CHILD_TIMEOUT, /* ended by us; `why` says which time-out */
  CHILD_TOO_BIG, /* ended by us: an output went over its ceiling */
  CHILD_STOPPED  /* ended by us: the program was told to end */
};

struct child_result {
  enum child_end end;
  int exit_code;
  const char *why; /* CHILD_TIMEOUT: a constant text */
  struct buf out, err;
};

/* Runs |argv| within |limits|. 0 with |ret| filled, which the caller
 * releases with child_result_release(); -1: it could not be started. */
int child_run(char *const *argv, const struct guard_limits *limits,
              struct clock *clock, struct child_result *ret, struct diag *diag);
void child_result_release(struct child_result *r);

#endif
