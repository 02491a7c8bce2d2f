#include "base/buf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *mem_alloc(size_t n)
{
  void *p = malloc(n ? n : 1);
  if (!p) {
    fputs("out of memory\n", stderr);
    abort();
  }
  return p;
}

void *mem_zalloc(size_t n)
{
  return memset(mem_alloc(n), 0, n ? n : 1);
}

void *mem_realloc(void *p, size_t n)
{
  void *q = realloc(p, n ? n : 1);
  if (!q) {
    fputs("out of memory\n", stderr);
    abort();
  }
  return q;
}

char *mem_strdup(const char *s)
{
  return bytes_dup(bytes_of(s));
}

char *mem_format(const char *format, ...)
{
  struct buf b;
  va_list ap;
  buf_init(&b, SIZE_MAX / 2);
  va_start(ap, format);
  buf_vaddf(&b, format, ap);
  va_end(ap);
  return buf_detach(&b);
}

struct bytes bytes_of(const char *s)
{
  return (struct bytes){s, s ? strlen(s) : 0};
}

bool bytes_equal(struct bytes a, struct bytes b)
{
  return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}

static char lower(char c)
{
  return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

bool bytes_equal_nocase(struct bytes a, struct bytes b)
{
  if (a.n != b.n)
    return false;
  for (size_t i = 0; i < a.n; i++)
    if (lower(a.p[i]) != lower(b.p[i]))
      return false;
  return true;
}

bool bytes_starts(struct bytes a, struct bytes prefix)
{
  return a.n >= prefix.n && bytes_equal((struct bytes){a.p, prefix.n}, prefix);
}

/* "{{" in a body of megabytes: the C library looks at every byte for two of
 * them, and at 32 at once for one. */
static ptrdiff_t find_pair(struct bytes hay, const char *pair)
{
  const char *p = hay.p, *last = hay.p + hay.n - 1;
  while (p < last && (p = memchr(p, pair[0], (size_t)(last - p))) != NULL) {
    if (p[1] == pair[1])
      return p - hay.p;
    p++;
  }
  return -1;
}

ptrdiff_t bytes_find(struct bytes hay, struct bytes needle)
{
  if (needle.n == 0)
    return 0;
  if (hay.n < needle.n)
    return -1;
  if (needle.n == 2)
    return find_pair(hay, needle.p);
  const char *at = memmem(hay.p, hay.n, needle.p, needle.n);
  return at ? at - hay.p : -1;
}

char *bytes_dup(struct bytes b)
{
  char *s = mem_alloc(b.n + 1);
  if (b.n)
    memcpy(s, b.p, b.n);
  s[b.n] = '\0';
  return s;
}

/* Offset basis and prime: the FNV-1a reference, 64 bits. */
uint64_t bytes_hash_more(uint64_t before, struct bytes b)
{
  uint64_t h = before;
  for (size_t i = 0; i < b.n; i++)
    h = (h ^ (unsigned char)b.p[i]) * 1099511628211u;
  return h;
}

uint64_t bytes_hash(struct bytes b)
{
  return bytes_hash_more(14695981039346656037u, b);
}

void buf_init(struct buf *b, size_t max)
{
  *b = (struct buf){.max = max};
}

void buf_release(struct buf *b)
{
  free(b->p);
  *b = (struct buf){.max = b->max};
}

void buf_reset(struct buf *b)
{
  b->n = 0;
  b->full = false;
  if (b->p)
    b->p[0] = '\0';
}

/* Room for n bytes and the NUL; false when that is over the ceiling. */
static bool reserve(struct buf *b, size_t n)
{
  if (n > b->max || b->n > b->max - n) {
    b->full = true;
    return false;
  }
  if (b->n + n + 1 > b->cap) {
    size_t cap = b->cap ? b->cap : 64;
    while (cap < b->n + n + 1)
      cap *= 2;
    b->p = mem_realloc(b->p, cap);
    b->cap = cap;
  }
  return true;
}

void buf_add(struct buf *b, const void *p, size_t n)
{
  if (n == 0 || !reserve(b, n))
    return;
  memcpy(b->p + b->n, p, n);
  b->n += n;
  b->p[b->n] = '\0';
}

void buf_adds(struct buf *b, const char *s)
{
  buf_add(b, s, strlen(s));
}

void buf_addc(struct buf *b, char c)
{
  buf_add(b, &c, 1);
}

void buf_addb(struct buf *b, struct bytes s)
{
  buf_add(b, s.p, s.n);
}

void buf_addf(struct buf *b, const char *format, ...)
{
  va_list ap;
  va_start(ap, format);
  buf_vaddf(b, format, ap);
  va_end(ap);
}

void buf_vaddf(struct buf *b, const char *format, va_list ap)
{
  va_list again;
  va_copy(again, ap);
  /* most texts fit into what is there: then they are formatted once */
  size_t room = b->cap - b->n;
  int n = vsnprintf(b->p ? b->p + b->n : NULL, room, format, ap);
  if (n > 0 && reserve(b, (size_t)n)) {
    if ((size_t)n >= room)
      vsnprintf(b->p + b->n, (size_t)n + 1, format, again);
    b->n += (size_t)n;
  } else if (b->p) {
    b->p[b->n] = '\0'; /* what did not fit is left out whole */
  }
  va_end(again);
}

size_t bytes_utf8_length(struct bytes s)
{
  const unsigned char *p = (const unsigned char *)s.p;
  size_t n = s.n;
  if (n == 0)
    return 0;
  /* RFC 3629, table in section 4 */
  if (p[0] < 0x80)
    return 1;
  size_t k = p[0] >= 0xc2 && p[0] <= 0xdf   ? 2
             : p[0] >= 0xe0 && p[0] <= 0xef ? 3
             : p[0] >= 0xf0 && p[0] <= 0xf4 ? 4
                                            : 0;
  if (k == 0 || k > n)
    return 0;
  unsigned char low = p[0] == 0xe0 ? 0xa0 : p[0] == 0xf0 ? 0x90 : 0x80;
  unsigned char high = p[0] == 0xed ? 0x9f : p[0] == 0xf4 ? 0x8f : 0xbf;
  if (p[1] < low || p[1] > high)
    return 0;
  for (size_t i = 2; i < k; i++)
    if ((p[i] & 0xc0) != 0x80)
      return 0;
  return k;
}

static void add_json_ascii(struct buf *b, unsigned char c)
{
  switch (c) {
  case '"':
    buf_adds(b, "\\\"");
    return;
  case '\\':
    buf_adds(b, "\\\\");
    return;
  case '\n':
    buf_adds(b, "\\n");
    return;
  case '\r':
    buf_adds(b, "\\r");
    return;
  case '\t':
    buf_adds(b, "\\t");
    return;
  default:
    if (c < 0x20 || c == 0x7f)
      buf_addf(b, "\\u%04x", c);
    else
      buf_addc(b, (char)c);
  }
}

/* How many bytes at the front stand for themselves in a JSON string. */
static size_t json_plain(struct bytes s)
{
  size_t n = 0;
  while (n < s.n && s.p[n] >= 0x20 && s.p[n] < 0x7f && s.p[n] != '"' &&
         s.p[n] != '\\')
    n++;
  return n;
}

void buf_add_json(struct buf *b, struct bytes s)
{
  buf_addc(b, '"');
  for (size_t i = 0; i < s.n;) {
    size_t plain = json_plain((struct bytes){s.p + i, s.n - i});
    if (plain) {
      buf_add(b, s.p + i, plain);
      i += plain;
      continue;
    }
    size_t k = bytes_utf8_length((struct bytes){s.p + i, s.n - i});
    if (k == 1)
      add_json_ascii(b, (unsigned char)s.p[i]);
    else if (k > 1)
      buf_add(b, s.p + i, k);
    else
      buf_adds(b, "\xef\xbf\xbd");
    i += k ? k : 1;
  }
  buf_addc(b, '"');
}

void buf_consume(struct buf *b, size_t n)
{
  if (n >= b->n) {
    buf_reset(b);
    return;
  }
  memmove(b->p, b->p + n, b->n - n + 1);
  b->n -= n;
}

struct bytes buf_bytes(const struct buf *b)
{
  return (struct bytes){b->p, b->n};
}

const char *buf_str(const struct buf *b)
{
  return b->p ? b->p : "";
}

char *buf_detach(struct buf *b)
{
  char *p = b->p ? b->p : mem_zalloc(1);
  *b = (struct buf){.max = b->max};
  return p;
}
