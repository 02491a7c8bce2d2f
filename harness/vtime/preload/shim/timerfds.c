/* Timer descriptors: the kernel's own, never armed but for a moment when
 * their virtual time has come. */
#include "harness/vtime/preload/shim/timers.h"

#include <sys/timerfd.h>

/* What a descriptor's absolute times are of, plus 1; later ones are of the
 * monotonic clock. */
static uint8_t clk_of[4096];

/* Is there anything to look for on the board? */
static bool has_any(unsigned first, unsigned last)
{
  for (size_t fd = first; fd <= last && fd < sizeof clk_of; fd++)
    if (clk_of[fd])
      return true;
  return last >= sizeof clk_of;
}

void timerfd_close(unsigned first, unsigned last)
{
  if (!has_any(first, last) || !shim_on())
    return;
  int pid = shim_pid();
  for (size_t fd = first; fd <= last && fd < sizeof clk_of; fd++)
    clk_of[fd] = 0;
  for (int i = 0; i < BOARD_TIMERS; i++) {
    struct board_timer *t = &shim_board->timer[i];
    if (timer_is_own(t, TIMER_FD, pid) && t->id >= 0 &&
        (unsigned)t->id >= first && (unsigned)t->id <= last)
      timer_free(t);
  }
}

/* After exec: those that were not closed by it go on. */
void timerfd_inherit(void)
{
  struct itimerspec left;
  int pid = shim_pid();
  for (int i = 0; i < BOARD_TIMERS; i++) {
    struct board_timer *t = &shim_board->timer[i];
    if (!timer_is_own(t, TIMER_FD, pid))
      continue;
    if (S3(SYS_timerfd_gettime, t->id, &left, 0) != 0)
      timer_free(t);
    else if (t->id >= 0 && (size_t)t->id < sizeof clk_of)
      clk_of[t->id] = CLOCK_MONOTONIC + 1;
  }
}

static clockid_t clock_of(int fd)
{
  if ((size_t)fd < sizeof clk_of && clk_of[fd])
    return clk_of[fd] - 1;
  return CLOCK_MONOTONIC;
}

EXPORT int timerfd_create(clockid_t id, int flags)
{
  long fd = S3(SYS_timerfd_create, id, flags, 0);
  if (fd >= 0) /* one of that number may have ended where nobody saw it */
    timerfd_close((unsigned)fd, (unsigned)fd);
  if (fd >= 0 && (size_t)fd < sizeof clk_of)
    clk_of[fd] = (uint8_t)(id + 1);
  return (int)shim_result(fd);
}

static long real_settime(int fd, int flags, const struct itimerspec *v,
                         struct itimerspec *old)
{
  return S4(SYS_timerfd_settime, fd, flags, v, old);
}

static void put_spec(struct timer_left left, struct itimerspec *ret)
{
  shim_put(left.ns, &ret->it_value);
  shim_put(left.interval_ns, &ret->it_interval);
}

EXPORT int timerfd_settime(int fd, int flags, const struct itimerspec *v,
                           struct itimerspec *old)
{
  struct itimerspec off = {{0, 0}, {0, 0}};
  if (!shim_on())
    return (int)shim_result(real_settime(fd, flags, v, old));
  if (!shim_valid(&v->it_value) || !shim_valid(&v->it_interval))
    return (int)shim_result(-EINVAL);
  long r = real_settime(fd, 0, &off, NULL); /* ends that were not read go */
  if (r < 0)
    return (int)shim_result(r);
  struct board_timer *t = timer_find(TIMER_FD, fd);
  if (old)
    put_spec(timer_get(t), old);
  if (!t)
    t = timer_make(TIMER_FD, fd);
  if (t && (size_t)fd < sizeof clk_of && !clk_of[fd]) /* a copy, by dup */
    clk_of[fd] = CLOCK_MONOTONIC + 1;
  if (!t)
    return (int)shim_result(real_settime(fd, flags, v, NULL));
  timer_arm(
      t, timer_deadline(clock_of(fd), flags & TFD_TIMER_ABSTIME, &v->it_value),
      shim_ns(&v->it_interval));
  return 0;
}

EXPORT int timerfd_gettime(int fd, struct itimerspec *ret)
{
  struct board_timer *t = shim_on() ? timer_find(TIMER_FD, fd) : NULL;
  if (!t)
    return (int)shim_result(S3(SYS_timerfd_gettime, fd, ret, 0));
  put_spec(timer_get(t), ret);
  return 0;
}

/* In the signal handler, when the coordinator cannot do it itself. */
void shim_arm_due(void)
{
  static const struct itimerspec now = {{0, 0}, {0, 1}};
  int pid = shim_pid();
  for (int i = 0; i < BOARD_TIMERS; i++) {
    struct board_timer *t = &shim_board->timer[i];
    if (timer_is_own(t, TIMER_FD, pid) && atomic_exchange(&t->due, 0))
      real_settime(t->id, 0, &now, NULL);
  }
}
