#include "mockserver/journal_read.h"

#include "base/json_exact.h"

#include <inttypes.h>
#include <string.h>

/* Ceiling of one line: attempt_json() with a body of escapes has 2 MB. */
#define MAX_LINE ((size_t)16 << 20)
/* More requests than any run makes in a day. */
#define MAX_ATTEMPTS 10000000

/* Columns are those of the exact text, which nobody has: left out. */
static int in_line(struct diag *diag, const char *name, int line)
{
  diag_in_file(diag, name);
  diag->line = line;
  diag->column = 0;
  return -1;
}

static int read_line(struct attempt *ret, const char *name, struct bytes line,
                     struct diag *diag)
{
  struct json_doc doc;
  struct buf exact;
  buf_init(&exact, MAX_LINE);
  json_exact(line, &exact);
  int rc = exact.full ? diag_set(diag, "the line is too long")
                      : json_parse(&doc, name, buf_bytes(&exact), diag);
  if (rc == 0) {
    struct jval root = json_root(&doc);
    rc = attempt_read(ret, &root, diag);
    json_release(&doc);
  }
  buf_release(&exact);
  return rc;
}

static struct attempt *more(struct journal_copy *c, size_t *room)
{
  if (c->n == *room) {
    *room = *room ? 2 * *room : 16;
    c->attempts = mem_realloc(c->attempts, *room * sizeof *c->attempts);
  }
  return &c->attempts[c->n];
}

static int read_lines(struct journal_copy *c, const char *name,
                      struct bytes text, struct diag *diag)
{
  size_t room = 0;
  int line = 1;
  for (size_t at = 0; at < text.n; line++) {
    const char *end = memchr(text.p + at, '\n', text.n - at);
    size_t n = end ? (size_t)(end - text.p) - at : text.n - at;
    if (!end) {
      diag_set(diag, "the line has no end: was the run cut off?");
      return in_line(diag, name, line);
    }
    if (c->n == MAX_ATTEMPTS) {
      diag_set(diag, "more than %d attempts", MAX_ATTEMPTS);
      return in_line(diag, name, line);
    }
    if (read_line(more(c, &room), name, (struct bytes){text.p + at, n}, diag) <
        0)
      return in_line(diag, name, line);
    c->n++;
    at += n + 1;
  }
  return 0;
}

static int by_seq(const void *a, const void *b)
{
  const struct attempt *x = a, *y = b;
  return x->seq < y->seq ? -1 : x->seq > y->seq;
}

static int check_order(const struct journal_copy *c, const char *name,
                       struct diag *diag)
{
  for (size_t i = 1; i < c->n; i++)
    if (c->attempts[i].seq == c->attempts[i - 1].seq) {
      diag_set(diag, "attempt %" PRIu64 " stands twice", c->attempts[i].seq);
      diag_in_file(diag, name);
      return -1;
    }
  return 0;
}

int journal_read(struct journal_copy *ret, const char *name, struct bytes text,
                 struct diag *diag)
{
  struct journal_copy c = {0};
  int rc = read_lines(&c, name, text, diag);
  if (c.n)
    qsort(c.attempts, c.n, sizeof *c.attempts, by_seq);
  if (rc == 0)
    rc = check_order(&c, name, diag);
  if (rc < 0) {
    journal_copy_release(&c);
    return -1;
  }
  *ret = c;
  return 0;
}

void journal_copy_release(struct journal_copy *c)
{
  for (size_t i = 0; i < c->n; i++)
    attempt_release(&c->attempts[i]);
  free(c->attempts);
  memset(c, 0, sizeof *c);
}
