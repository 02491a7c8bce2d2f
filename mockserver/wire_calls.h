/*
 * wire_calls.h - which attempts are one call, for wire_verdict.c alone.
 *
 * Rule: docs/control.md, "Verdict". Within a lane and a path an attempt goes
 * on with a call that has failed: the one with its idempotency key; without
 * keys, the one with the same body; else, when its retry header says that it
 * is a retry, the only one there is.
 */
#ifndef MOCKSERVER_WIRE_CALLS_H
#define MOCKSERVER_WIRE_CALLS_H

#include "mockserver/journal.h"

struct wire_call_seen {
  const struct attempt **attempts; /* in order of arrival */
  size_t n;
  /* Another attempt with the same body was under way in its lane: two
   * workers or one, the wire does not tell. */
  bool ambiguous;
};

struct wire_calls {
  struct wire_call_seen *list;
  size_t n;
};

void wire_calls_find(const struct journal *j, struct wire_calls *ret);
void wire_calls_release(struct wire_calls *c);

/* It did not get what it asked for. */
bool attempt_failed(const struct attempt *a);
/* From what the client knew first of the answer until it asked again. */
int64_t attempt_gap_ns(const struct attempt *before,
                       const struct attempt *after);

#endif
