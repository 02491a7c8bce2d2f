/*
 * wire_verdict.h - how a client coped with what it met, as far as the wire
 * shows.
 *
 * Rule: docs/control.md, "Verdict". The form and the words are those of
 * LLMock's verdict; what it passes without having seen anything, or cannot
 * know, is inconclusive here. The harness (`faultwire test`) judges more: it
 * knows the client's exit and output, and the limits of a policy.
 */
#ifndef MOCKSERVER_WIRE_VERDICT_H
#define MOCKSERVER_WIRE_VERDICT_H

#include "base/buf.h"
#include "mockserver/journal.h"

enum wire_verdict_severity { VERDICT_ERROR, VERDICT_WARNING };

struct wire_verdict_finding {
  enum wire_verdict_severity severity;
  const char *code, *advice; /* static */
  char title[200];
  size_t call;                        /* its number, from 1 */
  const struct attempt *first, *last; /* evidence */
};

/* Why nothing can be said; static texts that end with NULL. */
enum { VERDICT_MAX_REASONS = 12, VERDICT_MAX_FINDINGS = 1000 };

struct wire_verdict {
  size_t calls, attempts, faults; /* faults: that went out */
  size_t errors, warnings;
  struct wire_verdict_finding *findings; /* errors first */
  size_t nfindings;
  const char *reasons[VERDICT_MAX_REASONS + 1];
  size_t nreasons;
};

/* What the journal alone does not tell. */
struct wire_verdict_context {
  bool no_faults;      /* a control run */
  size_t unused_steps; /* faulty, not optional, and no call took them */
  size_t waiting;      /* queued errors and retry tests that are not done */
};

/* Attempts stay the journal's. The caller releases. */
void wire_verdict_judge(const struct journal *j,
                        const struct wire_verdict_context *c,
                        struct wire_verdict *ret);
void wire_verdict_release(struct wire_verdict *v);
/* "pass", "fail" or "inconclusive". */
const char *wire_verdict_word(const struct wire_verdict *v);

/* wire_verdict_text.c */
void wire_verdict_json(const struct wire_verdict *v, struct buf *ret);
void wire_verdict_text(const struct wire_verdict *v, struct buf *ret);

#endif
