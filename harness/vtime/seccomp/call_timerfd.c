/* Timer descriptors: the kernel's timer is never armed but for the moment at
 * which it is to be readable. */
#include "harness/vtime/seccomp/backend.h"

#include "harness/vtime/table.h"

#include <errno.h>
#include <sys/timerfd.h>
#include <unistd.h>

/* Which clock it is of is in fdinfo (proc(5)). */
static bool clock_of(int tgid, int fd, clockid_t *ret)
{
  char path[64], room[1024];
  uint64_t id;
  snprintf(path, sizeof path, "/proc/%d/fdinfo/%d", tgid, fd);
  if (!table_decimal(proc_read(path, room, sizeof room), "clockid:", &id))
    return false;
  *ret = (clockid_t)id;
  return true;
}

static bool any(const struct backend *b)
{
  for (size_t i = 0; i < b->timers.n; i++)
    if (b->timers.timer[i].kind == TIMER_FD)
      return true;
  return false;
}

/* A descriptor the process has from another one: it is the owner from now
 * on. */
static struct vtimer *passed_on(struct backend *b, const struct call *c)
{
  clockid_t id;
  int fd = (int)c->arg[0];
  int copy = any(b) && clock_of(c->tgid, fd, &id)
                 ? backend_copy_fd(b, c->tgid, fd)
                 : -1;
  struct vtimer *t = copy < 0 ? NULL : timer_of_file(&b->timers, copy);
  if (copy >= 0)
    close(copy);
  if (t) {
    t->tgid = c->tgid;
    t->id = fd;
  }
  return t;
}

/* The record of that descriptor, if it still means the same timer. */
static struct vtimer *known(struct backend *b, const struct call *c)
{
  struct vtimer *t = timer_find(&b->timers, TIMER_FD, c->tgid, (int)c->arg[0]);
  if (t && !timer_is_alive(t)) {
    timer_drop(&b->timers, t);
    t = NULL;
  }
  if (t && t->tgid == c->tgid && t->id == (int)c->arg[0])
    return t;
  return passed_on(b, c);
}

static struct vtimer *make(struct backend *b, const struct call *c)
{
  clockid_t id;
  int fd = (int)c->arg[0];
  if (!clock_of(c->tgid, fd, &id))
    return NULL; /* no such descriptor: the kernel says so */
  int copy = backend_copy_fd(b, c->tgid, fd);
  if (copy < 0) {
    backend_lost(b, c->tgid, "its timer descriptors cannot be reached");
    return NULL;
  }
  struct vtimer *t = timer_add(&b->timers, TIMER_FD, c->tgid);
  t->id = fd;
  t->fd = copy;
  t->clk = id;
  return t;
}

static void put_old(const struct backend *b, const struct call *c,
                    uint64_t address, const struct vtimer *t)
{
  if (!address)
    return;
  memory_put_timespec(c->tid, address, t->interval_ns);
  memory_put_timespec(c->tid, address + sizeof(struct timespec),
                      timer_left(t, backend_now(b)));
}

/* The kernel refuses others. */
enum { TIMERFD_FLAGS = TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET };

struct reply call_timerfd_settime(struct backend *b, const struct call *c)
{
  static const struct itimerspec off;
  int64_t interval, ns;
  if ((c->arg[1] & ~(uint64_t)TIMERFD_FLAGS & UINT32_MAX) ||
      !memory_timespec(c->tid, c->arg[2], &interval) ||
      !memory_timespec(c->tid, c->arg[2] + sizeof(struct timespec), &ns))
    return REPLY_GO_ON;
  struct vtimer *t = known(b, c);
  if (!t)
    t = make(b, c);
  if (!t)
    return REPLY_GO_ON;
  put_old(b, c, c->arg[3], t);
  timerfd_settime(t->fd, 0, &off, NULL); /* also takes old ticks out of it */
  if (ns && ns != NO_DEADLINE && (c->arg[1] & TFD_TIMER_ABSTIME)) {
    ns -= vtime_page_offset_ns(b->page, t->clk) + backend_now(b);
    ns = ns > 0 ? ns : 1;
  }
  t->interval_ns = interval;
  t->asked_ns = ns;
  t->deadline_ns = ns > 0 ? ns_add(backend_now(b), ns) : NO_DEADLINE;
  return REPLY_WITH(0);
}

struct reply call_timerfd_gettime(struct backend *b, const struct call *c)
{
  const struct vtimer *t = known(b, c);
  if (!t)
    return REPLY_GO_ON; /* never armed */
  put_old(b, c, c->arg[1], t);
  return REPLY_WITH(0);
}
