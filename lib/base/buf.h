/*
 * buf.h - slices and growing byte buffers with a ceiling.
 *
 * A slice points at bytes somebody else owns. A buffer owns its bytes and
 * takes its ceiling at creation: every input of faultwire has a named limit.
 * Going over it does not abort: the buffer stops growing and `full` is set,
 * which the caller looks at once, at the end.
 */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bytes {
  const char *p; /* not NUL-terminated; NULL when absent */
  size_t n;
};

#define BYTES(literal) ((struct bytes){(literal), sizeof(literal) - 1})
struct bytes bytes_of(const char *s);
bool bytes_equal(struct bytes a, struct bytes b);
/* ASCII letters of either case count as the same. */
bool bytes_equal_nocase(struct bytes a, struct bytes b);
bool bytes_starts(struct bytes a, struct bytes prefix);
/* Where `needle` begins in `hay`, or -1. */
ptrdiff_t bytes_find(struct bytes hay, struct bytes needle);
/* A NUL-terminated copy; the caller frees it. Aborts when out of memory. */
char *bytes_dup(struct bytes b);
/* Length of the valid UTF-8 sequence (RFC 3629) `s` begins with; 0: none. */
size_t bytes_utf8_length(struct bytes s);
/* FNV-1a, 64 bits: tells bodies apart, is no protection against an enemy. */
uint64_t bytes_hash(struct bytes b);
/* Goes on from the hash of what came before. */
uint64_t bytes_hash_more(uint64_t before, struct bytes b);

struct buf {
  char *p; /* NUL-terminated once something was added */
  size_t n, cap;
  size_t max; /* ceiling in bytes */
  bool full;  /* something did not fit and was left out */
};

/* Nothing is allocated before the first add. */
void buf_init(struct buf *b, size_t max);
void buf_release(struct buf *b);
/* Empties it, keeps the memory. */
void buf_reset(struct buf *b);
void buf_add(struct buf *b, const void *p, size_t n);
void buf_adds(struct buf *b, const char *s);
void buf_addc(struct buf *b, char c);
void buf_addb(struct buf *b, struct bytes s);
void buf_addf(struct buf *b, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void buf_vaddf(struct buf *b, const char *format, va_list ap)
    __attribute__((format(printf, 2, 0)));
/* `s` as a JSON string with its quotes; invalid UTF-8 becomes U+FFFD. */
void buf_add_json(struct buf *b, struct bytes s);
/* Removes `n` bytes at the front. */
void buf_consume(struct buf *b, size_t n);
struct bytes buf_bytes(const struct buf *b);
/* The text, never NULL. Belongs to the buffer. */
const char *buf_str(const struct buf *b);
/* Hands the memory to the caller, who frees it; the buffer is empty after. */
char *buf_detach(struct buf *b);

/* malloc and friends that abort with a sentence instead of returning NULL. */
void *mem_alloc(size_t n);
void *mem_zalloc(size_t n);
void *mem_realloc(void *p, size_t n);
char *mem_strdup(const char *s);
/* printf into fresh memory; the caller frees it. */
char *mem_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
