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
void condition(void);

/* conform_futex.c: its lines; an expression for those of them that a kernel
 * without some of the calls cannot give. */
void futexes(void (*all_of)(const struct way *));
const char *missing_lines(void);

/* asm/unistd_64.h and linux/futex.h of newer kernels. */
enum { NR_WAITV = 449, NR_WAKE = 454, NR_WAIT, NR_REQUEUE };
enum { U32 = 2, U32_PRIVATE = 2 | 128, WAITV_MOST = 128 };
struct waitv {
  uint64_t value, address;
  uint32_t flags, reserved;
};

/* conform_odd.c: its lines begin with "odd". */
void oddities(void);

/* conform_wrong.c: futex calls that are refused at once. */
void wrong_old(void);
void wrong_list(void);
void wrong_entry(void);
void wrong_new(void);

/* conform_timers.c */
void timers(void);

/* Rounded. */
long long units(int64_t ns);
/* A line of the result. */
void say(const char *name, const char *when, int rc);
void begin(void);

#endif
