#include "harness/probe/trials.h"

#include "harness/probe/tries.h"

#include <string.h>

static const struct sight *want_named(struct book *b, enum error_class c,
                                      const char *suffix, char *more)
{
  char *name = mem_format("%s%s", class_name(c), suffix);
  struct trial_ask ask = {.steps = class_steps(&b->face, c, more)};
  const struct sight *s = book_want(b, name, &ask);
  free(name);
  free(more);
  return s;
}

const struct sight *want_class(struct book *b, enum error_class c)
{
  return want_named(b, c, ", always", mem_strdup(""));
}

const struct sight *want_hinted(struct book *b, enum error_class c)
{
  /* a reset has no head that could name a wait */
  if (c == CLASS_RESET && !b->face.command)
    return want_class(b, c);
  return want_named(b, c, ", always, retry-after 1", wait_keys(&b->face, 1));
}

const struct sight *want_wait(struct book *b, double seconds, double watch_s)
{
  char *name = mem_format("429 once, retry-after %.0f, watched %.1f s", seconds,
                          watch_s);
  char *more = wait_keys(&b->face, seconds);
  struct trial_ask ask = {
      .steps = class_then_reply(&b->face, CLASS_RATE_LIMIT, more),
      .limit_s = watch_s};
  const struct sight *s = book_want(b, name, &ask);
  free(more);
  free(name);
  return s;
}

static const enum error_class waited[] = {CLASS_RATE_LIMIT, CLASS_OVERLOADED,
                                          CLASS_SERVER_ERROR};
enum { NWAITED = sizeof waited / sizeof waited[0] };

bool own_first_wait(struct book *b, double *ret_least_s, double *ret_most_s)
{
  double least = -1, most = -1;
  bool pending = false;
  for (size_t i = 0; i < NWAITED; i++) {
    const struct sight *s = want_class(b, waited[i]);
    pending = pending || !s;
    double gap = s ? sight_gap(s, 0) : -1;
    if (gap < 0)
      continue;
    least = least < 0 || gap < least ? gap : least;
    most = gap > most ? gap : most;
  }
  if (pending)
    return false;
  *ret_least_s = most < 0 ? 0 : least;
  *ret_most_s = most < 0 ? 0 : most;
  return true;
}

bool attempts_of(struct book *b, enum error_class c, size_t *ret)
{
  const struct sight *plain = want_class(b, c);
  const struct sight *hinted = want_hinted(b, c);
  if (!plain || !hinted)
    return false;
  struct tries t = tries_of(plain);
  *ret = t.n;
  /* All of them are known once it has ended by itself. */
  if (t.ended || t.n < 2)
    return true;
  struct tries h = tries_of(hinted);
  if (h.n > *ret)
    *ret = h.n;
  return true;
}

enum error_class most_repeated(struct book *b)
{
  enum error_class best = NCLASSES;
  size_t most = 1;
  bool pending = false;
  for (size_t i = 0; i < NWAITED; i++) {
    size_t n = 0;
    if (!attempts_of(b, waited[i], &n))
      pending = true;
    else if (n > most) {
      most = n;
      best = waited[i];
    }
  }
  return pending ? NCLASSES : best;
}
