#include "tests/vtime/lateness.h"

#include "base/clock.h"
#include "base/number.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static _Atomic int64_t latest_ns, due_ns;
static _Atomic int64_t *threads_ns; /* shared with forked children */
static int64_t begin_ns; /* what the calling thread had waited by then */
static int64_t watch_ns;

static int64_t now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * NS_PER_S + t.tv_nsec;
}

/* How long the calling thread has been runnable without a CPU. */
static int64_t waited_ns(void)
{
  char room[128];
  uint64_t ran = 0, waited = 0;
  int fd = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
  ssize_t n = fd < 0 ? 0 : read(fd, room, sizeof room);
  close(fd);
  struct bytes b = {room, n > 0 ? (size_t)n : 0};
  if (number_take_u64(&b, INT64_MAX, &ran) != NUMBER_OK || b.n == 0)
    return INT64_MAX / 4; /* nobody knows: not judged */
  b.p++;
  b.n--;
  if (number_take_u64(&b, INT64_MAX, &waited) != NUMBER_OK)
    return INT64_MAX / 4;
  return (int64_t)waited;
}

static void note(int64_t late_ns)
{
  int64_t seen = latest_ns;
  while (late_ns > seen &&
         !atomic_compare_exchange_weak(&latest_ns, &seen, late_ns))
    continue;
}

static void *watch(void *arg)
{
  for (;;) {
    due_ns = now() + watch_ns;
    struct timespec t = {due_ns / NS_PER_S, due_ns % NS_PER_S};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
    note(now() - due_ns);
  }
  return arg;
}

void lateness_watch(int64_t every_ns)
{
  pthread_t t;
  sigset_t all, before;
  threads_ns = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (threads_ns == MAP_FAILED)
    abort();
  watch_ns = every_ns;
  due_ns = now() + every_ns;
  sigfillset(&all); /* signals are for the others */
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_create(&t, NULL, watch, NULL);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void lateness_begin(void)
{
  begin_ns = waited_ns();
  *threads_ns = 0;
  latest_ns = 0;
}

void lateness_add_thread(void)
{
  static _Thread_local int64_t told_ns;
  if (!threads_ns)
    return;
  int64_t waited = waited_ns();
  atomic_fetch_add(threads_ns, waited - told_ns);
  told_ns = waited;
}

int64_t lateness_ns(void)
{
  note(now() - due_ns);
  return latest_ns + *threads_ns + waited_ns() - begin_ns;
}
