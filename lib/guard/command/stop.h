/*
 * stop.h - being told to end: SIGINT, SIGTERM, SIGHUP.
 *
 * Rule: a signal only sets a mark and makes a descriptor readable; everything
 * that waits also waits for it, gives its permit back, and the metrics line
 * is still printed. A second signal ends the program at once.
 */
#ifndef GUARD_COMMAND_STOP_H
#define GUARD_COMMAND_STOP_H

#include "base/clock.h"
#include "base/diag.h"

int stop_install(struct diag *diag);
/* Readable for ever once a signal came. */
int stop_fd(void);
/* The signal that came, or 0. */
int stop_signal(void);
/* Sleeps; true when a signal came before or meanwhile. */
bool stop_sleep_ms(struct clock *clock, int64_t ms);
/* Ends the program by the signal that came; returns when none did. */
void stop_end(void);

#endif
