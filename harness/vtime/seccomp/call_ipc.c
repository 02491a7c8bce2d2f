/* semtimedop and message queues. */
#include "harness/vtime/seccomp/backend.h"

#include <errno.h>
#include <poll.h>
#include <sys/syscall.h>

/* Semaphores cannot be watched from outside: it waits in the kernel. */
struct reply call_semtimedop(struct backend *b, const struct call *c)
{
  int64_t ns;
  if (!memory_timespec(c->tid, c->arg[3], &ns))
    return REPLY_GO_ON;
  return backend_go_on_until(b, c, ns, -EAGAIN); /* semop(2) */
}

/* In the kernel its own time-out is a moment of the real wall clock: virtual
 * time is taken forward before it (kernel_wait.h). */
static struct reply mq_in_kernel(struct backend *b, const struct call *c,
                                 int64_t wall_ns, int64_t ns)
{
  struct reply r = backend_go_on_until(b, c, ns, -ETIMEDOUT);
  int64_t left = wall_ns - clock_wall_ns(clock_real());
  if (wall_ns != NO_DEADLINE)
    kernel_wait_of(&b->waits, c->tid)->kernel_end_ns =
        clock_now_ns(clock_real()) + (left > 0 ? left : 0);
  return r;
}

/* A queue is a descriptor (mq_overview(7)); the time-out is a moment of the
 * wall clock. */
struct reply call_mq_timed(struct backend *b, const struct call *c)
{
  int64_t wall, ns;
  short event = c->nr == SYS_mq_timedsend ? POLLOUT : POLLIN;
  if (!memory_timespec(c->tid, c->arg[4], &wall))
    return REPLY_GO_ON;
  ns = wall == NO_DEADLINE ? wall
                           : wall - backend_now(b) - b->page->wall_offset_ns;
  ns = ns > 0 ? ns : 0;
  struct hold *h = backend_hold_fd(b, c, (int)c->arg[0], event, ns);
  if (!h)
    return mq_in_kernel(b, c, wall, ns);
  h->end_result = -ETIMEDOUT;
  h->signal_result = -ERESTARTSYS_CODE;
  h->restarts = h->moment = true;
  return REPLY_LATER;
}
