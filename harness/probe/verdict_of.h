/*
 * verdict_of.h - what a client made of an answer whose text is known. Pure.
 */
#ifndef HARNESS_PROBE_VERDICT_OF_H
#define HARNESS_PROBE_VERDICT_OF_H

#include "harness/probe/sight.h"

enum seen_verdict {
  SEEN_NOTHING, /* no call, or the trial failed */
  SEEN_HANGS,   /* it neither ended nor asked again */
  SEEN_AGAIN,   /* it was still asking again at the limit */
  SEEN_ERROR,   /* it ended with an error */
  SEEN_WHOLE,   /* exit 0 and the whole text once */
  SEEN_PARTIAL, /* exit 0 and a part of the text */
  SEEN_DOUBLED, /* exit 0 and the text, or a part of it, more than once */
  SEEN_EMPTY    /* exit 0 and nothing of the text */
};

struct outcome_seen {
  enum seen_verdict verdict;
  size_t tries;
  size_t copies; /* of the text's first word on stdout */
  int code;
};

struct outcome_seen outcome_seen(const struct sight *s);
/* "error, exit 1, 3 requests, a part of the text was printed"; the caller
 * frees. */
char *outcome_text(const struct outcome_seen *o);

#endif
