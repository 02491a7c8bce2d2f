/* syscall(2): calls that programs make by number through the library. */
#include "harness/vtime/preload/shim/shim.h"

#include <linux/futex.h>
#include <poll.h>
#include <stdarg.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/time.h>
#include <sys/timerfd.h>

/* ---- futex ---- */

struct futex {
  uint32_t *word;
  int op;
  uint32_t value;
  const struct timespec *t;
  uint32_t bits;
};

static long wait_a_slice(const struct futex *f)
{
  static const struct timespec slice = {SHIM_SLICE_S, 0};
  if ((f->op & FUTEX_CMD_MASK) == FUTEX_WAIT)
    return S4(SYS_futex, f->word, f->op, f->value, &slice);
  struct timespec end = shim_real_in(CLOCK_MONOTONIC, SHIM_SLICE_S * NS_PER_S);
  return S6(SYS_futex, f->word, f->op & ~FUTEX_CLOCK_REALTIME, f->value, &end,
            NULL, f->bits);
}

static int64_t deadline_of(const struct futex *f)
{
  bool wall = (f->op & FUTEX_CLOCK_REALTIME) != 0;
  if ((f->op & FUTEX_CMD_MASK) == FUTEX_WAIT)
    return shim_add(shim_now(), shim_ns(f->t));
  return shim_deadline(wall ? CLOCK_REALTIME : CLOCK_MONOTONIC, f->t);
}

static long wait_on(const struct futex *f)
{
  struct wait w = {.how = SLOT_BY_KICK, .nr = SYS_futex};
  long r;
  w.deadline_ns = deadline_of(f);
  w.asked_ns =
      w.deadline_ns == SHIM_EVER ? SHIM_EVER : w.deadline_ns - shim_now();
  if (wait_is_over(&w)) { /* the word may be another: the kernel says so */
    struct timespec none = {0, 0};
    return S6(SYS_futex, f->word, f->op, f->value, &none, NULL, f->bits);
  }
  if (!wait_begin(&w))
    return S6(SYS_futex, f->word, f->op, f->value, f->t, NULL, f->bits);
  for (;;) {
    r = wait_a_slice(f);
    if (r != -EINTR && r != -ETIMEDOUT)
      break;
    bool kicked = wait_kicked();
    if (wait_is_over(&w)) {
      r = -ETIMEDOUT;
      break;
    }
    if ((r == -EINTR && !kicked) || (r == -ETIMEDOUT && shim_alone()))
      break;
    wait_again(&w);
  }
  wait_end(&w);
  return r;
}

/* False: not a timed wait. */
static bool is_timed_wait(const long a[6])
{
  int op = (int)a[1] & FUTEX_CMD_MASK;
  const struct timespec *t = (const struct timespec *)a[3];
  return (op == FUTEX_WAIT || op == FUTEX_WAIT_BITSET) && t && shim_valid(t);
}

static long raw_futex(const long a[6])
{
  struct futex f = {(uint32_t *)a[0], (int)a[1], (uint32_t)a[2],
                    (const struct timespec *)a[3], (uint32_t)a[5]};
  return is_timed_wait(a) ? wait_on(&f) : sys6(SYS_futex, a);
}

/* ---- by number ---- */

static long raw_sleep(long n, const long a[6])
{
  if (n == SYS_nanosleep)
    return nanosleep((const struct timespec *)a[0], (struct timespec *)a[1]);
  int rc =
      clock_nanosleep((clockid_t)a[0], (int)a[1], (const struct timespec *)a[2],
                      (struct timespec *)a[3]);
  return shim_result(-rc);
}

static bool raw_clock(long n, const long a[6], long *ret)
{
  switch (n) {
  case SYS_clock_gettime:
    *ret = clock_gettime((clockid_t)a[0], (struct timespec *)a[1]);
    return true;
  case SYS_gettimeofday:
    *ret = gettimeofday((struct timeval *)a[0], (void *)a[1]);
    return true;
  case SYS_time:
    *ret = time((time_t *)a[0]);
    return true;
  case SYS_nanosleep:
  case SYS_clock_nanosleep:
    *ret = raw_sleep(n, a);
    return true;
  case SYS_futex:
    *ret = shim_result(raw_futex(a));
    return true;
  default:
    return false;
  }
}

static bool raw_fds(long n, const long a[6], long *ret)
{
  switch (n) {
  case SYS_poll:
    *ret = poll((struct pollfd *)a[0], (nfds_t)a[1], (int)a[2]);
    return true;
  case SYS_ppoll:
    *ret = ppoll((struct pollfd *)a[0], (nfds_t)a[1],
                 (const struct timespec *)a[2], (const sigset_t *)a[3]);
    return true;
  case SYS_select:
    *ret = select((int)a[0], (fd_set *)a[1], (fd_set *)a[2], (fd_set *)a[3],
                  (struct timeval *)a[4]);
    return true;
  case SYS_epoll_wait:
    *ret =
        epoll_wait((int)a[0], (struct epoll_event *)a[1], (int)a[2], (int)a[3]);
    return true;
  case SYS_epoll_pwait:
    *ret = epoll_pwait((int)a[0], (struct epoll_event *)a[1], (int)a[2],
                       (int)a[3], (const sigset_t *)a[4]);
    return true;
  case SYS_epoll_pwait2:
    *ret = epoll_pwait2((int)a[0], (struct epoll_event *)a[1], (int)a[2],
                        (const struct timespec *)a[3], (const sigset_t *)a[4]);
    return true;
  default:
    return false;
  }
}

static bool raw_timer(long n, const long a[6], long *ret)
{
  switch (n) {
  case SYS_rt_sigtimedwait:
    *ret = sigtimedwait((const sigset_t *)a[0], (siginfo_t *)a[1],
                        (const struct timespec *)a[2]);
    return true;
  case SYS_setitimer:
    *ret = setitimer((__itimer_which_t)a[0], (const struct itimerval *)a[1],
                     (struct itimerval *)a[2]);
    return true;
  case SYS_alarm:
    *ret = alarm((unsigned)a[0]);
    return true;
  case SYS_timerfd_create:
    *ret = timerfd_create((clockid_t)a[0], (int)a[1]);
    return true;
  case SYS_timerfd_settime:
    *ret =
        timerfd_settime((int)a[0], (int)a[1], (const struct itimerspec *)a[2],
                        (struct itimerspec *)a[3]);
    return true;
  case SYS_timerfd_gettime:
    *ret = timerfd_gettime((int)a[0], (struct itimerspec *)a[1]);
    return true;
  case SYS_io_uring_setup: /* waits in it would not be seen */
    *ret = shim_result(-ENOSYS);
    return true;
  default:
    return false;
  }
}

static bool raw_exec(long n, const long a[6], long *ret)
{
  char *const *argv = (char *const *)a[1], *const *envp = (char *const *)a[2];
  if (n == SYS_execve) {
    *ret = execve((const char *)a[0], argv, envp);
    return true;
  }
  argv = (char *const *)a[2];
  envp = (char *const *)a[3];
  if (n == SYS_execveat)
    *ret = execveat((int)a[0], (const char *)a[1], argv, envp, (int)a[4]);
  return n == SYS_execveat;
}

EXPORT long syscall(long n, ...)
{
  long a[6], ret;
  va_list list;
  va_start(list, n);
  for (int i = 0; i < 6; i++)
    a[i] = va_arg(list, long);
  va_end(list);
  if (shim_on() && (raw_clock(n, a, &ret) || raw_fds(n, a, &ret) ||
                    raw_timer(n, a, &ret) || raw_exec(n, a, &ret)))
    return ret;
  return shim_result(sys6(n, a));
}
