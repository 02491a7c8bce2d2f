/*
 * tight.h - bytes that end where memory ends, and numbers by a printed seed,
 * for the property tests.
 *
 * The page behind the bytes cannot be read: a reader that takes one byte too
 * many ends the program, in every build.
 */
#ifndef TESTS_UNIT_GUARD_TIGHT_H
#define TESTS_UNIT_GUARD_TIGHT_H

#include <assert.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct tight {
  char *page;
  size_t room;
};

static inline void tight_init(struct tight *t, size_t room)
{
  size_t page = (size_t)sysconf(_SC_PAGESIZE);

  t->room = (room + page - 1) / page * page;
  t->page = mmap(NULL, t->room + page, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert(t->page != MAP_FAILED);
  assert(mprotect(t->page + t->room, page, PROT_NONE) == 0);
}

/* A copy that ends at the page nobody may read; valid until the next one. */
static inline char *tight_copy(const struct tight *t, const void *p, size_t n)
{
  assert(n <= t->room);
  return n ? memcpy(t->page + t->room - n, p, n) : t->page + t->room;
}

static inline void tight_release(struct tight *t)
{
  munmap(t->page, t->room + (size_t)sysconf(_SC_PAGESIZE));
}

/* xorshift64* (Vigna 2014): the same numbers in every build. */
static inline uint64_t seeded(uint64_t *state)
{
  *state ^= *state >> 12;
  *state ^= *state << 25;
  *state ^= *state >> 27;
  return *state * UINT64_C(2685821657736338717);
}

/* 0 to n - 1 */
static inline size_t seeded_below(uint64_t *state, size_t n)
{
  return (size_t)(seeded(state) >> 33) % n;
}

/* The kinds of change a byte of a vector goes through. */
enum { TIGHT_FLIP, TIGHT_DELETE = 8, TIGHT_DOUBLE, TIGHT_CHANGES };

/* |p| with one byte changed: bit |change| turned, or the byte left out, or
 * there twice. |ret| has room for n + 1; the new length is returned. */
static inline size_t tight_change(const char *p, size_t n, size_t at,
                                  int change, char *ret)
{
  size_t skip = change == TIGHT_DELETE, twice = change == TIGHT_DOUBLE;

  memcpy(ret, p, at + twice);
  memcpy(ret + at + twice, p + at + skip, n - at - skip);
  if (change < TIGHT_DELETE)
    ret[at] = (char)(ret[at] ^ (1 << change));
  return n + twice - skip;
}

#endif
