/*
 * Semaphores, and waits of the library that nothing can end from outside.
 *
 * A semaphore's wait returns EINTR after a signal, so it is ended by ours.
 * Timed locks and joins wait on after a signal: they are made in short real
 * slices, and look at the clock between. A slice that ends loses nothing.
 */
#include "harness/vtime/preload/shim/shim.h"

#include <pthread.h>
#include <semaphore.h>
#include <threads.h>

/* ---- semaphores ---- */

/* 0, or an errno. */
static int one_slice(sem_t *s)
{
  struct timespec end = shim_real_in(CLOCK_REALTIME, SHIM_SLICE_S * NS_PER_S);
  return REAL(sem_timedwait)(s, &end) == 0 ? 0 : errno;
}

static int sem_slices(sem_t *s, const struct wait *w)
{
  for (;;) {
    int error = one_slice(s);
    if (error != EINTR && error != ETIMEDOUT)
      return error;
    if (wait_is_over(w))
      return sem_trywait(s) == 0 ? 0 : ETIMEDOUT;
    if (error == EINTR && !wait_kicked())
      return EINTR;
    if (error == ETIMEDOUT && shim_alone())
      return ETIMEDOUT;
    wait_again(w);
  }
}

static int sem_until(sem_t *s, int64_t deadline_ns)
{
  int64_t now = shim_now();
  int64_t ns = deadline_ns == SHIM_EVER ? SHIM_EVER : deadline_ns - now;
  struct wait w = {.deadline_ns = deadline_ns,
                   .asked_ns = ns,
                   .how = SLOT_BY_KICK,
                   .nr = SYS_futex};
  struct timespec end;
  if (sem_trywait(s) == 0)
    return 0;
  if (ns <= 0)
    return (int)shim_result(-ETIMEDOUT);
  if (!wait_begin(&w)) {
    end = shim_real_in(CLOCK_REALTIME, ns < SHIM_EVER / 2 ? ns : SHIM_EVER / 2);
    return REAL(sem_timedwait)(s, &end);
  }
  int error = sem_slices(s, &w);
  wait_end(&w);
  return (int)shim_result(-error);
}

EXPORT int sem_timedwait(sem_t *restrict s, const struct timespec *restrict t)
{
  if (!shim_on())
    return REAL(sem_timedwait)(s, t);
  if (t->tv_nsec < 0 || t->tv_nsec >= NS_PER_S)
    return (int)shim_result(-EINVAL);
  return sem_until(s, shim_deadline(CLOCK_REALTIME, t));
}

EXPORT int sem_clockwait(sem_t *restrict s, clockid_t id,
                         const struct timespec *restrict t)
{
  if (!shim_on())
    return REAL(sem_clockwait)(s, id, t);
  if (t->tv_nsec < 0 || t->tv_nsec >= NS_PER_S)
    return (int)shim_result(-EINVAL);
  return sem_until(s, shim_deadline(id, t));
}

EXPORT int sem_wait(sem_t *s)
{
  bool was = wait_kicked();
  int rc;
  do {
    wait_set_kick(false);
    rc = REAL(sem_wait)(s);
  } while (rc != 0 && errno == EINTR && wait_kicked());
  wait_set_kick(was);
  return rc;
}

/* ---- what waits on after a signal ---- */

/* One try of at most a glance: 0, ETIMEDOUT or another errno. */
struct lock {
  int (*take)(const struct lock *l, const struct timespec *end);
  void *what;
  pthread_t thread; /* of a join, and where its value goes */
  void **value;
};

static int slices(const struct lock *l, int64_t deadline_ns)
{
  int64_t ns = deadline_ns - shim_now();
  struct wait w = {.deadline_ns = deadline_ns,
                   .asked_ns = ns > 0 ? ns : 0,
                   .how = SLOT_BY_ITSELF,
                   .nr = SYS_futex};
  struct timespec end = {0, 0}; /* long ago: it only looks */
  int rc = l->take(l, &end);
  if (rc != ETIMEDOUT || ns <= 0)
    return rc;
  bool slot = wait_begin(&w);
  do {
    end = shim_real_in(CLOCK_REALTIME, SHIM_GLANCE_NS);
    rc = l->take(l, &end);
    if (slot && rc == ETIMEDOUT && !wait_is_over(&w))
      wait_again(&w);
  } while (rc == ETIMEDOUT && !wait_is_over(&w) && !shim_alone());
  if (slot)
    wait_end(&w);
  return rc;
}

