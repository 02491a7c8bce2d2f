/*
 * find_time.h - which clock a run can have on this machine, found out by
 * trying once, before many scenarios would all say the same.
 */
#ifndef HARNESS_FIND_TIME_H
#define HARNESS_FIND_TIME_H

#include "harness/run_limits.h"
#include "harness/timing.h"
#include "harness/vtime/vtime.h"

/*
 * Sets `possible`, `way` and `why` of `t`; `why` points to `room`, which has
 * to live as long. stderr says what is not the first choice, and `instead`
 * (NULL: nothing) where it is real time. 0, or -1 with `diag` when the run
 * insists on virtual time and cannot have it. The process may have no other
 * children (vtime/check.h).
 */
int find_time(struct timing *t, const char *instead, char *room, size_t size,
              struct diag *diag);

/* The clock of a run in virtual time, in a process of its own; SIGUSR1 makes
 * it say why it stands. `wall_ns` and `housekeeping` are those of vtime.h, no
 * limit is 0. The caller frees it; NULL with `diag` set. */
struct vtime *open_time(const struct timing *t, int64_t wall_ns,
                        const struct run_limits *limits,
                        const char *const *housekeeping, struct diag *diag);

#endif
