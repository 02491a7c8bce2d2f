/*
 * continuation.h - guard/resume.h around the tries of one call: a stream that
 * was cut is gone on from and not made again (--continue).
 *
 * Rule (third article; docs/guard-streams.md): only text that came in a
 * stream is gone on from. A tool call, thinking alone, a garbled event, a
 * provider without a documented way: start over, with nothing kept. It is a
 * retry like any other: gate, budget and deadline count it.
 */
#ifndef GUARD_COMMAND_CONTINUATION_H
#define GUARD_COMMAND_CONTINUATION_H

#include "transfer.h"

struct continuation {
  bool wanted;
  const struct request *original;
  const char *call_id;
  /* Private. */
  struct request request; /* of the continuation; no body: there is none */
  struct buf kept;
  bool may_repeat;
  int number;
};

void continuation_init(struct continuation *c, bool wanted,
                       const struct request *original, const char *call_id);
void continuation_release(struct continuation *c);
/* What to send next; fills |ret_seam|, which is for one try. */
const struct request *continuation_next(const struct continuation *c,
                                        struct seam *ret_seam);
/* A try failed. True when the next one goes on, or nothing changes about what
 * is gone on from: no text is given twice. */
bool continuation_failed(struct continuation *c, const struct transfer *t);
/* A try was good: |text| is its own, and the whole afterwards. */
void continuation_join(const struct continuation *c, struct buf *text);

#endif
