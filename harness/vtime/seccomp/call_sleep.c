/* nanosleep and clock_nanosleep. */
#include "harness/vtime/seccomp/backend.h"

/* A relative sleep that a signal ends has the time left in `rem`. The kernel
 * writes it only then. Where a signal does not ask us first it is kept right
 * all the time, but not when it is what was asked for as well: a program that
 * sleeps again with it would sleep too short. */
static struct reply sleep_for(struct backend *b, const struct call *c,
                              int64_t ns, uint64_t request, uint64_t rem)
{
  if (ns <= 0)
    return REPLY_WITH(0);
  struct hold *h = backend_hold(b, c, HOLD_SLEEP, ns);
  if (rem) {
    h->left = rem;
    h->left_form = LEFT_TIMESPEC;
    h->left_always = !b->killable && rem != request;
  }
  return REPLY_LATER;
}

struct reply call_nanosleep(struct backend *b, const struct call *c)
{
  int64_t ns;
  if (!memory_timespec(c->tid, c->arg[0], &ns))
    return REPLY_GO_ON;
  return sleep_for(b, c, ns, c->arg[0], c->arg[1]);
}

struct reply call_clock_nanosleep(struct backend *b, const struct call *c)
{
  clockid_t id = (clockid_t)c->arg[0];
  int64_t ns;
  if (!vtime_page_has(id) || !memory_timespec(c->tid, c->arg[2], &ns))
    return REPLY_GO_ON;
  if (!(c->arg[1] & TIMER_ABSTIME))
    return sleep_for(b, c, ns, c->arg[2], c->arg[3]);
  if (ns != NO_DEADLINE)
    ns -= vtime_page_offset_ns(b->page, id) + backend_now(b);
  return sleep_for(b, c, ns, c->arg[2], 0);
}
