/*
 * baseline.h - the first trial: a plain 200. A client that does not reach
 * the server, or fails in fair weather, shows nothing.
 */
#ifndef HARNESS_PROBE_BASELINE_H
#define HARNESS_PROBE_BASELINE_H

#include "harness/probe/book.h"

enum wired {
  WIRED,
  WIRED_NO_START, /* the client could not be started */
  WIRED_NO_CALL,  /* it made no call */
  WIRED_FAILS     /* it fails at a plain 200 */
};

const struct sight *want_baseline(struct book *b);
/* Pure. */
enum wired wired_of(const struct sight *s);
/* What is wrong and what to do about it, in some lines; the caller frees. */
char *wired_text(const struct sight *s, enum wired w, bool command);

#endif
