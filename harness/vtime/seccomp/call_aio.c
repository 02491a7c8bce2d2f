/* io_getevents and io_pgetevents: what they wait for cannot be watched from
 * outside, so that they wait in the kernel. An ended one that has some events
 * says so by itself. */
#include "harness/vtime/seccomp/backend.h"

struct reply call_io_getevents(struct backend *b, const struct call *c)
{
  int64_t ns;
  if (!memory_timespec(c->tid, c->arg[4], &ns) || ns == 0)
    return REPLY_GO_ON;
  return backend_go_on(b, c, ns);
}
