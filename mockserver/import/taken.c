#include "mockserver/import/taken.h"

#include "base/number.h"

#include <string.h>
#include <strings.h>

enum { MAX_NAME = 256, MAX_TARGET = 64 << 10, MAX_VALUE = 1 << 20 };

void taken_init(struct taken *t)
{
  *t = (struct taken){.at_ms = -1, .wait_ms = -1, .receive_ms = -1};
  buf_init(&t->method, MAX_NAME);
  buf_init(&t->target, MAX_TARGET);
  buf_init(&t->host, MAX_NAME);
  buf_init(&t->request, TAKEN_MAX_BODY);
  buf_init(&t->reason, MAX_VALUE);
  buf_init(&t->body, TAKEN_MAX_BODY);
}

void taken_release(struct taken *t)
{
  for (size_t i = 0; i < t->nheaders; i++) {
    free(t->headers[i].name);
    buf_release(&t->headers[i].value);
  }
  free(t->headers);
  free(t->pieces);
  buf_release(&t->method);
  buf_release(&t->target);
  buf_release(&t->host);
  buf_release(&t->request);
  buf_release(&t->reason);
  buf_release(&t->body);
  memset(t, 0, sizeof *t);
}

/* Room for one more, doubled at each power of two. */
static void *grow(void *p, size_t n, size_t size)
{
  return n & (n - 1) ? p : mem_realloc(p, (n ? 2 * n : 1) * size);
}

void taken_header(struct taken *t, struct bytes name, struct bytes value)
{
  t->headers = grow(t->headers, t->nheaders, sizeof *t->headers);
  struct taken_header *h = &t->headers[t->nheaders++];
  h->name = bytes_dup(name);
  buf_init(&h->value, MAX_VALUE);
  buf_addb(&h->value, value);
}

static struct bytes trim(struct bytes b)
{
  while (b.n && (b.p[0] == ' ' || b.p[0] == '\t')) {
    b.p++;
    b.n--;
  }
  while (b.n && (b.p[b.n - 1] == ' ' || b.p[b.n - 1] == '\t'))
    b.n--;
  return b;
}

bool taken_header_line(struct taken *t, struct bytes line)
{
  const char *colon = line.n ? memchr(line.p, ':', line.n) : NULL;
  if (!colon || colon == line.p)
    return false;
  size_t n = (size_t)(colon - line.p);
  if (memchr(line.p, ' ', n))
    return false;
  taken_header(t, (struct bytes){line.p, n},
               trim((struct bytes){colon + 1, line.n - n - 1}));
  return true;
}

bool taken_status_line(struct taken *t, struct bytes line)
{
  uint64_t status = 0;
  if (!bytes_starts(line, BYTES("HTTP/")))
    return false;
  const char *blank = memchr(line.p, ' ', line.n);
  if (!blank)
    return false;
  struct bytes rest = {blank + 1, (size_t)(line.p + line.n - blank - 1)};
  t->http_1 = bytes_starts(line, BYTES("HTTP/1"));
  if (number_take_u64(&rest, 999, &status) != NUMBER_OK || status < 100)
    return false;
  t->status = (int)status;
  buf_reset(&t->reason);
  t->has_reason = rest.n > 0 && t->http_1;
  if (rest.n > 1)
    buf_add(&t->reason, rest.p + 1, rest.n - 1);
  return rest.n == 0 || rest.p[0] == ' ';
}

void taken_piece(struct taken *t, struct bytes b, int64_t at_ms)
{
  buf_addb(&t->body, b);
  t->pieces = grow(t->pieces, t->npieces, sizeof *t->pieces);
  t->pieces[t->npieces++] = (struct taken_piece){t->body.n, at_ms};
}

const struct taken_header *taken_find(const struct taken *t, const char *name)
{
  for (size_t i = 0; i < t->nheaders; i++)
    if (strcasecmp(t->headers[i].name, name) == 0)
      return &t->headers[i];
  return NULL;
}

void taken_url(struct taken *t, struct bytes url)
{
  ptrdiff_t scheme = bytes_find(url, BYTES("://"));
  buf_reset(&t->host);
  buf_reset(&t->target);
  if (scheme >= 0) {
    url.p += scheme + 3;
    url.n -= (size_t)scheme + 3;
    size_t n = 0;
    while (n < url.n && url.p[n] != '/' && url.p[n] != '?' && url.p[n] != '#')
      n++;
    const char *user = n ? memrchr(url.p, '@', n) : NULL;
    size_t at = user ? (size_t)(user - url.p) + 1 : 0; /* credentials */
    buf_add(&t->host, url.p + at, n - at);
    url.p += n;
    url.n -= n;
  }
  const char *hash = url.n ? memchr(url.p, '#', url.n) : NULL;
  if (hash)
    url.n = (size_t)(hash - url.p);
  if (!url.n || url.p[0] != '/')
    buf_addc(&t->target, '/');
  buf_addb(&t->target, url);
}

/* Words of curl, of browsers (net::ERR_...), of Node and of Python. */
enum taken_end taken_end_of(const char *error)
{
  static const struct {
    const char *word;
    enum taken_end end;
  } words[] = {{"refused", TAKEN_REFUSED},
               {"reset", TAKEN_RESET},
               {"timed out", TAKEN_SILENT},
               {"timed_out", TAKEN_SILENT},
               {"timeout", TAKEN_SILENT},
               {"etimedout", TAKEN_SILENT},
               {"aborted", TAKEN_SILENT},
               {"silent", TAKEN_SILENT},
               {"closed", TAKEN_CLOSED},
               {"empty reply", TAKEN_CLOSED},
               {"empty_response", TAKEN_CLOSED},
               {"incomplete", TAKEN_CLOSED},
               {"content_length_mismatch", TAKEN_CLOSED},
               {"hang up", TAKEN_CLOSED},
               {"terminated", TAKEN_CLOSED},
               {"premature", TAKEN_CLOSED}};
  for (size_t i = 0; error && i < sizeof words / sizeof *words; i++)
    if (strcasestr(error, words[i].word))
      return words[i].end;
  return TAKEN_WHOLE;
}
