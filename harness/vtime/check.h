/*
 * check.h - can this machine run clients in virtual time? Found out by doing
 * it: a probe is started in it and its clocks are compared.
 *
 * The rule: nothing is taken from version numbers. Containers, kernels and
 * libraries differ in what they allow; a probe that sleeps 2000 s, comes back
 * within seconds and finds its clocks right is proof.
 */
#ifndef VTIME_CHECK_H
#define VTIME_CHECK_H

#include "base/diag.h"

/*
 * `argv`: the program that calls clockcheck_main(), NULL-terminated. 0, or -1
 * with a sentence that says why not. The process may have no other children. It
 * becomes a subreaper.
 */
int vtime_check(char *const *argv, struct diag *diag);

#endif
