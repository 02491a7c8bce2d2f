/*
 * conform.h - what the parts of vtime_conform share.
 */
#ifndef TESTS_VTIME_CONFORM_H
#define TESTS_VTIME_CONFORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

/* A way of waiting. */
struct way {
  const char *name;
  int (*wait)(int64_t ns); /* 0 or more by the event or the end of time */
  bool event, signal;      /* situations that mean something */
  /* what makes the event, NULL: a byte, a futex and a signal */
  void (*happen)(void);
  void (*clean)(void); /* leaves nothing of it behind; NULL: nothing to do */
  bool for_ever;       /* it does not expire */
};

extern int64_t unit_ns;
extern int pair[2]; /* what the waits for descriptors wait for */

struct timespec spec(int64_t ns);
/* That far from now on that clock. */
struct timespec at(clockid_t id, int64_t ns);

/* conform_ipc.c */
extern const struct way ipc_ways[];
extern const size_t n_ipc_ways;
int prepare_ipc(void);
void socket_options(void);
void requeued(void);

/* A line of the result. */
void say(const char *name, const char *when, int rc);
void begin(void);

#endif
