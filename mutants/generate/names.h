/*
 * names.h - what a name speaks of.
 *
 * A name is cut into parts at '_' and at capitals, so that "tries" is found
 * in maxTries and not in entries, and "rate limit" in RATE_LIMIT, rateLimit
 * and ratelimit.
 */
#ifndef MUTANTS_GENERATE_NAMES_H
#define MUTANTS_GENERATE_NAMES_H

#include "base/buf.h"

/*
 * True when one part of the name, or two or three in a row, are one of the
 * words of the NULL-terminated list. Words are in lower case without '_'; a
 * word that ends with '*' is the beginning of a part.
 */
bool name_has(struct bytes name, const char *const *words);

/* Limits, retries, breakers: what makes code resilience code. */
extern const char *const NAMES_CONTROL[];
/* Waits and their lengths. */
extern const char *const NAMES_WAIT[];
/* Attempts and retries. */
extern const char *const NAMES_ATTEMPT[];
/* Things that are counted. */
extern const char *const NAMES_COUNTER[];
/* Upper ends. */
extern const char *const NAMES_LIMIT[];
/* Metrics and statistics. */
extern const char *const NAMES_METRIC[];

#endif
