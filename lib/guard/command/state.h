/*
 * state.h - breaker, budget and pacing, shared by all processes of the host.
 *
 * Rule: read, change and write happen under one lock of the file. A torn
 * file (its writer died) counts as closed and is written anew, and so does one
 * of an older version; a file that is
 * something else is never written to. Both are said on stderr once. Without
 * a usable file the program goes on with a state of its own: the gate must
 * not be what stops the work.
 */
#ifndef GUARD_COMMAND_STATE_H
#define GUARD_COMMAND_STATE_H

#include "base/buf.h"
#include "guard/breaker.h"
#include "guard/budget.h"
#include "guard/pace.h"

struct shared {
  struct guard_breaker breaker;
  struct guard_budget budget;
  struct guard_pace pace;
};

/* Of the file's text: all numbers at their longest are 11 KB. */
enum { STATE_MAX_BYTES = 32768 };

enum shared_read {
  SHARED_OK,
  SHARED_EMPTY,  /* no bytes: a fresh file */
  SHARED_TORN,   /* ours, but cut, changed, out of range or older */
  SHARED_FOREIGN /* not ours */
};

/* The text of the file: a first line, a line "name value" per number, and a
 * check sum. */
void shared_encode(const struct shared *s, struct buf *ret);
/* |ret| is set only for SHARED_OK. */
enum shared_read shared_decode(struct bytes text, struct shared *ret);

struct state {
  const char *path;  /* NULL: not shared */
  struct shared own; /* used without a file */
  bool complained;
};

/* |path| must outlive the state; its folder is made. */
void state_init(struct state *s, const char *path);
/* Fetches the numbers and keeps the file locked; |ret_fd| (-1: no file) goes
 * to state_put(), which must follow at once. */
void state_take(struct state *s, struct shared *ret, int *ret_fd);
/* Writes the numbers back and unlocks. */
void state_put(struct state *s, const struct shared *shared, int fd);

#endif
