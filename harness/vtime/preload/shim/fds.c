/* Waits for descriptors: poll, epoll and their kin. */
#include "harness/vtime/preload/shim/fds.h"

#include <poll.h>
#include <sys/epoll.h>

static const struct timespec at_once = {0, 0}, slice = {SHIM_SLICE_S, 0};

static long until_kicked(const struct ask *a, const unsigned long *mask)
{
  bool was = wait_kicked();
  long r;
  do {
    wait_set_kick(false);
    r = a->call(a, NULL, mask);
  } while (r == -EINTR && wait_kicked());
  wait_set_kick(was);
  return r;
}

/* True: it is over, with *r. */
static bool is_done(const struct ask *a, const struct wait *w,
                    const unsigned long *mask, long *r)
{
  bool kicked = wait_kicked();
  if (*r > 0 || (*r < 0 && *r != -EINTR))
    return true;
  if (wait_is_over(w)) {
    *r = a->call(a, &at_once, mask);
    if (*r == -EINTR)
      *r = 0;
    return true;
  }
  if (*r == -EINTR)
    return !kicked;
  return shim_alone();
}

static long timed(const struct ask *a, const unsigned long *mask)
{
  struct wait w = {.deadline_ns = shim_add(shim_now(), a->ns),
                   .asked_ns = a->ns,
                   .how = SLOT_BY_KICK,
                   .nr = a->nr};
  struct timespec t;
  if (!wait_begin(&w)) {
    shim_put(a->ns, &t);
    return a->call(a, &t, mask);
  }
  long r = a->call(a, &slice, mask);
  while (!is_done(a, &w, mask, &r)) {
    wait_again(&w);
    r = a->call(a, &slice, mask);
  }
  wait_end(&w);
  return r;
}

long fds_ask(const struct ask *a)
{
  unsigned long mask = 0, *m = NULL;
  struct timespec t;
  if (a->mask) {
    mask = *(const unsigned long *)(const void *)a->mask;
    mask &= ~(1UL << (BOARD_KICK - 1));
    m = &mask;
  }
  if (a->ns < 0)
    return until_kicked(a, m);
  shim_put(a->ns, &t);
  if (a->ns == 0 || !shim_on())
    return a->call(a, &t, m);
  return timed(a, m);
}

static int64_t of_ms(int ms)
{
  return ms < 0 ? -1 : ms * NS_PER_MS;
}

/* ---- poll ---- */

static long call_poll(const struct ask *a, const struct timespec *t,
                      const unsigned long *mask)
{
  struct timespec copy = t ? *t : slice;
  return S6(SYS_ppoll, a->list, a->n, t ? &copy : NULL, mask, sizeof *mask, 0);
}

static long poll_for(struct pollfd *f, nfds_t n, int64_t ns,
                     const sigset_t *mask)
{
  struct ask a = {.call = call_poll,
                  .nr = SYS_ppoll,
                  .ns = ns,
                  .mask = mask,
                  .list = f,
                  .n = n};
  return fds_ask(&a);
}

long shim_poll_one(int fd, short events, int64_t ns)
{
  struct pollfd f = {fd, events, 0};
  return poll_for(&f, 1, ns, NULL);
}

EXPORT int poll(struct pollfd *f, nfds_t n, int ms)
{
  return (int)shim_result(poll_for(f, n, of_ms(ms), NULL));
}

EXPORT int ppoll(struct pollfd *f, nfds_t n, const struct timespec *t,
                 const sigset_t *mask)
{
  if (t && !shim_valid(t))
    return (int)shim_result(-EINVAL);
  return (int)shim_result(poll_for(f, n, t ? shim_ns(t) : -1, mask));
}

/* glibc, with -D_FORTIFY_SOURCE: the room was checked by the compiler where
 * it could be. */
EXPORT int __poll_chk(struct pollfd *f, nfds_t n, int ms, size_t room);
int __poll_chk(struct pollfd *f, nfds_t n, int ms, size_t room)
{
  if (room / sizeof *f < n)
    __builtin_trap();
  return poll(f, n, ms);
}

EXPORT int __ppoll_chk(struct pollfd *f, nfds_t n, const struct timespec *t,
                       const sigset_t *mask, size_t room);
int __ppoll_chk(struct pollfd *f, nfds_t n, const struct timespec *t,
                const sigset_t *mask, size_t room)
{
  if (room / sizeof *f < n)
    __builtin_trap();
  return ppoll(f, n, t, mask);
}

EXPORT int __poll(struct pollfd *f, nfds_t n, int ms);
int __poll(struct pollfd *f, nfds_t n, int ms)
{
  return poll(f, n, ms);
}

/* ---- epoll ---- */

static long call_epoll(const struct ask *a, const struct timespec *t,
                       const unsigned long *mask)
{
  int64_t ms = -1;
  if (t) /* in the kernel's own way: up to the next whole one */
    ms = ((int64_t)t->tv_sec * NS_PER_S + t->tv_nsec + NS_PER_MS - 1) /
         NS_PER_MS;
  return S6(SYS_epoll_pwait, a->fd, a->list, a->n, ms > INT32_MAX ? -1 : ms,
            mask, sizeof *mask);
}

static long epoll_for(int fd, struct epoll_event *e, int n, int64_t ns,
                      const sigset_t *mask)
{
  struct ask a = {.call = call_epoll,
                  .nr = SYS_epoll_pwait,
                  .ns = ns,
                  .mask = mask,
                  .list = e,
                  .n = (unsigned long)n,
                  .fd = fd};
  return fds_ask(&a);
}

EXPORT int epoll_pwait(int fd, struct epoll_event *e, int n, int ms,
                       const sigset_t *mask)
{
  return (int)shim_result(epoll_for(fd, e, n, of_ms(ms), mask));
}

EXPORT int epoll_wait(int fd, struct epoll_event *e, int n, int ms)
{
  return epoll_pwait(fd, e, n, ms, NULL);
}

EXPORT int epoll_pwait2(int fd, struct epoll_event *e, int n,
                        const struct timespec *t, const sigset_t *mask)
{
  if (t && !shim_valid(t))
    return (int)shim_result(-EINVAL);
  return (int)shim_result(epoll_for(fd, e, n, t ? shim_ns(t) : -1, mask));
}
