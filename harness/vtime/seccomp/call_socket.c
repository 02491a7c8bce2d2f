/* SO_RCVTIMEO and SO_SNDTIMEO: remembered and never set, so that the kernel's
 * own time-out cannot fire. A thread found asleep in a receiving or sending
 * call on such a socket is ended at the deadline (kernel_wait.h). */
#include "harness/vtime/seccomp/backend.h"

#include <errno.h>
#include <sys/socket.h>

/* asm-generic/socket.h: the old number is that of struct timeval with the
 * machine's long, the new one of 64 bits; both are the same here. */
enum { RCVTIMEO_OLD = 20, SNDTIMEO_OLD, RCVTIMEO_NEW = 66, SNDTIMEO_NEW };

static bool is_send(const struct call *c)
{
  int name = (int)c->arg[2];
  return name == SNDTIMEO_OLD || name == SNDTIMEO_NEW;
}

struct reply call_setsockopt(struct backend *b, const struct call *c)
{
  int64_t ns;
  uint64_t inode = socket_inode(c->tid, (int)c->arg[0]);
  if (!inode || c->arg[4] < sizeof(struct timeval) ||
      !memory_timeval(c->tid, c->arg[3], &ns))
    return REPLY_GO_ON;
  socket_timeout_set(&b->waits, inode, is_send(c), ns);
  return REPLY_WITH(0);
}

/* What fits into the room that the caller has (getsockopt(2)). */
struct reply call_getsockopt(struct backend *b, const struct call *c)
{
  uint32_t room;
  uint64_t inode = socket_inode(c->tid, (int)c->arg[0]);
  if (!inode || !memory_get(c->tid, c->arg[4], &room, sizeof room) ||
      (int32_t)room < 0)
    return REPLY_GO_ON;
  int64_t ns = socket_timeout_of(&b->waits, inode, is_send(c));
  struct timeval t = {ns / NS_PER_S, ns % NS_PER_S / 1000};
  room = room < sizeof t ? room : (uint32_t)sizeof t;
  bool done = memory_put(c->tid, c->arg[3], &t, room) &&
              memory_put(c->tid, c->arg[4], &room, sizeof room);
  return REPLY_WITH(done ? 0 : -EFAULT);
}

/* Linux looks at this time-out only when a datagram has come (recvmmsg(2),
 * BUGS): the sleep itself has none, or that of the socket. */
struct reply call_recvmmsg(struct backend *b, const struct call *c)
{
  int64_t ns = b->waits.ntimeouts
                   ? socket_timeout_of(
                         &b->waits, socket_inode(c->tid, (int)c->arg[0]), false)
                   : 0;
  struct kernel_wait *k = kernel_wait_add(&b->waits, c);
  if (ns > 0) {
    k->asked_ns = ns;
    k->deadline_ns = ns_add(backend_now(b), ns);
    k->result = -EAGAIN;
  }
  return REPLY_GO_ON;
}
