/*
 * Condition variables of our own: a counter that each signal raises, inside
 * the library's 48 bytes. glibc's own cannot be used: they wait on after a
 * signal, so that nothing could end them, and a short wait in them that is
 * made again loses a signal that comes between.
 *
 * A wait is for the counter or for the slot's word (futex_waitv, Linux 5.16);
 * before that for the counter alone, and the signal ends it.
 */
#include "harness/vtime/preload/shim/shim.h"

#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <threads.h>

/* All zero is a fresh one of CLOCK_REALTIME, as PTHREAD_COND_INITIALIZER. */
struct condition {
  _Atomic uint32_t count, waiters;
  uint32_t clk;
};
_Static_assert(sizeof(struct condition) <= sizeof(pthread_cond_t), "inside");
_Static_assert(sizeof(cnd_t) == sizeof(pthread_cond_t), "the same");

static struct condition *of(void *c)
{
  return c;
}

/* Of kernels newer than these headers (linux/futex.h, asm/unistd_64.h). */
enum { NR_FUTEX_WAITV = 449, WORD_OF_32 = 2 };
struct waitv {
  uint64_t value, address;
  uint32_t flags, reserved;
};

static bool no_waitv;

static void wait_for_either(_Atomic uint32_t *count, uint32_t value,
                            _Atomic uint32_t *word)
{
  static const struct timespec slice = {SHIM_SLICE_S, 0};
  struct waitv v[2] = {{value, (uint64_t)count, WORD_OF_32, 0},
                       {0, (uint64_t)word, WORD_OF_32, 0}};
  struct timespec end;
  if (!no_waitv) {
    end = shim_real_in(CLOCK_MONOTONIC, SHIM_SLICE_S * NS_PER_S);
    long r = S6(NR_FUTEX_WAITV, v, 2, 0, &end, CLOCK_MONOTONIC, 0);
    if (r != -ENOSYS && r != -EPERM) /* containers that do not know it */
      return;
    no_waitv = true;
  }
  S4(SYS_futex, count, FUTEX_WAIT, value, &slice);
}

static void say_how(struct wait *w)
{
  w->how = no_waitv ? SLOT_BY_KICK : SLOT_BY_WORD;
  w->nr = no_waitv ? SYS_futex : NR_FUTEX_WAITV;
}

static struct wait wait_of(int64_t deadline_ns)
{
  int64_t ns = deadline_ns == SHIM_EVER ? SHIM_EVER : deadline_ns - shim_now();
  struct wait w = {.deadline_ns = deadline_ns, .asked_ns = ns};
  say_how(&w);
  return w;
}

/* Without a slot: opaque, and awake for no reason is allowed. */
static int wait_a_moment(struct condition *c, uint32_t value, int64_t ns)
{
  struct timespec t = {SHIM_SLICE_S, 0};
  if (ns < SHIM_SLICE_S * NS_PER_S)
    shim_put(ns, &t);
  S4(SYS_futex, &c->count, FUTEX_WAIT, value, &t);
  return 0;
}

static int wait_in(struct condition *c, uint32_t value, int64_t deadline_ns)
{
  struct wait w = wait_of(deadline_ns);
  int rc = 0;
  if (wait_is_over(&w))
    return ETIMEDOUT;
  if (!wait_begin(&w))
    return wait_a_moment(c, value, w.asked_ns);
  while (c->count == value) {
    wait_for_either(&c->count, value, &w.slot->word);
    if (c->count != value)
      break;
    if (wait_is_over(&w) || shim_alone()) {
      rc = ETIMEDOUT;
      break;
    }
    say_how(&w);
    wait_again(&w);
  }
  wait_end(&w);
  return rc;
}

/* When the clock's process has gone. NULL: without an end. */
static int wait_in_real_time(struct condition *c, uint32_t value, clockid_t id,
                             const struct timespec *t)
{
  int op = FUTEX_WAIT_BITSET;
  if (id == CLOCK_REALTIME)
    op |= FUTEX_CLOCK_REALTIME;
  while (c->count == value)
    if (S6(SYS_futex, &c->count, op, value, t, NULL, FUTEX_BITSET_MATCH_ANY) ==
        -ETIMEDOUT)
      return ETIMEDOUT;
  return 0;
}

static int wait_for(struct condition *c, pthread_mutex_t *m, clockid_t id,
                    const struct timespec *t)
{
  int64_t deadline = t ? shim_deadline(id, t) : SHIM_EVER;
  atomic_fetch_add(&c->waiters, 1);
  uint32_t value = c->count;
  int rc = pthread_mutex_unlock(m);
  if (rc != 0) { /* it is not the caller's */
    atomic_fetch_sub(&c->waiters, 1);
    return rc;
  }
  rc = shim_gone ? wait_in_real_time(c, value, id, t)
                 : wait_in(c, value, deadline);
  atomic_fetch_sub(&c->waiters, 1);
  int error = pthread_mutex_lock(m); /* EOWNERDEAD, say */
  return error ? error : rc;
}

