/*
 * owner.h - which process holds a place, and whether it still lives.
 *
 * Rule: a killed process reports to nobody; its place must not stay taken
 * until the end of a lease that is longer than the longest call. Process
 * numbers mean something within one PID namespace only, so that of another
 * one is never taken for dead.
 */
#ifndef GUARD_COMMAND_OWNER_H
#define GUARD_COMMAND_OWNER_H

#include <stdbool.h>
#include <stdint.h>

/* This process; 0 when its namespace is not known. */
int64_t owner_self(void);
/* Surely ended. A zombie, or a process that got the number since, counts as
 * living. */
bool owner_is_dead(int64_t owner);

#endif
