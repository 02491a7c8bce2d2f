/*
 * lateness.h - how late this machine has been lately, for lines that are
 * judged in real time.
 *
 * The rule: a thread of its own wakes up again and again and sees how late it
 * is; to that comes how long the threads that a line is about have waited for
 * a CPU (the second number of schedstat, proc(5)). A wait cannot have taken
 * longer than it should by more than both together.
 */
#ifndef TESTS_VTIME_LATENESS_H
#define TESTS_VTIME_LATENESS_H

#include <stdint.h>

/* Begins to watch, every `every_ns`. */
void lateness_watch(int64_t every_ns);
/* From here on, for the calling thread. */
void lateness_begin(void);
/* A thread or a forked child that has done its part of the line: what it has
 * waited since it last said so. */
void lateness_add_thread(void);
/* Since lateness_begin(); the watch may be late just now. */
int64_t lateness_ns(void);

#endif
