/* nanosleep and clock_nanosleep. */
#include "harness/vtime/seccomp/backend.h"

/* A relative sleep that a signal ends has the time left in `rem`. The kernel
 * writes it only then; we keep it right all the time, because a signal does
 * not ask us first. */
static struct reply sleep_for(struct backend *b, const struct call *c,
                              int64_t ns, uint64_t rem)
{
  if (ns <= 0)
    return REPLY_WITH(0);
  struct hold *h = backend_hold(b, c, HOLD_SLEEP, ns);
  if (rem) {
    h->left = rem;
    h->left_form = LEFT_TIMESPEC;
    h->left_always = true;
  }
  return REPLY_LATER;
}

struct reply call_nanosleep(struct backend *b, const struct call *c)
{
  int64_t ns;
  if (!memory_timespec(c->tid, c->arg[0], &ns))
    return REPLY_GO_ON;
  return sleep_for(b, c, ns, c->arg[1]);
}

struct reply call_clock_nanosleep(struct backend *b, const struct call *c)
{
  clockid_t id = (clockid_t)c->arg[0];
  int64_t ns;
  if (!vtime_page_has(id) || !memory_timespec(c->tid, c->arg[2], &ns))
    return REPLY_GO_ON;
  if (!(c->arg[1] & TIMER_ABSTIME))
    return sleep_for(b, c, ns, c->arg[3]);
  if (ns != NO_DEADLINE)
    ns -= vtime_page_offset_ns(b->page, id) + backend_now(b);
  return sleep_for(b, c, ns, 0);
}
