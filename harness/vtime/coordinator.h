/*
 * coordinator.h - the only code that moves the clock. One step: take what the
 * clients want, look whether all sleep, jump to the next deadline.
 *
 * The rules are rule.h; what is done here in their order: the look at /proc,
 * within it, for long jumps, the kernel's buffers, the last look of the
 * backend, then the jump. While a tree is opaque, time goes on at the
 * real rate; while it computes, with its CPU time.
 */
#ifndef VTIME_COORDINATOR_H
#define VTIME_COORDINATOR_H

#include "harness/vtime/event.h"
#include "harness/vtime/jump_log.h"
#include "harness/vtime/kernel_bytes.h"
#include "harness/vtime/rule.h"
#include "harness/vtime/way.h"

enum { COORDINATOR_SEATS = 8 };

struct coordinator_options {
  int64_t virtual_limit_ns; /* 0: none */
  /* Real time while virtual time goes on at the real rate does not count:
   * a tree that cannot be followed is slow and right. 0: none. */
  int64_t real_limit_ns;
  int64_t largest_jump_ns; /* for a client's wait; 0: 24 h */
  uint16_t port; /* of the server; 0: the kernel's buffers are not looked at */
};

struct coordinator_counts {
  uint64_t looks, quiet, busy, changed, opaque, held;
  int64_t crept_ns, real_rate_ns, forced_ns;
};

struct coordinator {
  struct coordinator_options o;
  struct vtime_page *page;
  struct seat *seats[COORDINATOR_SEATS];
  size_t nseats;
  struct way *way; /* the caller's */
  struct proc_tree tree;
  struct kernel_bytes bytes;
  struct jump_log jumps;
  struct jump too_far; /* of EVENT_TOO_FAR: not done; set before it is told */
  struct coordinator_counts counts;
  int64_t start_ns, start_real_ns;
  _Atomic int event;
  _Atomic int holds; /* > 0: no jump */
  _Atomic uint16_t port;
  _Atomic bool own_server; /* the server of that port is in this process */
  /* virtual time since when no thread of a client has had a timer,
   * NO_DEADLINE: one has, or the client runs */
  _Atomic int64_t idle_since_ns;
  uint64_t client_print;
  bool buffers_empty; /* the kernel held nothing, at the instant of a look */
  /* busy stretches */
  struct rule_creep creep;
  bool quiet_before;
  int64_t looked_cpu_ns, looked_tick_ns, tick_from_ns; /* real, real, ticks */
  int64_t tick_cpu_ns; /* CPU time of the tree since the look at the ticks */
  int64_t looked_ns;   /* real time before the last look */
  int64_t opaque_ns;   /* real time after the last look, if opaque, else 0 */
  int64_t nothing_real_ns; /* real time since nothing was armed, 0: no */
  int64_t jumped_real_ns;  /* the last jump was made */
  uint64_t held;           /* waits of clients begun before the last look */
  int64_t stepped_real_ns; /* the last step began */
  int64_t lag_ns;          /* how long a step has taken lately, at most */
  const char *why;         /* it is not quiet, for the dump */
  int why_pid, why_tid;
};

/* In the thread that calls step(); it is not looked at itself. */
void coordinator_init(struct coordinator *c, struct vtime_page *page,
                      struct way *way, const struct coordinator_options *o);
void coordinator_release(struct coordinator *c);
/* One turn; waits at its end for work, `own` or a short time. */
void coordinator_step(struct coordinator *c, struct pollfd *own);
/* Why is it not quiet? Everything that is known, in words. */
void coordinator_dump(struct coordinator *c, struct buf *ret);

#endif
