/* Clock reads, and sleeps. */
#include "harness/vtime/preload/shim/shim.h"

#include <sys/time.h>
#include <threads.h>

EXPORT int clock_gettime(clockid_t id, struct timespec *ret)
{
  if (!shim_on() || !vtime_page_has(id))
    return (int)shim_result(S3(SYS_clock_gettime, id, ret, 0));
  int64_t ns =
      vtime_page_read_ns(shim_page) + vtime_page_offset_ns(shim_page, id);
  shim_put(ns, ret);
  return 0;
}

/* glibc's other names, for libraries that use them. */
EXPORT int __clock_gettime(clockid_t id, struct timespec *ret);
int __clock_gettime(clockid_t id, struct timespec *ret)
{
  return clock_gettime(id, ret);
}

/* The headers promise that there is a place for it; old programs pass none. */
static void put_timeval(struct timeval *volatile place, int64_t ns)
{
  struct timeval *tv = place;
  if (!tv)
    return;
  tv->tv_sec = ns / NS_PER_S;
  tv->tv_usec = ns % NS_PER_S / 1000;
}

EXPORT int gettimeofday(struct timeval *restrict tv, void *restrict zone)
{
  struct timezone *z = zone;
  if (!shim_on())
    return (int)shim_result(S3(SYS_gettimeofday, tv, zone, 0));
  put_timeval(tv, vtime_page_read_ns(shim_page) + shim_page->wall_offset_ns);
  if (z)
    *z = (struct timezone){0, 0};
  return 0;
}

EXPORT int __gettimeofday(struct timeval *tv, void *zone);
int __gettimeofday(struct timeval *tv, void *zone)
{
  return gettimeofday(tv, zone);
}

EXPORT time_t time(time_t *ret)
{
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  if (ret)
    *ret = t.tv_sec;
  return t.tv_sec;
}

EXPORT int timespec_get(struct timespec *ret, int base)
{
  if (base != TIME_UTC)
    return 0;
  clock_gettime(CLOCK_REALTIME, ret);
  return base;
}

/* ---- sleeps ---- */

/* The kernel has no sleep by the others (clock_nanosleep(2): ENOTSUP). */
static bool sleeps_by(clockid_t id)
{
  return id == CLOCK_REALTIME || id == CLOCK_MONOTONIC ||
         id == CLOCK_BOOTTIME || id == CLOCK_TAI;
}

static int sleep_of(clockid_t id, int flags, const struct timespec *t,
                    struct timespec *rem)
{
  bool absolute = (flags & TIMER_ABSTIME) != 0;
  if (!shim_valid(t))
    return EINVAL;
  int64_t now = shim_now();
  int64_t deadline =
      absolute ? shim_deadline(id, t) : shim_add(now, shim_ns(t));
  int rc =
      wait_until(deadline, deadline == SHIM_EVER ? SHIM_EVER : deadline - now);
  if (rc == EINTR && rem && !absolute) {
    int64_t left = deadline - shim_now();
    shim_put(left > 0 ? left : 0, rem);
  }
  return rc;
}

EXPORT int clock_nanosleep(clockid_t id, int flags, const struct timespec *t,
                           struct timespec *rem)
{
  if (!shim_on() || !sleeps_by(id))
    return (int)-S4(SYS_clock_nanosleep, id, flags, t, rem);
  return sleep_of(id, flags, t, rem);
}

EXPORT int nanosleep(const struct timespec *t, struct timespec *rem)
{
  if (!shim_on())
    return (int)shim_result(S3(SYS_nanosleep, t, rem, 0));
  return (int)shim_result(-sleep_of(CLOCK_MONOTONIC, 0, t, rem));
}

EXPORT int __nanosleep(const struct timespec *t, struct timespec *rem);
int __nanosleep(const struct timespec *t, struct timespec *rem)
{
  return nanosleep(t, rem);
}

EXPORT int usleep(useconds_t us)
{
  struct timespec t = {us / 1000000, (long)(us % 1000000) * 1000};
  return nanosleep(&t, NULL);
}

EXPORT unsigned sleep(unsigned s)
{
  struct timespec t = {s, 0}, left = {0, 0};
  if (nanosleep(&t, &left) == 0)
    return 0;
  return (unsigned)left.tv_sec; /* as both libraries: cut */
}

EXPORT int thrd_sleep(const struct timespec *t, struct timespec *rem)
{
  if (nanosleep(t, rem) == 0)
    return 0;
  return errno == EINTR ? -1 : -2; /* C11, 7.26.5.7 */
}
