#include "mockserver/multipart.h"

#include <string.h>

/* A boundary has 1 to 70 characters (RFC 2046 5.1.1). */
enum { MAX_BOUNDARY = 70 };

static void skip(struct bytes *s, size_t n)
{
  s->p += n;
  s->n -= n;
}

static bool ends_word(char c)
{
  return c == ';' || c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* The value of `key`, quoted or not, in a header's line; false: absent. */
static bool parameter(struct bytes line, const char *key, struct bytes *ret)
{
  ptrdiff_t at = bytes_find(line, bytes_of(key));
  if (at < 0)
    return false;
  skip(&line, (size_t)at + strlen(key));
  bool quoted = line.n && line.p[0] == '"';
  if (quoted)
    skip(&line, 1);
  size_t n = 0;
  while (n < line.n && (quoted ? line.p[n] != '"' : !ends_word(line.p[n])))
    n++;
  *ret = (struct bytes){line.p, n};
  return true;
}

bool multipart_open(struct multipart *m, struct bytes type, struct bytes body)
{
  if (!parameter(type, "boundary=", &m->boundary) || !m->boundary.n ||
      m->boundary.n > MAX_BOUNDARY)
    return false;
  m->rest = body;
  if (body.n < m->boundary.n + 2 || memcmp(body.p, "--", 2) != 0 ||
      memcmp(body.p + 2, m->boundary.p, m->boundary.n) != 0)
    return false;
  skip(&m->rest, m->boundary.n + 2);
  return true;
}

static void read_head(struct bytes head, struct part *ret)
{
  *ret = (struct part){{"", 0}, {"", 0}, {"", 0}};
  /* "filename=" holds "name=", so the name is looked for with its blank */
  parameter(head, " name=", &ret->name);
  parameter(head, "filename=", &ret->filename);
}

bool multipart_next(struct multipart *m, struct part *ret)
{
  struct buf mark;
  if (m->rest.n < 2 || memcmp(m->rest.p, "\r\n", 2) != 0)
    return false; /* "--": the last one is behind us */
  skip(&m->rest, 2);
  ptrdiff_t head = bytes_find(m->rest, BYTES("\r\n\r\n"));
  if (head < 0)
    return false;
  read_head((struct bytes){m->rest.p, (size_t)head}, ret);
  skip(&m->rest, (size_t)head + 4);
  buf_init(&mark, MAX_BOUNDARY + 4);
  buf_adds(&mark, "\r\n--");
  buf_addb(&mark, m->boundary);
  ptrdiff_t end = bytes_find(m->rest, buf_bytes(&mark));
  if (end >= 0) {
    ret->content = (struct bytes){m->rest.p, (size_t)end};
    skip(&m->rest, (size_t)end + mark.n);
  }
  buf_release(&mark);
  return end >= 0;
}
