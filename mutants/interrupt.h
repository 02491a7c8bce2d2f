/*
 * interrupt.h - what happens on SIGINT, SIGTERM and SIGHUP: every process
 * below this one ends, the copies are removed, and the program ends with
 * 130.
 *
 * A thread of its own waits for the signals, so nothing runs in a signal
 * handler.
 */
#ifndef MUTANTS_INTERRUPT_H
#define MUTANTS_INTERRUPT_H

#include "base/diag.h"

/* Call once, before any other thread is started. `folder` is removed on an
 * interruption (NULL: none); it must stay valid. */
int interrupt_watch(const char *folder, struct diag *diag);

#endif
