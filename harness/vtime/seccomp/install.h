/*
 * install.h - puts the filter on a client between fork and exec, and brings
 * its listener to us.
 *
 * The rule (seccomp(2), seccomp_unotify(2)): no new privileges, then the
 * filter with a listener; from then on every program of the tree has it and
 * none can take it off. Asks for SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV
 * (Linux 5.19): signals then wait until we let a held call go, so that the
 * answer can be the one the kernel would give. Older kernels do without.
 */
#ifndef VTIME_SECCOMP_INSTALL_H
#define VTIME_SECCOMP_INSTALL_H

#include "base/diag.h"
#include "harness/vtime/seccomp/filter.h"

/* Made before the fork: the child only makes system calls. */
struct install {
  struct sock_filter filter[FILTER_MAX];
  size_t n;
  int pair[2];      /* ours, the child's */
  bool old_signals; /* without the flag, as on Linux before 5.19 */
};
int install_open(struct install *in, struct diag *diag);
/* In the child. 0, or -1 with errno. */
int install_in_child(const struct install *in);
/* In the parent after fork: until the child has sent it or has ended. */
void install_wait(struct install *in);
/* In the parent after exec: the listener, or -1 when the child has not sent
 * one. Closes the pair. */
int install_take(struct install *in, bool *ret_killable);
void install_close(struct install *in);

#endif
