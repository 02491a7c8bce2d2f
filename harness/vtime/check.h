/*
 * check.h - can this machine run clients in virtual time, and in which way?
 * Found out by doing it: a probe is started in it and its clocks are compared.
 *
 * The rule: nothing is taken from version numbers. Containers, kernels and
 * libraries differ in what they allow; a probe that sleeps 2000 s, comes back
 * within seconds and finds its clocks right is proof.
 */
#ifndef VTIME_CHECK_H
#define VTIME_CHECK_H

#include "base/diag.h"
#include "harness/vtime/way.h"

struct vtime_choice {
  enum vtime_way way;
  char why_not[768]; /* of the first choice; empty: it is taken */
};

/*
 * `argv`: the program that calls clockcheck_main(), NULL-terminated. 0 with
 * the first way that works, or -1 with a sentence that says why none does. The
 * process may have no other children. It becomes a subreaper.
 */
int vtime_check(char *const *argv, struct vtime_choice *ret, struct diag *diag);

#endif
