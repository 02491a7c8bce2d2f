/*
 * dead_letter.h - one line of JSON for each call that was given up or
 * degraded, appended to a file: --dead-letters FILE.
 *
 * Rule (second article): when attempts or deadline are used up, the call goes
 * into a dead letter instead of being lost or tried for ever. A line is one
 * write under a lock, on the disk before the program ends. A line that a
 * crash cut is ended first, so that it spoils no other.
 */
#ifndef GUARD_COMMAND_DEAD_LETTER_H
#define GUARD_COMMAND_DEAD_LETTER_H

#include "gate.h"

struct dead_letter {
  int64_t now_ms; /* since 1970 */
  const char *label;
  const struct gate_end *end;
  const char *once; /* key of the ledger, NULL: none */
  /* Of `guard http`: NULL with a command. */
  const char *provider, *model, *prompt, *idempotency_key;
  /* Of `guard -- CMD`: NULL with an API call. */
  char *const *argv;
  bool content; /* prompt or argv as they are; else their hash only */
};

/* The line with its line end. */
void dead_letter_encode(const struct dead_letter *d, struct buf *ret);
/* Appends |line|; makes the file with mode 0600. */
int dead_letter_append(const char *path, struct bytes line, struct diag *diag);
/* Both, when the call did not end well and a file was asked for. What cannot
 * be written is said on stderr: it is no other end of the call. */
void dead_letter_write(const struct settings_records *s, struct dead_letter *d);

#endif
