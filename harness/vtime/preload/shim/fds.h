/*
 * fds.h - one wait for descriptors, whatever the call is named.
 */
#ifndef VTIME_PRELOAD_FDS_H
#define VTIME_PRELOAD_FDS_H

#include "harness/vtime/preload/shim/shim.h"

#include <sys/select.h>

/* One call of the kernel's. */
struct ask {
  long (*call)(const struct ask *a, const struct timespec *t,
               const unsigned long *mask);
  int nr;
  int64_t ns; /* negative: for ever */
  const sigset_t *mask;
  void *list; /* of descriptors */
  unsigned long n;
  int fd;            /* of epoll */
  fd_set *const *in; /* of select, and what was asked for */
  const fd_set *const *wanted;
};

/* What the call returns, or -errno. */
long fds_ask(const struct ask *a);

#endif