static int take_mutex(const struct lock *l, const struct timespec *end)
{
  return REAL(pthread_mutex_timedlock)(l->what, end);
}

static int until(struct lock l, clockid_t id, const struct timespec *t)
{
  static const struct timespec long_ago = {0, 0};
  if (t->tv_nsec >= 0 && t->tv_nsec < NS_PER_S)
    return slices(&l, shim_deadline(id, t));
  /* POSIX: a mutex that is free does not look at the time */
  int rc = l.take == take_mutex ? l.take(&l, &long_ago) : EINVAL;
  return rc == ETIMEDOUT ? EINVAL : rc;
}

static int take_read(const struct lock *l, const struct timespec *end)
{
  return REAL(pthread_rwlock_timedrdlock)(l->what, end);
}

static int take_write(const struct lock *l, const struct timespec *end)
{
  return REAL(pthread_rwlock_timedwrlock)(l->what, end);
}

static int take_end(const struct lock *l, const struct timespec *end)
{
  return REAL(pthread_timedjoin_np)(l->thread, l->value, end);
}

EXPORT int pthread_mutex_timedlock(pthread_mutex_t *restrict m,
                                   const struct timespec *restrict t)
{
  if (!shim_on())
    return REAL(pthread_mutex_timedlock)(m, t);
  return until((struct lock){.take = take_mutex, .what = m}, CLOCK_REALTIME, t);
}

EXPORT int pthread_mutex_clocklock(pthread_mutex_t *restrict m, clockid_t id,
                                   const struct timespec *restrict t)
{
  if (!shim_on())
    return REAL(pthread_mutex_clocklock)(m, id, t);
  return until((struct lock){.take = take_mutex, .what = m}, id, t);
}

EXPORT int mtx_timedlock(mtx_t *restrict m, const struct timespec *restrict t)
{
  switch (pthread_mutex_timedlock((pthread_mutex_t *)(void *)m, t)) {
  case 0:
    return thrd_success;
  case ETIMEDOUT:
    return thrd_timedout;
  default:
    return thrd_error;
  }
}

EXPORT int pthread_rwlock_timedrdlock(pthread_rwlock_t *restrict l,
                                      const struct timespec *restrict t)
{
  if (!shim_on())
    return REAL(pthread_rwlock_timedrdlock)(l, t);
  return until((struct lock){.take = take_read, .what = l}, CLOCK_REALTIME, t);
}

EXPORT int pthread_rwlock_timedwrlock(pthread_rwlock_t *restrict l,
                                      const struct timespec *restrict t)
{
  if (!shim_on())
    return REAL(pthread_rwlock_timedwrlock)(l, t);
  return until((struct lock){.take = take_write, .what = l}, CLOCK_REALTIME, t);
}

EXPORT int pthread_rwlock_clockrdlock(pthread_rwlock_t *restrict l,
                                      clockid_t id,
                                      const struct timespec *restrict t)
{
  if (!shim_on())
    return REAL(pthread_rwlock_clockrdlock)(l, id, t);
  return until((struct lock){.take = take_read, .what = l}, id, t);
}

EXPORT int pthread_rwlock_clockwrlock(pthread_rwlock_t *restrict l,
                                      clockid_t id,
                                      const struct timespec *restrict t)
{
  if (!shim_on())
    return REAL(pthread_rwlock_clockwrlock)(l, id, t);
  return until((struct lock){.take = take_write, .what = l}, id, t);
}

EXPORT int pthread_timedjoin_np(pthread_t thread, void **value,
                                const struct timespec *t)
{
  struct lock l = {.take = take_end, .thread = thread, .value = value};
  if (!shim_on() || !t)
    return REAL(pthread_timedjoin_np)(thread, value, t);
  return until(l, CLOCK_REALTIME, t);
}

EXPORT int pthread_clockjoin_np(pthread_t thread, void **value, clockid_t id,
                                const struct timespec *t)
{
  struct lock l = {.take = take_end, .thread = thread, .value = value};
  if (!shim_on() || !t)
    return REAL(pthread_clockjoin_np)(thread, value, id, t);
  return until(l, id, t);
}
