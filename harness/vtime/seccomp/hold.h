/*
 * hold.h - the waits of clients that stand in our hands: a thread is in a
 * call with a time-out, and gets its answer from us at the deadline or when
 * what it waits for has come.
 */
#ifndef VTIME_SECCOMP_HOLD_H
#define VTIME_SECCOMP_HOLD_H

#include "harness/vtime/seccomp/call.h"

#include <poll.h>

enum hold_kind { HOLD_SLEEP, HOLD_FDS, HOLD_FUTEX, HOLD_SIGNALS };
enum left_form { LEFT_NONE, LEFT_TIMESPEC, LEFT_TIMEVAL };

/* Where a futex is: in one process, or in memory of several. */
struct futex_key {
  uint64_t a, b, c;
};

/* One word that a thread waits for. */
struct futex_word {
  struct futex_key key;
  int tid; /* in whose memory */
  uint64_t address;
  uint32_t value, bits; /* woken by a call that has one of these bits */
};

struct hold {
  struct call call;
  enum hold_kind kind;
  int64_t deadline_ns, asked_ns;
  int64_t slack_ns; /* it may end so much later */
  bool gone;        /* a signal ended it; kept for the same call again */
  bool signalled;   /* the kernel has given it a signal that waits for us */
  bool restarts;    /* the same call, made again, goes on where it was */
  bool moment;      /* its time-out is one, so that it is read again then */
  /* what a signal makes of it: -EINTR, or a restart code of the kernel's */
  int64_t signal_result;
  int64_t end_result; /* HOLD_FDS: at the deadline */
  /* HOLD_FDS: our copies of what it waits for */
  struct pollfd *fd;
  size_t nfds;
  /* what the deadline writes: revents of poll, the sets of select */
  uint64_t polls, sets[3];
  size_t npolls, set_bytes;
  /* where the kernel would write the time that is left */
  uint64_t left;
  enum left_form left_form;
  bool left_always; /* at each jump: nanosleep; else only at the end */
  /* HOLD_FUTEX: freed with it */
  struct futex_word *words;
  size_t nwords;
  bool lock; /* of priority inheritance: over when nobody owns it */
  /* HOLD_SIGNALS: these; HOLD_FDS with a mask: all that are not in it */
  uint64_t signals;
  bool has_signals;
};

struct hold_table {
  struct hold **hold;
  size_t n, cap;
};

void hold_table_release(struct hold_table *t);
/* A fresh one for this call, of that kind, nothing else set. */
struct hold *hold_add(struct hold_table *t, const struct call *c,
                      enum hold_kind kind);
/* The others keep their order: they are woken in it. */
void hold_drop(struct hold_table *t, size_t i);
/* Closes its copies; the record stays. */
void hold_close_fds(struct hold *h);
/* The thread's, gone or not. NULL: none. */
struct hold *hold_of(const struct hold_table *t, int tid, size_t *ret_i);
/* Writes what a wait that timed out leaves behind; the answer for it. */
struct reply hold_expired(const struct hold *h);
/* Writes the time that is left. */
void hold_put_left(const struct hold *h, int64_t now_ns);

#endif
