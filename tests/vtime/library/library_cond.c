/* Condition variables, and many threads. */
#include "tests/vtime/library/library.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <threads.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static int as_errno(int rc)
{
  errno = rc;
  return rc ? -1 : 0;
}

static void signal_it(void *arg)
{
  pthread_mutex_lock(&m);
  pthread_cond_signal(arg);
  pthread_mutex_unlock(&m);
}

const char *cond_signal(void)
{
  struct timespec end = at(CLOCK_REALTIME, 3);
  int64_t begin = now();
  pthread_mutex_lock(&m);
  later(signal_it, &c);
  int rc = as_errno(pthread_cond_timedwait(&c, &m, &end));
  const char *bad = gave(rc, 0, 0, begin, 1);
  pthread_mutex_unlock(&m);
  later_join();
  return bad;
}

const char *cond_forever(void)
{
  int64_t begin = now();
  pthread_mutex_lock(&m);
  later(signal_it, &c);
  int rc = as_errno(pthread_cond_wait(&c, &m));
  const char *bad = gave(rc, 0, 0, begin, 1);
  pthread_mutex_unlock(&m);
  later_join();
  return bad;
}

/* ---- two waiters ---- */

static int64_t begin_of_both;
static const char *seen[2];

static void *wait_too(void *arg)
{
  struct timespec end = at(CLOCK_REALTIME, 3);
  const char **ret = arg;
  pthread_mutex_lock(&m);
  int rc = as_errno(pthread_cond_timedwait(&c, &m, &end));
  *ret = gave(rc, 0, 0, begin_of_both, 1);
  pthread_mutex_unlock(&m);
  return NULL;
}

const char *cond_broadcast(void)
{
  pthread_t t[2];
  begin_of_both = now();
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, wait_too, &seen[i]);
  nap(1);
  pthread_mutex_lock(&m);
  pthread_cond_broadcast(&c);
  pthread_mutex_unlock(&m);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
  return either(seen[0], seen[1]);
}

/* ---- clocks ---- */

const char *cond_monotonic(void)
{
  struct timespec end = at(CLOCK_MONOTONIC, 2);
  pthread_condattr_t a;
  pthread_cond_t own;
  int64_t begin = now();
  pthread_condattr_init(&a);
  pthread_condattr_setclock(&a, CLOCK_MONOTONIC);
  pthread_cond_init(&own, &a);
  pthread_mutex_lock(&m);
  int rc = as_errno(pthread_cond_timedwait(&own, &m, &end));
  pthread_mutex_unlock(&m);
  pthread_cond_destroy(&own);
  return gave(rc, -1, ETIMEDOUT, begin, 2);
}

const char *cond_clockwait(void)
{
  struct timespec end = at(CLOCK_MONOTONIC, 2);
  int64_t begin = now();
  pthread_mutex_lock(&m);
  int rc = as_errno(pthread_cond_clockwait(&c, &m, CLOCK_MONOTONIC, &end));
  pthread_mutex_unlock(&m);
  return gave(rc, -1, ETIMEDOUT, begin, 2);
}

static void keep(void *arg)
{
  mtx_t *lock = arg;
  mtx_lock(lock);
  nap(3);
  mtx_unlock(lock);
}

const char *cond_c11(void)
{
  cnd_t own;
  mtx_t lock;
  int64_t begin = now();
  struct timespec end = at(CLOCK_REALTIME, 2);
  cnd_init(&own);
  mtx_init(&lock, mtx_timed);
  later(keep, &lock);
  mtx_lock(&lock); /* given back in the wait */
  if (cnd_timedwait(&own, &lock, &end) != thrd_timedout)
    return "cnd_timedwait did not time out";
  mtx_unlock(&lock);
  const char *bad = after(begin, 4); /* the other has it until then */
  later_join();
  later(keep, &lock);
  nap(2);
  begin = now();
  end = at(CLOCK_REALTIME, 1);
  if (!bad && mtx_timedlock(&lock, &end) != thrd_timedout)
    bad = "mtx_timedlock did not time out";
  bad = either(bad, after(begin, 1));
  later_join();
  return bad;
}

