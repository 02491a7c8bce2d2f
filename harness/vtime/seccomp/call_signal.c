/* rt_sigtimedwait: backend_settle() lets the kernel do it when one of the
 * signals is pending. */
#include "harness/vtime/seccomp/backend.h"

struct reply call_rt_sigtimedwait(struct backend *b, const struct call *c)
{
  int64_t ns;
  uint64_t set;
  if (!memory_timespec(c->tid, c->arg[2], &ns) || ns == 0 ||
      !memory_get(c->tid, c->arg[0], &set, sizeof set))
    return REPLY_GO_ON;
  struct hold *h = backend_hold(b, c, HOLD_SIGNALS, ns);
  h->signals = set;
  h->has_signals = true;
  return REPLY_LATER;
}
