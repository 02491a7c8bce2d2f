/*
 * find_time.h - which clock a run can have on this machine, found out by
 * trying once, before many scenarios would all say the same.
 */
#ifndef HARNESS_FIND_TIME_H
#define HARNESS_FIND_TIME_H

#include "harness/timing.h"

/*
 * Sets `possible`, `way` and `why` of `t`; `why` points to `room`, which has
 * to live as long. stderr says what is not the first choice. 0, or -1 with
 * `diag` when the run insists on virtual time and cannot have it. The process
 * may have no other children (vtime/check.h).
 */
int find_time(struct timing *t, char *room, size_t size, struct diag *diag);

#endif
