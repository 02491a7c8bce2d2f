/*
 * futex_abi.h - what futex calls say, in numbers. Pure.
 *
 * The rule is the kernel's (kernel/futex/syscalls.c, kernel/futex/waitwake.c,
 * linux/futex.h): what it refuses is refused here, so that it can say so
 * itself.
 */
#ifndef VTIME_SECCOMP_FUTEX_ABI_H
#define VTIME_SECCOMP_FUTEX_ABI_H

#include <stdbool.h>
#include <stdint.h>

/* Newer than some headers: futex_waitv is of 5.16, the others of 6.7
 * (asm/unistd_64.h). */
enum {
  NR_FUTEX_WAITV = 449,
  NR_FUTEX_WAKE = 454,
  NR_FUTEX_WAIT,
  NR_FUTEX_REQUEUE
};
/* linux/futex.h from 5.14 on. */
enum { OP_LOCK_PI2 = 13 };
/* FUTEX_WAITV_MAX */
enum { WAITV_MAX = 128 };

/* struct futex_waitv. */
struct waitv {
  uint64_t value, address;
  uint32_t flags, reserved;
};

/* The flags of the newer calls: a word of 32 bits, private or not. False: not
 * valid, or of a kind that stays in the kernel (FUTEX2_NUMA, FUTEX2_MPOL). */
bool futex2_flags(uint64_t flags, bool *ret_private);
/* The same of a whole entry. */
bool futex2_entry(const struct waitv *v, bool *ret_private);
/* CLOCK_MONOTONIC or CLOCK_REALTIME. */
bool futex2_clock(uint64_t id);

/* How the old call counts the time-out of a wait: as a length or a moment, of
 * which clock (futex(2)). False: it has a flag that the kernel refuses. */
struct futex_time {
  bool moment, wall;
};
bool futex_time_of(uint64_t op, struct futex_time *ret);

/* The last argument of FUTEX_WAKE_OP. */
struct futex_op {
  unsigned op, compare;
  int32_t with, limit;
};
/* False: the kernel knows no such operation. */
bool futex_op_read(uint32_t code, struct futex_op *ret);
/* What it makes of a word, and whether waiters of that word are woken. */
uint32_t futex_op_makes(const struct futex_op *o, uint32_t old);
bool futex_op_wakes(const struct futex_op *o, uint32_t old);

#endif
