/*
 * rails.h - what the parts of vtime_rails share: a clock, and the line that
 * says whether time was right.
 */
#ifndef TESTS_VTIME_RAILS_H
#define TESTS_VTIME_RAILS_H

#include "base/clock.h"

#include <stdio.h>

extern int64_t begin_ns; /* when the rail began */

int64_t now(void);
void nap(int64_t ns);
/* The rail's exit code: so long it took, and no longer than `slack_s` more. */
int near(double want_s, double slack_s);

/* rails_limits.c */
int last_of_many(void);
int negatives(void);
int not_looked_into(void);
int lost_after_many(void);
int zombie_timer(void);
int inner_thread(void);
int woken_for_nothing(void);
int first_thread_gone(void);
int one_unreachable(void);

/* rails_tree.c */
int alarmed(void);
int timer_descriptor(void);
int timer_passed_on(void);
int receive(void);
int many(void);
int stopped(void);
int stopped_shortly(void);
int new_process(void);
int new_thread(void);
int orphan(void);
int computing_alone(void);

#endif
