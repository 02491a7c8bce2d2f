/*
 * descend.h - the processes below a process, from /proc, and their end.
 *
 * A suite puts its clients into groups of their own, so ending one group is
 * not enough. Only processes below this one are ever touched.
 */
#ifndef MUTANTS_DESCEND_H
#define MUTANTS_DESCEND_H

#include <sys/types.h>

/* SIGKILL to everything below `root`, not to itself. Returns how many. */
int descend_kill(pid_t root);
/* Children that are there now are left alone by descend_end_all. */
void descend_spare_present(void);
/* Ends all that is below this process, and waits until none is left. */
void descend_end_all(void);

#endif
