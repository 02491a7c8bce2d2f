/*
 * texts.h - short lists of words, and the globs of a plan.
 *
 * A list holds pointers to texts that somebody else owns (a plan's document,
 * argv); only the array is its own.
 */
#ifndef MUTANTS_TEXTS_H
#define MUTANTS_TEXTS_H

#include <stdbool.h>

struct texts {
  const char **item;
  int n;
};

/* The text itself is not copied. */
void texts_add(struct texts *t, const char *text);
void texts_add_all(struct texts *t, const struct texts *more);
/* Frees the array, not the texts. */
void texts_release(struct texts *t);
/* Frees the texts too; for a list of texts that were made for it. */
void texts_release_owned(struct texts *t);
bool texts_has(const struct texts *t, const char *text);

/* A glob as in a shell, where '*' also crosses '/', so that "rate*" names
 * the tests of a whole area. The name itself always matches. */
bool glob_matches(const char *glob, const char *name);
/* The glob that matches this name only; a name may hold '[' itself. The
 * caller frees it. */
char *glob_of_name(const char *name);
/* True when any glob of the list matches. */
bool globs_match(const struct texts *globs, const char *name);

#endif
