/*
 * split.c - see split.h. As forgiving as can be: every input is an answer.
 */
#include "fuzz/split.h"

#include <string.h>

static struct bytes take_line(struct bytes *rest)
{
  const char *lf = rest->n > 0 ? memchr(rest->p, '\n', rest->n) : NULL;
  size_t n = lf ? (size_t)(lf - rest->p) : rest->n;
  struct bytes line = {rest->p, n};

  rest->p += lf ? n + 1 : n;
  rest->n -= lf ? n + 1 : n;
  if (line.n > 0 && line.p[line.n - 1] == '\r')
    line.n--;
  return line;
}

/* Hexadecimal digits at the front, at most four: chunks of a fuzz input are
 * small. */
static size_t chunk_size(struct bytes line)
{
  static const char digits[] = "0123456789abcdef";
  size_t size = 0;

  for (size_t i = 0; i < line.n && i < 4; i++) {
    const char *digit = line.p[i] ? strchr(digits, line.p[i] | 0x20) : NULL;

    if (!digit)
      break;
    size = size * 16 + (size_t)(digit - digits);
  }
  return size;
}

static void add_chunks(struct buf *ret, struct bytes rest)
{
  while (rest.n > 0) {
    size_t size = chunk_size(take_line(&rest));

    if (size == 0)
      return;
    if (size > rest.n)
      size = rest.n;
    buf_add(ret, rest.p, size);
    rest.p += size;
    rest.n -= size;
    take_line(&rest);
  }
}

void split_answer(struct buf *ret, struct bytes raw)
{
  struct bytes line = take_line(&raw);
  bool chunked = false;

  buf_adds(ret, "- http ");
  if (bytes_starts(line, BYTES("HTTP/1.1 ")))
    buf_add(ret, line.p + 9, line.n - 9);
  buf_addc(ret, '\n');
  while (raw.n > 0 && (line = take_line(&raw)).n > 0) {
    chunked |= bytes_equal_nocase(line, BYTES("transfer-encoding: chunked"));
    buf_addb(ret, line);
    buf_addc(ret, '\n');
  }
  buf_addc(ret, '\n');
  if (chunked)
    add_chunks(ret, raw);
  else
    buf_addb(ret, raw);
}
