/*
 * once.h - guard/ledger.h around one call of the program: --once KEY.
 *
 * Rule: what is done is printed again and not done again; what somebody is
 * at is left to them (exit code 75); a claim is given back only when surely
 * nothing happened. The ledger is opened for each of its two steps and not
 * kept: it belongs to one thread, and a command may run for an hour between
 * them.
 */
#ifndef GUARD_COMMAND_ONCE_H
#define GUARD_COMMAND_ONCE_H

#include "gate.h"

#include "guard/ledger.h"

struct once {
  /* Set by once_init(). */
  const char *path; /* NULL: no ledger, and every function here does nothing */
  char *key;
  int64_t lease_ms;
  /* Set by whoever tries: a try may have been processed. */
  bool maybe;
  /* Set by once_begin(). */
  struct guard_claim claim;
  bool stored; /* the text is the ledger's, this call sent nothing */
  bool busy;   /* another start is at it */
};

/* |number| is that of the prompt from 0; {N} in the key becomes the same
 * from 1. */
void once_init(struct once *o, const struct settings_records *s, int number);
void once_release(struct once *o);
/*
 * True: the work is to be done now. False: |ret_end| is the end, and for
 * GUARD_DONE |ret_text| the result of then.
 */
bool once_begin(struct once *o, int64_t now_ms, struct buf *ret_text,
                struct gate_end *ret_end);
/*
 * Writes down how the work ended. |text| is the result for GUARD_DONE; when
 * another start took the claim over and was done first, its result replaces
 * that. Changes |end| when it does not count.
 */
void once_end(struct once *o, int64_t now_ms, struct buf *text,
              struct gate_end *end);

#endif
