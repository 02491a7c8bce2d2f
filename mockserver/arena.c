#include "mockserver/arena.h"

#include "base/buf.h"

#include <assert.h>

/* Large enough that taking a chunk is rare, small enough that a journal of
 * ten attempts costs nothing. */
#define CHUNK_BYTES ((size_t)64 << 10)
#define FREE_CHUNKS_MAX 64

struct chunk {
  struct chunk *next; /* in the free list */
  size_t used, size;
  size_t texts;
  _Alignas(max_align_t) char data[];
};

void arena_init(struct arena *a)
{
  *a = (struct arena){0};
}

static struct chunk *take_chunk(struct arena *a, size_t n)
{
  struct chunk *c = a->free;
  if (c && n <= CHUNK_BYTES) {
    a->free = c->next;
    a->nfree--;
  } else {
    size_t size = n > CHUNK_BYTES ? n : CHUNK_BYTES;
    c = mem_alloc(sizeof *c + size);
    c->size = size;
  }
  c->next = NULL;
  c->used = c->texts = 0;
  a->bytes += c->size;
  return c;
}

static void give_back(struct arena *a, struct chunk *c)
{
  a->bytes -= c->size;
  if (c->size == CHUNK_BYTES && a->nfree < FREE_CHUNKS_MAX) {
    c->next = a->free;
    a->free = c;
    a->nfree++;
  } else {
    free(c);
  }
}

void arena_release(struct arena *a)
{
  if (a->current) {
    assert(a->current->texts == 0);
    give_back(a, a->current);
  }
  while (a->free) {
    struct chunk *c = a->free;
    a->free = c->next;
    free(c);
  }
  arena_init(a);
}

static struct chunk *chunk_with_room(struct arena *a, size_t n)
{
  if (n >
      CHUNK_BYTES / 4) /* alone in a chunk, so that none is left half full */
    return take_chunk(a, n);
  struct chunk *c = a->current;
  if (c && c->size - c->used >= n)
    return c;
  /* the full one is given back with its last text */
  return a->current = take_chunk(a, n);
}

char *arena_alloc(struct arena *a, struct arena_text **owner, size_t n)
{
  size_t align = _Alignof(max_align_t);
  size_t whole = (sizeof(struct arena_text) + n + align - 1) / align * align;
  struct chunk *c = chunk_with_room(a, whole);
  struct arena_text *t = (struct arena_text *)(void *)(c->data + c->used);
  *t = (struct arena_text){.next = *owner, .chunk = c};
  *owner = t;
  c->used += whole;
  c->texts++;
  return (char *)(t + 1);
}

void arena_free(struct arena *a, struct arena_text **owner)
{
  while (*owner) {
    struct chunk *c = (*owner)->chunk;
    *owner = (*owner)->next;
    if (--c->texts > 0)
      continue;
    if (c == a->current)
      c->used = 0;
    else
      give_back(a, c);
  }
}
