/*
 * peek.h - looks at the shared state without taking part in it.
 *
 * Rule: the file is opened for reading only, under a shared lock, so that no
 * half-written text is seen; it is never made, written or repaired. What is
 * counted is counted as guard/breaker.h and guard/budget.h count it.
 */
#ifndef GUARD_COMMAND_PEEK_H
#define GUARD_COMMAND_PEEK_H

#include "state.h"

#include "base/diag.h"

enum peek_found {
  PEEK_STATE,
  PEEK_MISSING, /* no file, or an empty one */
  PEEK_TORN,
  PEEK_FOREIGN
};

/* |ret| is set only for PEEK_STATE. An error: the file is there and cannot be
 * read. */
int peek_file(const char *path, enum peek_found *ret_found, struct shared *ret,
              struct diag *diag);

/* The lines of `guard status` for a state found: state, hits, requests and
 * retries. */
void peek_describe(const struct shared *s, const struct guard_policy *p,
                   int64_t now_epoch_ms, struct buf *ret);
/* And of pacing: places, throttle, the limits told, slow-down. */
void peek_describe_pacing(const struct guard_pace *s,
                          const struct guard_pacing *p, int64_t now_epoch_ms,
                          struct buf *ret);

#endif
