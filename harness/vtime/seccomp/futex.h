/*
 * futex.h - waits for futexes in our hands and the wake-ups for them: what
 * the old call (call_futex.c) and the newer ones (call_futex2.c) share.
 *
 * The rule: the words are compared when the call comes; then the thread
 * stands in the table, in the order of arrival. A wake-up of the tree ends
 * ours first, then the kernel does its own. Wake-ups nobody tells us of (a
 * thread's end, a robust list) change the word: that is looked for before
 * each jump.
 */
#ifndef VTIME_SECCOMP_FUTEX_H
#define VTIME_SECCOMP_FUTEX_H

#include "harness/vtime/seccomp/backend.h"
#include "harness/vtime/seccomp/futex_abi.h"

/* A futex as a call names it. */
struct futex_at {
  uint64_t address;
  bool private;
};

/* Words, and until when. NULL: they cannot be read (the kernel says so), one
 * of them has changed or the time is over: *ret_now is the answer then. */
struct futex_wait {
  struct futex_word word[WAITV_MAX]; /* `key` and `tid` are filled in here */
  bool private[WAITV_MAX];
  size_t n;
  int64_t ns; /* of the time-out; NO_DEADLINE: none */
  struct futex_time time;
};
struct hold *futex_hold(struct backend *b, const struct call *c,
                        struct futex_wait *w, struct reply *ret_now);

/* The key of a futex that a call wakes. */
struct futex_key futex_key_of(const struct backend *b, const struct call *c,
                              const struct futex_at *at);
/* Ends so many waits of ours that have one of the bits; how many. */
struct futex_wake {
  struct futex_key key;
  int most;
  uint32_t bits;
};
int futex_wake_ours(struct backend *b, const struct futex_wake *w);

/* They wait for another futex from now on, whose word is what it is now. */
struct futex_move {
  struct futex_at from, to;
  int most;
};
void futex_move_ours(struct backend *b, const struct call *c,
                     const struct futex_move *m);

/* FUTEX_WAKE_OP (call_wake_op.c). */
struct reply futex_wake_op(struct backend *b, const struct call *c);

#endif
