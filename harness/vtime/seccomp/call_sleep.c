/* nanosleep and clock_nanosleep. */
#include "harness/vtime/seccomp/backend.h"

#include <signal.h>

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

/* Not all clocks that can be read can wait: the coarse ones cannot, those for
 * alarms only with rights and with a clock in the machine. Asked of the kernel
 * once each. */
bool clock_can_wait(clockid_t id)
{
  static int8_t can[CLOCK_TAI + 1]; /* 0: not asked yet */
  struct sigevent none = {.sigev_notify = SIGEV_NONE};
  timer_t t;
  if (!vtime_page_has(id))
    return false;
  if (can[id] == 0) {
    can[id] = timer_create(id, &none, &t) == 0 ? 1 : -1;
    if (can[id] > 0)
      timer_delete(t);
  }
  return can[id] > 0;
}

struct reply call_clock_nanosleep(struct backend *b, const struct call *c)
{
  clockid_t id = (clockid_t)c->arg[0];
  int64_t ns;
  if (!clock_can_wait(id) || !memory_timespec(c->tid, c->arg[2], &ns))
    return REPLY_GO_ON;
  if (!(c->arg[1] & TIMER_ABSTIME))
    return sleep_for(b, c, ns, c->arg[2], c->arg[3]);
  if (ns != NO_DEADLINE)
    ns -= vtime_page_offset_ns(b->page, id) + backend_now(b);
  struct reply r = sleep_for(b, c, ns, c->arg[2], 0);
  if (r.word == REPLY_HELD)
    b->holds.hold[b->holds.n - 1]->moment = true;
  return r;
}
