/* Clock reads that come as calls: raw ones, and those of a vDSO that has no
 * room for the fast code or has not mapped the page yet. */
#include "harness/vtime/seccomp/backend.h"
#include "harness/vtime/seccomp/vdso_code.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>

/* The page's descriptor into the client, which closes it at once. */
static struct reply give_page(struct backend *b, const struct call *c)
{
  struct seccomp_notif_addfd add = {
      .id = c->id, .srcfd = (uint32_t)b->page_fd, .newfd_flags = O_CLOEXEC};
  int fd = ioctl(c->listener, SECCOMP_IOCTL_NOTIF_ADDFD, &add);
  return REPLY_WITH(fd < 0 ? 0 : fd + 1);
}

/* An address that cannot be written to is the kernel's affair, and so is a
 * process whose memory we may not reach, which has the real clock then. */
static struct reply put_clock(struct backend *b, const struct call *c)
{
  int64_t ns = vtime_page_read_ns(b->page) +
               vtime_page_offset_ns(b->page, (clockid_t)c->arg[0]);
  struct timespec t = {ns / NS_PER_S, ns % NS_PER_S};
  return memory_put(c->tid, c->arg[1], &t, sizeof t) ? REPLY_WITH(0)
                                                     : REPLY_GO_ON;
}

struct reply call_clock_gettime(struct backend *b, const struct call *c)
{
  uint32_t word = (uint32_t)c->arg[2];
  if (!vtime_page_has((clockid_t)c->arg[0]))
    return REPLY_GO_ON; /* CPU time */
  b->counts.clock_reads++;
  if (word == VDSO_WANTS_PAGE && vdso_take_page(&b->vdso, c->tgid)) {
    struct reply r = give_page(b, c);
    if (r.value > 0)
      return r;
  }
  if (word == VDSO_HAS_PAGE)
    vdso_switch(&b->vdso, c->tgid);
  return put_clock(b, c);
}

struct reply call_gettimeofday(struct backend *b, const struct call *c)
{
  int64_t ns = vtime_page_read_ns(b->page) + b->page->wall_offset_ns;
  struct timeval t = {ns / NS_PER_S, ns % NS_PER_S / 1000};
  static const int zone[2]; /* UTC, no daylight saving: as the kernel */
  b->counts.clock_reads++;
  bool done = (!c->arg[0] || memory_put(c->tid, c->arg[0], &t, sizeof t)) &&
              (!c->arg[1] || memory_put(c->tid, c->arg[1], zone, sizeof zone));
  return done ? REPLY_WITH(0) : REPLY_GO_ON;
}

struct reply call_time(struct backend *b, const struct call *c)
{
  int64_t s =
      (vtime_page_read_ns(b->page) + b->page->wall_offset_ns) / NS_PER_S;
  b->counts.clock_reads++;
  if (c->arg[0] && !memory_put(c->tid, c->arg[0], &s, sizeof s))
    return REPLY_GO_ON;
  return REPLY_WITH(s);
}
