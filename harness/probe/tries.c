#include "harness/probe/tries.h"

#include <string.h>

/* Shorter than any backoff that was ever recommended; a client that asks
 * again within it does not wait. */
#define NO_WAIT_S 0.05

static size_t same_body(const struct sight *s)
{
  size_t n = 0;
  for (size_t i = 0; i < s->ncalls; i++)
    n += s->calls[i].body == s->calls[0].body;
  return n;
}

/* Most of them: a busy machine may hold up one or the other. */
static bool is_fast(const struct sight *s)
{
  size_t fast = 0, all = 0;
  for (size_t i = 0; i + 1 < s->ncalls; i++, all++)
    fast += sight_gap(s, i) <= NO_WAIT_S;
  return fast * 2 > all;
}

struct tries tries_of(const struct sight *s)
{
  const struct sight_start *last = sight_last(s);
  struct tries t = {.n = s->total, .ended = sight_ended(s)};
  size_t same = same_body(s);
  /* Beyond what is kept nobody knows the bodies. */
  if (same > 1 && s->total == s->ncalls)
    t.n = same;
  t.fast = is_fast(s);
  if (last) {
    t.code = last->code;
    t.sig = last->sig;
  }
  return t;
}

char *tries_text(const struct tries *t)
{
  if (!t->ended)
    return t->n == 1 ? mem_strdup("1, then silence")
                     : mem_format("%zu or more", t->n);
  if (t->sig)
    return mem_format("%zu, then died of signal %d", t->n, t->sig);
  return mem_format("%zu, then exit %d", t->n, t->code);
}

static size_t count(const char *text, const char *word)
{
  size_t n = 0;
  for (const char *at = text; (at = strstr(at, word)); at += strlen(word))
    n++;
  return n;
}

struct answer answer_of(const struct sight *s, const char *first,
                        const char *last)
{
  const struct sight_start *end = sight_last(s);
  if (!end)
    return (struct answer){0};
  return (struct answer){.success =
                             !end->timed_out && !end->sig && end->code == 0,
                         .firsts = count(end->out, first),
                         .lasts = count(end->out, last)};
}