/* ---- what the mutex says ---- */

static pthread_mutex_t special;

static void make_special(int type, int robust)
{
  pthread_mutexattr_t a;
  pthread_mutexattr_init(&a);
  pthread_mutexattr_settype(&a, type);
  pthread_mutexattr_setrobust(&a, robust);
  pthread_mutex_init(&special, &a);
}

const char *cond_not_owned(void)
{
  struct timespec end = at(CLOCK_REALTIME, 2);
  int64_t begin = now();
  make_special(PTHREAD_MUTEX_ERRORCHECK, PTHREAD_MUTEX_STALLED);
  int rc = as_errno(pthread_cond_timedwait(&c, &special, &end));
  return gave(rc, -1, EPERM, begin, 0);
}

static void die_with_it(void *arg)
{
  pthread_mutex_lock(&special);
  pthread_cond_signal(arg);
}

const char *cond_owner_died(void)
{
  struct timespec end = at(CLOCK_REALTIME, 3);
  int64_t begin = now();
  make_special(PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_lock(&special);
  later(die_with_it, &c);
  int rc = as_errno(pthread_cond_timedwait(&c, &special, &end));
  return gave(rc, -1, EOWNERDEAD, begin, 1);
}

/* ---- a handler in the middle ---- */

static int ends[2];

static void read_one(int sig)
{
  char byte;
  (void)sig;
  if (read(ends[0], &byte, 1) != 1)
    _exit(8);
}

static void interrupt_and_write(void *arg)
{
  pthread_kill(*(pthread_t *)arg, SIGUSR1);
  nap(1);
  if (write(ends[1], "x", 1) != 1)
    _exit(8);
  nap(6); /* whoever is late is as late as this */
}

/* The wait's end is 4 units off; of these the handler takes the second. */
const char *cond_handler(void)
{
  struct sigaction sa = {.sa_handler = read_one, .sa_flags = SA_RESTART};
  struct timespec end = at(CLOCK_REALTIME, 4);
  pthread_t self = pthread_self();
  int64_t begin = now();
  if (pipe(ends) != 0)
    return "pipe";
  sigaction(SIGUSR1, &sa, NULL);
  pthread_mutex_lock(&m);
  later(interrupt_and_write, &self);
  int rc = 0;
  while (rc == 0) /* a signal may wake it for no reason */
    rc = pthread_cond_timedwait(&c, &m, &end);
  const char *bad = gave(as_errno(rc), -1, ETIMEDOUT, begin, 4);
  pthread_mutex_unlock(&m);
  later_join();
  return bad;
}

/* ---- many ---- */

enum { IN_TURN = 1300 };
static int ready;

static void *wait_shortly(void *arg)
{
  struct timespec end = at(CLOCK_REALTIME, 1);
  pthread_mutex_lock(&m);
  ready = 1;
  while (ready == 1)
    if (pthread_cond_timedwait(&c, &m, &end) != 0)
      break;
  ready = ready == 2 ? 3 : -1;
  pthread_mutex_unlock(&m);
  return arg;
}

/* One thread after another waits, while this one never sleeps. */
const char *threads_in_turn(void)
{
  int64_t begin = now();
  for (int i = 0; i < IN_TURN; i++) {
    pthread_t t;
    int was = 0;
    ready = 0;
    pthread_create(&t, NULL, wait_shortly, NULL);
    while (was != 1) {
      pthread_mutex_lock(&m);
      was = ready;
      ready = was == 1 ? 2 : was;
      pthread_cond_signal(&c);
      pthread_mutex_unlock(&m);
    }
    pthread_join(t, NULL);
    if (ready != 3)
      return wrong("thread %d timed out", i);
  }
  const char *bad = unit_ns < NS_PER_S ? NULL : after(begin, 0);
  struct timespec end = at(CLOCK_REALTIME, 2);
  begin = now();
  pthread_mutex_lock(&m);
  int rc = as_errno(pthread_cond_timedwait(&c, &m, &end));
  pthread_mutex_unlock(&m);
  return either(bad, gave(rc, -1, ETIMEDOUT, begin, 2));
}
