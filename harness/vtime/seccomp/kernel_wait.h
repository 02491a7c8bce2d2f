/*
 * kernel_wait.h - waits that stay in the kernel, with the kernel's time-out
 * or with none, and end at a virtual deadline by ptrace.
 *
 * The rule: a thread found asleep in such a call has a deadline. When it has
 * come, the thread is stopped (PTRACE_SEIZE, INTERRUPT), the result of the
 * interrupted call is overwritten and the thread let go (ptrace(2)). The
 * kernel's own time-out must never be the first one the client can see: when
 * it is about to come, virtual time is taken forward to the deadline.
 */
#ifndef VTIME_SECCOMP_KERNEL_WAIT_H
#define VTIME_SECCOMP_KERNEL_WAIT_H

#include "harness/vtime/event.h"
#include "harness/vtime/seccomp/call.h"
#include "harness/vtime/table.h"

/* A call that was let go on. */
struct kernel_wait {
  struct call call;
  int64_t deadline_ns, asked_ns; /* virtual */
  int64_t kernel_end_ns;         /* real, NO_DEADLINE: it has no time-out */
  int64_t result;                /* what the ended call returns */
  uint64_t sets[3];              /* of select: cleared */
  size_t set_bytes;
  uint64_t left;    /* where select and ppoll find the time left: 0 */
  bool asleep;      /* found so, with this switch count */
  int64_t switches; /* valid when asleep */
};

/* The time-outs of a socket, by the socket's inode: copies and children have
 * the same. */
struct socket_timeout {
  uint64_t inode;
  int64_t receive_ns, send_ns; /* 0: none */
};

struct kernel_waits {
  struct kernel_wait *wait;
  size_t n, cap;
  struct socket_timeout *timeout;
  size_t ntimeouts, timeouts_cap;
  int *stuck; /* threads */
  size_t nstuck;
};

void kernel_waits_release(struct kernel_waits *w);
/* The only one of its thread. */
struct kernel_wait *kernel_wait_add(struct kernel_waits *w,
                                    const struct call *c);
void kernel_wait_drop(struct kernel_waits *w, size_t i);
/* The thread makes another call: the one before is over. An unread call with
 * the same arguments looks like it, and a thread that waits for our answer
 * cannot be stopped. */
void kernel_wait_over(struct kernel_waits *w, int tid);
struct kernel_wait *kernel_wait_of(const struct kernel_waits *w, int tid);
/* Stops the thread, writes the result, lets it go. */
enum kernel_wait_word {
  KERNEL_WAIT_ENDED,
  KERNEL_WAIT_OVER,  /* it was not in that call any more */
  KERNEL_WAIT_STUCK, /* it did not stop within a second of real time */
  KERNEL_WAIT_TRACED /* a debugger has it already */
};
enum kernel_wait_word kernel_wait_end(const struct kernel_wait *k);
/* A thread that was stuck stays traced, and stops one day: lets it go. False:
 * it has not stopped yet. */
bool kernel_wait_let_go(int tid);

/* SO_SNDTIMEO, or SO_RCVTIMEO; 0: none. */
void socket_timeout_set(struct kernel_waits *w, uint64_t inode, bool send,
                        int64_t ns);
int64_t socket_timeout_of(const struct kernel_waits *w, uint64_t inode,
                          bool send);
/* The inode of a thread's descriptor, 0 when it is no socket. By the thread,
 * since a process whose first thread has gone shows none. */
uint64_t socket_inode(int tid, int fd);
/* The descriptor a blocked call that receives or sends is about; -1: another
 * call. */
int socket_call_fd(const struct table_call *c, bool *ret_sends);

/* ---- what nobody emulates ---- */

/* True for a blocked call that has a time-out of the kernel's. Pure. */
bool opaque_call(const struct table_call *c);
/* The name of a call that was ended in the kernel. */
const char *kernel_wait_name(int nr);
/* Its name for a report. */
const char *opaque_call_name(int nr);

void opaque_note(struct opaque_list *l, int pid, const char *comm,
                 const char *call, const char *why);

/* A thread in state D that waits for its vfork child to end or to exec, which
 * may take any time (vfork(2)): it sleeps. */
bool waits_for_vfork(int tid);

#endif
