/* Semaphores, timed locks, timed joins. */
#include "tests/vtime/library/library.h"

#include <errno.h>
#include <semaphore.h>
#include <signal.h>

static sem_t sem;

static int as_errno(int rc)
{
  errno = rc;
  return rc ? -1 : 0;
}

static void post(void *arg)
{
  sem_post(arg);
}

const char *sem_ever(void)
{
  int64_t begin = now();
  sem_init(&sem, 0, 0);
  later(post, &sem);
  int rc = sem_wait(&sem);
  const char *bad = gave(rc, 0, 0, begin, 1);
  later_join();
  return bad;
}

static void on_signal(int sig)
{
  (void)sig;
}

static void interrupt(void *arg)
{
  pthread_kill(*(pthread_t *)arg, SIGUSR1);
}

static const char *sem_once(void (*f)(void *arg), void *arg, int error)
{
  struct timespec end = at(CLOCK_REALTIME, 2);
  int64_t begin = now();
  if (f)
    later(f, arg);
  int rc = sem_timedwait(&sem, &end);
  const char *bad = gave(rc, error ? -1 : 0, error, begin, f ? 1 : 2);
  if (f)
    later_join();
  return bad;
}

const char *sem_timed(void)
{
  struct sigaction sa = {.sa_handler = on_signal};
  pthread_t self = pthread_self();
  sem_init(&sem, 0, 0);
  sigaction(SIGUSR1, &sa, NULL);
  const char *bad = sem_once(post, &sem, 0);
  bad = either(bad, sem_once(NULL, NULL, ETIMEDOUT));
  return either(bad, sem_once(interrupt, &self, EINTR));
}

const char *sem_clock(void)
{
  struct timespec end = at(CLOCK_MONOTONIC, 2);
  int64_t begin = now();
  sem_init(&sem, 0, 0);
  return gave(sem_clockwait(&sem, CLOCK_MONOTONIC, &end), -1, ETIMEDOUT, begin,
              2);
}

/* ---- locks: another thread keeps it for three units ---- */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t kept;

static void *keep_mutex(void *arg)
{
  pthread_mutex_lock(&mutex);
  pthread_barrier_wait(&kept);
  nap(3);
  pthread_mutex_unlock(&mutex);
  return arg;
}

static void *keep_rwlock(void *arg)
{
  pthread_rwlock_wrlock(&rwlock);
  pthread_barrier_wait(&kept);
  nap(3);
  pthread_rwlock_unlock(&rwlock);
  return arg;
}

/* ETIMEDOUT after two units, and, asked again for another four, 0 after three
 * in all. */
static const char *twice(void *(*keep)(void *arg),
                         int (*take)(const struct timespec *end), clockid_t id)
{
  pthread_t t;
  pthread_barrier_init(&kept, NULL, 2);
  pthread_create(&t, NULL, keep, NULL);
  pthread_barrier_wait(&kept);
  struct timespec end = at(id, 2);
  int64_t begin = now();
  const char *bad = gave(as_errno(take(&end)), -1, ETIMEDOUT, begin, 2);
  end = at(id, 4);
  if (!bad)
    bad = gave(as_errno(take(&end)), 0, 0, begin, 3);
  pthread_join(t, NULL);
  return bad;
}

static int take_timed(const struct timespec *end)
{
  int rc = pthread_mutex_timedlock(&mutex, end);
  if (rc == 0)
    pthread_mutex_unlock(&mutex);
  return rc;
}

static int take_clock(const struct timespec *end)
{
  int rc = pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, end);
  if (rc == 0)
    pthread_mutex_unlock(&mutex);
  return rc;
}

const char *lock_mutex(void)
{
  const char *bad = twice(keep_mutex, take_timed, CLOCK_REALTIME);
  return either(bad, twice(keep_mutex, take_clock, CLOCK_MONOTONIC));
}

const char *lock_at_once(void)
{
  struct timespec bad = {0, -1};
  int64_t begin = now();
  return gave(as_errno(take_timed(&bad)), 0, 0, begin, 0);
}

static int given_back(int rc)
{
  if (rc == 0)
    pthread_rwlock_unlock(&rwlock);
  return rc;
}

static int read_timed(const struct timespec *end)
{
  return given_back(pthread_rwlock_timedrdlock(&rwlock, end));
}

static int write_timed(const struct timespec *end)
{
  return given_back(pthread_rwlock_timedwrlock(&rwlock, end));
}

static int read_clock(const struct timespec *end)
{
  return given_back(pthread_rwlock_clockrdlock(&rwlock, CLOCK_MONOTONIC, end));
}

static int write_clock(const struct timespec *end)
{
  return given_back(pthread_rwlock_clockwrlock(&rwlock, CLOCK_MONOTONIC, end));
}

const char *lock_rwlock(void)
{
  const char *bad = twice(keep_rwlock, read_timed, CLOCK_REALTIME);
  bad = either(bad, twice(keep_rwlock, write_timed, CLOCK_REALTIME));
  bad = either(bad, twice(keep_rwlock, read_clock, CLOCK_MONOTONIC));
  return either(bad, twice(keep_rwlock, write_clock, CLOCK_MONOTONIC));
}

/* ---- joins ---- */

static void *last(void *arg)
{
  nap(3);
  return arg;
}

static const char *join_both(bool by_clock)
{
  clockid_t id = by_clock ? CLOCK_MONOTONIC : CLOCK_REALTIME;
  int64_t begin = now();
  struct timespec end = at(id, 2);
  pthread_t t;
  pthread_create(&t, NULL, last, NULL);
  int rc = by_clock ? pthread_clockjoin_np(t, NULL, id, &end)
                    : pthread_timedjoin_np(t, NULL, &end);
  const char *bad = gave(as_errno(rc), -1, ETIMEDOUT, begin, 2);
  end = at(id, 4);
  rc = by_clock ? pthread_clockjoin_np(t, NULL, id, &end)
                : pthread_timedjoin_np(t, NULL, &end);
  return either(bad, gave(as_errno(rc), 0, 0, begin, 3));
}

const char *lock_join(void)
{
  const char *bad = join_both(false);
  return either(bad, join_both(true));
}
