/*
 * keys.h - which key of a scenario is a time, and of what kind.
 *
 * The rule: nothing is guessed. A key is a time because keys.def says so; one
 * that is not in it makes the scenario one that cannot be scaled. A unit at
 * the end of a name (_s, _ms) is checked against the table by a test.
 */
#ifndef HARNESS_SCALE_KEYS_H
#define HARNESS_SCALE_KEYS_H

#include <stdbool.h>

enum scale_kind {
  SCALE_PLAIN,   /* no time */
  SCALE_ENTER,   /* an object, or a list of them, with keys of its own */
  SCALE_MEMBERS, /* an object with names of the author's and such objects */
  /* what the server or the harness does so long */
  SCALE_WAIT_S,  /* a number of seconds */
  SCALE_FROM_S,  /* so many seconds after the first call */
  SCALE_REST_S,  /* the same, but for what nobody can say: blocks */
  SCALE_WAIT_MS, /* a whole number of milliseconds */
  SCALE_PAUSES,  /* [place, milliseconds] each */
  /* what the client is told: whole seconds stay whole */
  SCALE_SAYS_S,     /* a number of seconds */
  SCALE_SAYS,       /* a literal: digits are seconds, {{...}} values */
  SCALE_SAYS_MS,    /* the same in milliseconds */
  SCALE_SAYS_WORDS, /* seconds that a text tells in hours and days */
  SCALE_HEADERS,    /* [name, value] each */
  SCALE_TEXT,       /* {{...}} values; times in words cannot be divided */
  SCALE_HIDDEN,     /* bytes nobody looks into: kept */
  /* the limiter */
  SCALE_PER,    /* a period as a word */
  SCALE_PER_S,  /* whole seconds of a period */
  SCALE_WINDOW, /* a calendar_day cannot be divided */
  SCALE_RATE,   /* so many a second: multiplied */
  /* the client and what is expected of it */
  SCALE_LIMIT_S, /* how long it may run */
  SCALE_LOW,     /* the shortest time, an expression */
  SCALE_HIGH,    /* the longest time, an expression */
  SCALE_BOUND_S, /* a number of seconds something is counted in */
  SCALE_NUMBER,  /* an expression that is no time */
  SCALE_CLAIM,   /* may name a time as a number: then nothing is divided */
  SCALE_NEEDS,   /* names of the policy */
  SCALE_SLACK,   /* of the policy: a time, and kept */
  SCALE_OWN,     /* the client's own, or no wait: kept */
  SCALE_BLOCKS,  /* whatever has this cannot be scaled */
  SCALE_UNKNOWN  /* not in the table */
};

struct scale_key {
  const char *place, *key;
  enum scale_kind kind;
  const char *child; /* a place; of OWN and BLOCKS a sentence */
};

/* All of them, ended by a NULL key. */
extern const struct scale_key scale_keys[];
/* Keys of a check that are not its own are found in "expect". NULL: not in
 * the table. */
const struct scale_key *scale_key_find(const char *place, const char *key);
/* True for the kinds whose values are divided or multiplied, and for those
 * that are times and kept. */
bool scale_kind_is_time(enum scale_kind kind);
/* What an answer tells; false for what is done. */
bool scale_kind_says(enum scale_kind kind);

#endif
