/*
 * tape_find.h - a provider's event by its name or by a field it has, for
 * the words `term` and `null` of a scripted stream.
 */
#ifndef MOCKSERVER_TAPE_FIND_H
#define MOCKSERVER_TAPE_FIND_H

#include "mockserver/provider/provider.h"

/* An event that closes the block or the answer, by the provider's name or by
 * `finish` (the first of the answer's end) or `done` (the last of several).
 * `block` is the one that is open. False when the provider has none. */
bool tape_find_term(const struct provider *p, const struct reply *r,
                    size_t block, const char *name, struct cue *ret);
/* True for a word tape_find_term() knows for every provider. */
bool tape_is_general_term(const char *name);
/* The first event that has something at `path`: a delta, else start, open,
 * close, end. */
bool tape_find_field(const struct provider *p, const struct reply *r,
                     size_t block, const char *path, struct cue *ret);

#endif
