/*
 * words.h - the nearest right word, for "unknown key 'retry_aftr', did you
 * mean 'retry_after'?".
 */
#ifndef BASE_WORDS_H
#define BASE_WORDS_H

#include <stddef.h>

/*
 * The word of the NULL-terminated list nearest to `word` by
 * Damerau-Levenshtein distance (optimal string alignment), or NULL when none
 * is near: more than a third of the longer word, and at least 2, wrong.
 */
const char *words_nearest(const char *word, const char *const *list);
/* True when `word` is in the NULL-terminated list. */
int words_has(const char *const *list, const char *word);
/* Appends "; did you mean 'x'?" or "; known: a, b, c" to `ret`. */
void words_hint(const char *word, const char *const *list, char *ret,
                size_t size);

#endif
