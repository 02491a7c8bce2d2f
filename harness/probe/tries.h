/*
 * tries.h - how often a client asks, and how it ends. Pure.
 */
#ifndef HARNESS_PROBE_TRIES_H
#define HARNESS_PROBE_TRIES_H

#include "harness/probe/sight.h"

/* So many without an end within the limit may have none: the most that was
 * met in the field with an end is 11 (Claude Code). */
enum { HAMMERS = 12 };

struct tries {
  size_t n;      /* attempts of the first call */
  bool ended;    /* by itself: n is all of them */
  bool fast;     /* no wait to speak of between them */
  int code, sig; /* of the end, when ended */
};

/* Requests with the body of the first one count; a client that makes other
 * calls meanwhile is not taken for one that repeats. Where every body is a
 * different one all of them count. */
struct tries tries_of(const struct sight *s);
/* "4, then exit 1"; "7 or more"; the caller frees. */
char *tries_text(const struct tries *t);

/* What the outputs of the last start hold of an answer's text. */
struct answer {
  bool success;  /* exit 0 */
  size_t firsts; /* how often its first word is there */
  size_t lasts;  /* how often its last word is */
};
struct answer answer_of(const struct sight *s, const char *first,
                        const char *last);

#endif
