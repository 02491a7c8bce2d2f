/* SO_RCVTIMEO and SO_SNDTIMEO: remembered and never set, so that the kernel's
 * own time-out cannot fire. A thread found asleep in a receiving call on such
 * a socket is ended at the deadline (kernel_wait.h). A sender blocks only as
 * long as our own server does not read, so that its time-out is left out. */
#include "harness/vtime/seccomp/backend.h"

#include <sys/socket.h>

/* asm-generic/socket.h: the old number is that of struct timeval with the
 * machine's long, the new one of 64 bits; both are the same here. */
enum { RCVTIMEO_OLD = 20, RCVTIMEO_NEW = 66 };

struct reply call_setsockopt(struct backend *b, const struct call *c)
{
  int64_t ns;
  uint64_t inode = socket_inode(c->tgid, (int)c->arg[0]);
  int name = (int)c->arg[2];
  if (!inode || c->arg[4] < sizeof(struct timeval) ||
      !memory_timeval(c->tid, c->arg[3], &ns))
    return REPLY_GO_ON;
  if (name == RCVTIMEO_OLD || name == RCVTIMEO_NEW)
    socket_timeout_set(&b->waits, inode, ns);
  return REPLY_WITH(0);
}