static int wake(struct condition *c, int n)
{
  atomic_fetch_add(&c->count, 1);
  if (c->waiters)
    S4(SYS_futex, &c->count, FUTEX_WAKE, n, NULL);
  return 0;
}

/* ---- POSIX ---- */

EXPORT int pthread_cond_init(pthread_cond_t *restrict c,
                             const pthread_condattr_t *restrict a)
{
  static const pthread_cond_t fresh = PTHREAD_COND_INITIALIZER;
  clockid_t id = CLOCK_REALTIME;
  if (!shim_on() && !shim_page)
    return REAL(pthread_cond_init)(c, a);
  if (a)
    REAL(pthread_condattr_getclock)(a, &id);
  *c = fresh;
  of(c)->clk = (uint32_t)id;
  return 0;
}

/* Those that are on their way out still look at it (POSIX: it may be
 * destroyed as soon as nobody is blocked). */
EXPORT int pthread_cond_destroy(pthread_cond_t *c)
{
  if (!shim_on() && !shim_page)
    return REAL(pthread_cond_destroy)(c);
  while (of(c)->waiters) {
    wake(of(c), INT_MAX);
    S3(SYS_sched_yield, 0, 0, 0);
  }
  return 0;
}

EXPORT int pthread_cond_wait(pthread_cond_t *restrict c,
                             pthread_mutex_t *restrict m)
{
  if (!shim_on() && !shim_page)
    return REAL(pthread_cond_wait)(c, m);
  return wait_for(of(c), m, CLOCK_REALTIME, NULL);
}

static int timed_wait(pthread_cond_t *c, pthread_mutex_t *m, clockid_t id,
                      const struct timespec *t)
{
  if (t->tv_nsec < 0 || t->tv_nsec >= NS_PER_S)
    return EINVAL;
  return wait_for(of(c), m, id, t);
}

EXPORT int pthread_cond_timedwait(pthread_cond_t *restrict c,
                                  pthread_mutex_t *restrict m,
                                  const struct timespec *restrict t)
{
  if (!shim_on() && !shim_page)
    return REAL(pthread_cond_timedwait)(c, m, t);
  return timed_wait(c, m, (clockid_t)of(c)->clk, t);
}

EXPORT int pthread_cond_clockwait(pthread_cond_t *restrict c,
                                  pthread_mutex_t *restrict m, clockid_t id,
                                  const struct timespec *restrict t)
{
  if (!shim_on() && !shim_page)
    return REAL(pthread_cond_clockwait)(c, m, id, t);
  return timed_wait(c, m, id, t);
}

EXPORT int pthread_cond_signal(pthread_cond_t *c)
{
  if (!shim_on() && !shim_page)
    return REAL(pthread_cond_signal)(c);
  return wake(of(c), 1);
}

EXPORT int pthread_cond_broadcast(pthread_cond_t *c)
{
  if (!shim_on() && !shim_page)
    return REAL(pthread_cond_broadcast)(c);
  return wake(of(c), INT_MAX);
}

/* ---- C11: the same under other names ---- */

static pthread_cond_t *posix(cnd_t *c)
{
  return (pthread_cond_t *)(void *)c;
}

static pthread_mutex_t *mutex(mtx_t *m)
{
  return (pthread_mutex_t *)(void *)m;
}

EXPORT int cnd_init(cnd_t *c)
{
  return pthread_cond_init(posix(c), NULL) == 0 ? thrd_success : thrd_error;
}

EXPORT void cnd_destroy(cnd_t *c)
{
  pthread_cond_destroy(posix(c));
}

EXPORT int cnd_signal(cnd_t *c)
{
  return pthread_cond_signal(posix(c)) == 0 ? thrd_success : thrd_error;
}

EXPORT int cnd_broadcast(cnd_t *c)
{
  return pthread_cond_broadcast(posix(c)) == 0 ? thrd_success : thrd_error;
}

EXPORT int cnd_wait(cnd_t *c, mtx_t *m)
{
  return pthread_cond_wait(posix(c), mutex(m)) == 0 ? thrd_success : thrd_error;
}

EXPORT int cnd_timedwait(cnd_t *restrict c, mtx_t *restrict m,
                         const struct timespec *restrict t)
{
  switch (pthread_cond_timedwait(posix(c), mutex(m), t)) {
  case 0:
    return thrd_success;
  case ETIMEDOUT:
    return thrd_timedout;
  default:
    return thrd_error;
  }
}
