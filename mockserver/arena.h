/*
 * arena.h - room for texts that are dropped in about the order they came.
 *
 * Texts share chunks; a chunk is used again once its last text is gone. So a
 * journal that drops its oldest attempts stays on pages it has touched
 * before: measured, fresh pages cost more than all the rest of a record.
 */
#ifndef MOCKSERVER_ARENA_H
#define MOCKSERVER_ARENA_H

#include <stddef.h>

struct chunk;

struct arena {
  struct chunk *current, *free;
  size_t nfree;
  size_t bytes; /* of all chunks in use */
};

/* The texts of one owner, newest first. */
struct arena_text {
  struct arena_text *next;
  struct chunk *chunk;
};

void arena_init(struct arena *a);
/* Every text must have been freed. */
void arena_release(struct arena *a);
/* Room for `n` bytes, put in front of the owner's list. */
char *arena_alloc(struct arena *a, struct arena_text **owner, size_t n);
/* Frees all texts of the owner. */
void arena_free(struct arena *a, struct arena_text **owner);

#endif
