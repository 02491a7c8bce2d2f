/* One line at a time; a line that is a comment is not kept. */
#include "guard/sse.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* "event" and "data" with colon, space and a BOM in front, so that a line of
 * the largest event fits. */
enum { LINE_SLACK_BYTES = 16, FIRST_CAP_BYTES = 256 };

struct grow {
  char *p;
  size_t n, cap;
};

struct guard_sse {
  guard_sse_event_fn *fn;
  void *arg;
  size_t max;
  struct grow line, type, data;
  bool has_data;   /* a data field was seen, even an empty one */
  bool in_comment; /* the line began with a colon */
  bool after_cr;   /* a LF now belongs to the line end before */
  bool first_line; /* a BOM may stand here */
  bool too_big;
};

struct guard_sse *guard_sse_new(size_t max_event_bytes, guard_sse_event_fn *fn,
                                void *arg)
{
  struct guard_sse *s = calloc(1, sizeof(*s));

  if (!s)
    return NULL;
  s->fn = fn;
  s->arg = arg;
  s->max = max_event_bytes < SIZE_MAX / 4 ? max_event_bytes : SIZE_MAX / 4;
  s->first_line = true;
  return s;
}

void guard_sse_free(struct guard_sse *s)
{
  if (!s)
    return;
  free(s->line.p);
  free(s->type.p);
  free(s->data.p);
  free(s);
}

/* False when |max| would be passed, or without memory. */
static bool append(struct grow *g, const char *p, size_t n, size_t max)
{
  if (n > max || g->n > max - n)
    return false;
  if (g->n + n > g->cap) {
    size_t cap = g->cap ? g->cap : FIRST_CAP_BYTES;
    char *bigger;

    while (cap < g->n + n)
      cap *= 2;
    bigger = realloc(g->p, cap);
    if (!bigger)
      return false;
    g->p = bigger;
    g->cap = cap;
  }
  if (n > 0)
    memcpy(g->p + g->n, p, n);
  g->n += n;
  return true;
}

static void forget_event(struct guard_sse *s)
{
  s->type.n = 0;
  s->data.n = 0;
  s->has_data = false;
}

static void dispatch(struct guard_sse *s)
{
  struct guard_sse_event e = {"", s->type.n, "", s->data.n};

  if (s->has_data) {
    if (s->type.n > 0)
      e.type = s->type.p;
    if (s->data.n > 0)
      e.data = s->data.p;
    s->fn(s->arg, &e);
  }
  forget_event(s);
}

static bool take_data(struct guard_sse *s, const char *value, size_t n)
{
  size_t max = s->max - s->type.n;

  if (s->has_data && !append(&s->data, "\n", 1, max))
    return false;
  s->has_data = true;
  return append(&s->data, value, n, max);
}

static bool take_type(struct guard_sse *s, const char *value, size_t n)
{
  s->type.n = 0;
  return append(&s->type, value, n, s->max - s->data.n);
}

/* "name: value"; one space behind the colon is dropped. */
static bool take_field(struct guard_sse *s, const char *line, size_t n)
{
  const char *colon = memchr(line, ':', n);
  size_t name_n = colon ? (size_t)(colon - line) : n;
  const char *value = colon ? colon + 1 : line + n;
  size_t value_n = n - (size_t)(value - line);

  if (value_n > 0 && value[0] == ' ') {
    value++;
    value_n--;
  }
  if (name_n == 4 && memcmp(line, "data", 4) == 0)
    return take_data(s, value, value_n);
  if (name_n == 5 && memcmp(line, "event", 5) == 0)
    return take_type(s, value, value_n);
  return true; /* id, retry, a comment behind a BOM, unknown names */
}

static bool end_line(struct guard_sse *s)
{
  const char *line = s->line.p ? s->line.p : "";
  size_t n = s->line.n;
  bool comment = s->in_comment;

  if (s->first_line && n >= 3 && memcmp(line, "\xef\xbb\xbf", 3) == 0) {
    line += 3;
    n -= 3;
  }
  s->first_line = false;
  s->in_comment = false;
  s->line.n = 0;
  if (comment)
    return true;
  if (n > 0)
    return take_field(s, line, n);
  dispatch(s);
  return true;
}

/* The bytes of a line up to its end, none of them CR or LF. */
static bool take_bytes(struct guard_sse *s, const char *p, size_t n)
{
  if (s->line.n == 0 && !s->in_comment && p[0] == ':')
    s->in_comment = true;
  if (s->in_comment)
    return true;
  return append(&s->line, p, n, s->max + LINE_SLACK_BYTES);
}

static size_t line_bytes(const char *p, size_t n)
{
  size_t i = 0;

  while (i < n && p[i] != '\n' && p[i] != '\r')
    i++;
  return i;
}

enum guard_sse_result guard_sse_feed(struct guard_sse *s, const char *p,
                                     size_t n)
{
  size_t at = 0;

  while (at < n && !s->too_big) {
    size_t run = line_bytes(p + at, n - at);

    if (run > 0) {
      s->after_cr = false;
      s->too_big = !take_bytes(s, p + at, run);
    } else if (p[at] == '\n' && s->after_cr) {
      s->after_cr = false;
      run = 1;
    } else {
      s->after_cr = p[at] == '\r';
      s->too_big = !end_line(s);
      run = 1;
    }
    at += run;
  }
  return s->too_big ? GUARD_SSE_TOO_BIG : GUARD_SSE_OK;
}

bool guard_sse_inside_event(const struct guard_sse *s)
{
  return s->has_data || s->type.n > 0 || s->line.n > 0;
}
