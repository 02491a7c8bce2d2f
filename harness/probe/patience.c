#include "harness/probe/patience.h"

#include <string.h>

static double stayed(const struct sight_call *c)
{
  return c->end_s - c->at_s;
}

/* A client that is ended at the limit leaves its call as well; that is no
 * time-out of its own. */
static bool left_by_itself(const struct sight *s, size_t i)
{
  if (i >= s->ncalls || !s->calls[i].left)
    return false;
  return i + 1 < s->ncalls || sight_ended(s);
}

struct patience patience_of(const struct sight *s)
{
  struct patience p;
  memset(&p, 0, sizeof p);
  if (s->why || s->ncalls == 0) {
    p.no_silence = true;
    return p;
  }
  p.ended = sight_ended(s);
  p.retries = s->total - 1;
  p.known = left_by_itself(s, 0);
  if (p.known) {
    p.s = stayed(&s->calls[0]);
    if (left_by_itself(s, 1) && p.s > 0)
      p.stretch = stayed(&s->calls[1]) / p.s;
  } else if (p.ended || s->ncalls > 1) {
    p.no_silence = true;
  } else {
    p.s = sight_took_s(s);
  }
  return p;
}
