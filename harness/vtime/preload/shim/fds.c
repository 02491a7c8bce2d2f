/* Waits for descriptors: poll, select, epoll and their kin. */
#include "harness/vtime/preload/shim/shim.h"

#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>

static const struct timespec at_once = {0, 0}, slice = {SHIM_SLICE_S, 0};

/* One call of the kernel's. */
struct ask {
  long (*call)(const struct ask *a, const struct timespec *t,
               const unsigned long *mask);
  int nr;
  int64_t ns; /* negative: for ever */
  const sigset_t *mask;
  void *list; /* of descriptors */
  unsigned long n;
  int fd;            /* of epoll */
  fd_set *const *in; /* of select, and what was asked for */
  const fd_set *wanted;
};

static long until_kicked(const struct ask *a, const unsigned long *mask)
{
  long r;
  do {
    wait_forget_kick();
    r = a->call(a, NULL, mask);
  } while (r == -EINTR && wait_kicked());
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
  struct wait w = {NULL, shim_add(shim_now(), a->ns), a->ns, SLOT_BY_KICK,
                   a->nr};
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

static long ask(const struct ask *a)
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
  return ask(&a);
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

/* ---- select ---- */

static void copy_set(fd_set *to, const fd_set *from, unsigned long n)
{
  unsigned long *t = (unsigned long *)(void *)to;
  const unsigned long *f = (const unsigned long *)(const void *)from;
  for (unsigned long i = 0; i < (n + 63) / 64; i++)
    t[i] = f[i];
}

static long call_select(const struct ask *a, const struct timespec *t,
                        const unsigned long *mask)
{
  struct timespec copy = t ? *t : slice;
  struct {
    const unsigned long *mask;
    size_t size;
  } six = {mask, sizeof *mask};
  for (int i = 0; i < 3; i++)
    if (a->in[i])
      copy_set(a->in[i], &a->wanted[i], a->n);
  return S6(SYS_pselect6, a->n, a->in[0], a->in[1], a->in[2], t ? &copy : NULL,
            mask ? &six : NULL);
}

static long select_for(int n, fd_set *const in[3], int64_t ns,
                       const sigset_t *mask)
{
  fd_set wanted[3];
  struct ask a = {.call = call_select,
                  .nr = SYS_pselect6,
                  .ns = ns,
                  .mask = mask,
                  .n = (unsigned long)n,
                  .in = in,
                  .wanted = wanted};
  if (n < 0 || n > FD_SETSIZE) /* larger sets are no fd_set any more */
    return -EINVAL;
  for (int i = 0; i < 3; i++)
    if (in[i])
      copy_set(&wanted[i], in[i], a.n);
  return ask(&a);
}

EXPORT int select(int n, fd_set *restrict r, fd_set *restrict w,
                  fd_set *restrict e, struct timeval *restrict t)
{
  fd_set *const in[3] = {r, w, e};
  if (t && (t->tv_sec < 0 || t->tv_usec < 0))
    return (int)shim_result(-EINVAL);
  bool on = shim_on();
  int64_t ns = -1, begin = on ? shim_now() : 0;
  if (t)
    ns = (int64_t)t->tv_sec * NS_PER_S + (int64_t)t->tv_usec * 1000;
  long rc = select_for(n, in, ns, NULL);
  if (t && on) {
    int64_t left = ns - (shim_now() - begin);
    left = left > 0 ? left : 0;
    *t = (struct timeval){left / NS_PER_S, left % NS_PER_S / 1000};
  }
  return (int)shim_result(rc);
}

EXPORT int __select(int n, fd_set *r, fd_set *w, fd_set *e, struct timeval *t);
int __select(int n, fd_set *r, fd_set *w, fd_set *e, struct timeval *t)
{
  return select(n, r, w, e, t);
}

EXPORT int pselect(int n, fd_set *restrict r, fd_set *restrict w,
                   fd_set *restrict e, const struct timespec *restrict t,
                   const sigset_t *restrict mask)
{
  fd_set *const in[3] = {r, w, e};
  if (t && !shim_valid(t))
    return (int)shim_result(-EINVAL);
  return (int)shim_result(select_for(n, in, t ? shim_ns(t) : -1, mask));
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
  return ask(&a);
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
