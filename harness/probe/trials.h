/*
 * trials.h - trials that several experiments ask for, under one name each.
 */
#ifndef HARNESS_PROBE_TRIALS_H
#define HARNESS_PROBE_TRIALS_H

#include "harness/probe/steps.h"

/* The class again and again, no wait named. */
const struct sight *want_class(struct book *b, enum error_class c);
/* The same with a retry-after of a second: a client that obeys makes all its
 * attempts within the limit. */
const struct sight *want_hinted(struct book *b, enum error_class c);
/* The class once with retry-after `seconds`, then a plain answer; watched
 * for `watch_s` seconds (0: to the limit). */
const struct sight *want_wait(struct book *b, double seconds, double watch_s);
/* The shortest and longest first wait of the client when nobody named one, 0
 * when it never asked again; false while trials are pending. */
bool own_first_wait(struct book *b, double *ret_least_s, double *ret_most_s);
/* The retryable class this client repeats most often, by want_class and
 * want_hinted; NCLASSES: none, or trials are pending. */
enum error_class most_repeated(struct book *b);
/* Attempts of the class: the more of the two trials. False when pending. */
bool attempts_of(struct book *b, enum error_class c, size_t *ret);

#endif
