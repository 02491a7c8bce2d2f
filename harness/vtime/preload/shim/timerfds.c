/* Timer descriptors: the kernel's own, never armed but for a moment when
 * their virtual time has come. */
#include "harness/vtime/preload/shim/timers.h"

#include <sys/timerfd.h>

/* What a descriptor's absolute times are of, plus 1; later ones are of the
 * monotonic clock. */
static uint8_t clk_of[4096];

void timerfd_closes(int fd);
void timerfd_closes(int fd)
{
  if (fd < 0 || (size_t)fd >= sizeof clk_of || !clk_of[fd])
    return;
  clk_of[fd] = 0;
  struct board_timer *t = shim_on() ? timer_find(TIMER_FD, fd) : NULL;
  if (t)
    timer_free(t);
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
    if (t->state != TIMER_FREE && t->pid == pid && t->kind == TIMER_FD &&
        atomic_exchange(&t->due, 0))
      real_settime(t->id, 0, &now, NULL);
  }
}
