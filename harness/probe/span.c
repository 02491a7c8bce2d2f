#include "harness/probe/span.h"

#include "harness/probe/obeyed.h"

/* Every wait so far was obeyed. */
static bool obeyed_all(const struct sight *s, double wait_s)
{
  for (size_t i = 0; i + 1 < s->ncalls; i++)
    if (sight_gap(s, i) < wait_s - 0.05)
      return false;
  return s->ncalls > 1;
}

void span_add(struct span *ret, const struct sight *s, size_t attempts,
              double wait_s)
{
  if (s->why || !obeyed_all(s, wait_s))
    return;
  double last_s = s->calls[s->ncalls - 1].at_s - s->calls[0].at_s;
  if (last_s > ret->low_s)
    ret->low_s = last_s;
  if (!sight_ended(s) || s->total >= attempts)
    return;
  /* It ended instead of waiting once more, or in the middle of the wait. */
  double high_s = last_s + sight_quiet_s(s) + wait_s;
  if (!ret->has_high || high_s < ret->high_s)
    ret->high_s = high_s;
  ret->has_high = true;
}
