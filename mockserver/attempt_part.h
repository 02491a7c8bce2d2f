/*
 * attempt_part.h - what attempt_read.c and attempt_base64.c share: the reader
 * of one attempt, and of the texts in it that JSON cannot hold.
 */
#ifndef MOCKSERVER_ATTEMPT_PART_H
#define MOCKSERVER_ATTEMPT_PART_H

#include "base/json.h"
#include "mockserver/journal_read.h"

/* Ceiling of one text: a body in full, and far more than any head. */
#define ATTEMPT_MAX_TEXT ((size_t)2 << 20)

/* The text into an array of `size` bytes; a longer one is an error at `v`. */
int attempt_keep_text(char *ret, size_t size, struct bytes text,
                      const struct jval *v, struct diag *diag);
/* An error at `v` with the nearest of the NULL-terminated list. */
int attempt_unknown_word(const struct jval *v, const char *word,
                         const char *const *known, struct diag *diag);
/* The object `base64`: texts as they came, over what the strings held. */
int attempt_base64(struct attempt *a, const struct jval *v, struct diag *diag);
/* The list `events` of a stream. */
int attempt_events(struct attempt *a, const struct jval *v, struct diag *diag);

#endif
