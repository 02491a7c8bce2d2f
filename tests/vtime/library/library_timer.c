/* alarm, setitimer, POSIX timers, timer descriptors. */
#include "tests/vtime/library/library.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <unistd.h>

static volatile sig_atomic_t rings, value;
static volatile pid_t rang_in;

static void on_ring(int sig, siginfo_t *info, void *context)
{
  (void)sig;
  (void)context;
  value = info->si_value.sival_int;
  rang_in = (pid_t)syscall(SYS_gettid);
  rings++;
}

static void listen(int sig)
{
  struct sigaction sa = {.sa_sigaction = on_ring, .sa_flags = SA_SIGINFO};
  sigaction(sig, &sa, NULL);
  rings = 0;
}

static struct timeval val(int64_t ns)
{
  return (struct timeval){ns / NS_PER_S, ns % NS_PER_S / 1000};
}

const char *timer_alarm(void)
{
  int64_t begin = now();
  unsigned s = unit_ns < NS_PER_S ? 1 : (unsigned)(unit_ns / NS_PER_S);
  int n = unit_ns < NS_PER_S ? (int)(NS_PER_S / unit_ns) : 1;
  struct timespec part = {0, 700000000};
  if (unit_ns < NS_PER_S && NS_PER_S % unit_ns)
    return wrong("a second must be whole units");
  listen(SIGALRM);
  alarm(s);
  const char *bad = gave(pause(), -1, EINTR, begin, n);
  if (rings != 1)
    return wrong("rang %d times", (int)rings);
  alarm(10);
  nanosleep(&part, NULL);
  unsigned left = alarm(0); /* of 9.3 s; the kernel rounds to the nearest */
  if (left != 9)
    return wrong("%u s left", left);
  alarm(1);
  part.tv_nsec = 800000000;
  nanosleep(&part, NULL);
  left = alarm(0); /* never 0 */
  return left == 1 ? bad : wrong("%u s left at the end", left);
}

const char *timer_interval(void)
{
  struct itimerval v = {val(unit_ns), val(2 * unit_ns)}, bad_us = v, bad_s = v;
  int64_t begin = now();
  bad_us.it_value.tv_usec = 1000000;
  bad_s.it_interval.tv_sec = -1;
  if (setitimer(ITIMER_REAL, &bad_us, NULL) != -1 || errno != EINVAL)
    return "a million us is no error";
  if (setitimer(ITIMER_REAL, &bad_s, NULL) != -1 || errno != EINVAL)
    return "seconds below 0 are no error";
  listen(SIGALRM);
  setitimer(ITIMER_REAL, &v, NULL);
  const char *bad = gave(pause(), -1, EINTR, begin, 2);
  bad = either(bad, gave(pause(), -1, EINTR, begin, 3));
  getitimer(ITIMER_REAL, &v);
  int64_t left = (int64_t)v.it_value.tv_sec * NS_PER_S;
  if (left > unit_ns || left < unit_ns / 2 - NS_PER_S)
    return wrong("%lld s left", (long long)v.it_value.tv_sec);
  return bad;
}

/* ---- POSIX timers ---- */

static timer_t make(struct sigevent e, int n)
{
  timer_t t;
  struct itimerspec s = {{0, 0}, units(n)};
  if (timer_create(CLOCK_MONOTONIC, &e, &t) != 0 ||
      timer_settime(t, 0, &s, NULL) != 0)
    _exit(8);
  return t;
}

const char *timer_signal(void)
{
  struct sigevent e = {.sigev_notify = SIGEV_SIGNAL,
                       .sigev_signo = SIGUSR2,
                       .sigev_value = {.sival_int = 77}};
  int64_t begin = now();
  listen(SIGUSR2);
  make(e, 2);
  const char *bad = gave(pause(), -1, EINTR, begin, 2);
  return value == 77 ? bad : wrong("the value is %d", (int)value);
}

static atomic_int fired;
static _Atomic(const char *) in_thread;
static int64_t thread_begin;

static void on_end(union sigval v)
{
  in_thread = after(thread_begin, (int)fired + 1);
  if (v.sival_int != 78)
    in_thread = "the value is another";
  fired++;
}

const char *timer_thread(void)
{
  struct sigevent e = {.sigev_notify = SIGEV_THREAD,
                       .sigev_notify_function = on_end,
                       .sigev_value = {.sival_int = 78}};
  struct itimerspec s = {units(1), units(1)};
  timer_t t;
  thread_begin = now();
  if (timer_create(CLOCK_MONOTONIC, &e, &t) != 0)
    return "timer_create";
  timer_settime(t, 0, &s, NULL);
  for (int i = 0; fired < 3 && i < 40; i++) {
    struct timespec part = spec(unit_ns / 8);
    nanosleep(&part, NULL);
  }
  timer_delete(t);
  if (fired < 3)
    return wrong("%d threads", fired);
  nap(2);
  return fired == 3 ? in_thread : "it goes on when it was deleted";
}

static void *listener(void *arg)
{
  int64_t begin = now();
  pid_t *tid = arg;
  struct sigevent e = {.sigev_notify = SIGEV_THREAD_ID,
                       .sigev_signo = SIGUSR2,
                       .sigev_value = {.sival_int = 79}};
  *tid = (pid_t)syscall(SYS_gettid);
  e._sigev_un._tid = *tid;
  make(e, 2);
  in_thread = gave(pause(), -1, EINTR, begin, 2);
  return NULL;
}

const char *timer_thread_id(void)
{
  pthread_t t;
  pid_t tid = 0;
  listen(SIGUSR2);
  pthread_create(&t, NULL, listener, &tid);
  pthread_join(t, NULL);
  return rang_in == tid ? in_thread : wrong("in thread %d", (int)rang_in);
}

const char *timer_none(void)
{
  struct sigevent e = {.sigev_notify = SIGEV_NONE};
  struct itimerspec left;
  timer_t t = make(e, 3);
  nap(1);
  timer_gettime(t, &left);
  int64_t ns = (int64_t)left.it_value.tv_sec * NS_PER_S + left.it_value.tv_nsec;
  if (ns > 2 * unit_ns || ns < 2 * unit_ns - unit_ns / 4)
    return wrong("%.3f units left", (double)ns / (double)unit_ns);
  return NULL;
}

/* ---- a timer that is set while it is being set ---- */

enum { SETTINGS = 150000 };
static timer_t shared;
static atomic_int over;

static void set_shared(int sig)
{
  struct itimerspec s = {{0, 0}, units(1)};
  (void)sig;
  timer_settime(shared, 0, &s, NULL);
}

static void *bother(void *arg)
{
  while (!over)
    pthread_kill(*(pthread_t *)arg, SIGUSR1);
  return NULL;
}

const char *timer_handler(void)
{
  struct sigaction sa = {.sa_handler = set_shared};
  struct sigevent e = {.sigev_notify = SIGEV_NONE};
  pthread_t self = pthread_self(), t;
  int64_t begin = now();
  shared = make(e, 1);
  sigaction(SIGUSR1, &sa, NULL);
  pthread_create(&t, NULL, bother, &self);
  for (int i = 0; i < SETTINGS; i++)
    set_shared(0);
  over = 1;
  pthread_join(t, NULL);
  return after(begin, 0);
}

/* ---- the first thread has ended ---- */

static void *go_on(void *arg)
{
  struct sigevent e = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR2};
  int64_t begin = now();
  pthread_join(*(pthread_t *)arg, NULL);
  listen(SIGUSR2);
  make(e, 2);
  const char *bad = gave(pause(), -1, EINTR, begin, 2);
  puts(bad ? bad : "right");
  exit(bad != NULL);
}

const char *timer_no_main(void)
{
  static pthread_t self;
  pthread_t t;
  self = pthread_self();
  pthread_create(&t, NULL, go_on, &self);
  pthread_exit(NULL);
}

/* ---- a program that cannot load the object ---- */

const char *timer_exec(void)
{
  struct sigevent e = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR2};
  struct itimerspec s = {{0, 0}, {0, 300 * NS_PER_MS}};
  char path[4096];
  const char *slash = strrchr(program, '/');
  timer_t t;
  timer_create(CLOCK_MONOTONIC, &e, &t);
  timer_settime(t, 0, &s, NULL);
  /* not to be there any more; its end would be seen as signal 62 */
  int fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
  timerfd_settime(fd, 0, &s, NULL);
  snprintf(path, sizeof path, "%.*s/vtime_static_nap",
           slash ? (int)(slash - program) : 0, program);
  execl(path, path, "900", (char *)NULL);
  return "no such program";
}

/* ---- timer descriptors ---- */

const char *timer_fd(void)
{
  int fd = timerfd_create(CLOCK_REALTIME, TFD_NONBLOCK);
  struct itimerspec s = {units(2), at(CLOCK_REALTIME, 2)}, left;
  struct pollfd f = {fd, POLLIN, 0};
  uint64_t n = 0;
  int64_t begin = now();
  timerfd_settime(fd, TFD_TIMER_ABSTIME, &s, NULL);
  long rc = read(fd, &n, sizeof n);
  const char *bad = gave(rc, -1, EAGAIN, begin, 0);
  bad = either(bad, gave(poll(&f, 1, -1), 1, 0, begin, 2));
  rc = read(fd, &n, sizeof n);
  bad = either(bad, gave(rc, sizeof n, 0, begin, 2));
  nap(1);
  timerfd_gettime(fd, &left);
  int64_t ns = (int64_t)left.it_value.tv_sec * NS_PER_S + left.it_value.tv_nsec;
  if (ns > unit_ns || ns < unit_ns / 2)
    return wrong("%.3f units left", (double)ns / (double)unit_ns);
  memset(&s, 0, sizeof s);
  timerfd_settime(fd, 0, &s, NULL);
  f.revents = 0;
  struct timespec t = units(2);
  return either(bad, gave(ppoll(&f, 1, &t, NULL), 0, 0, begin, 5));
}

/* A number whose timer runs; the descriptor is another one by then. */
const char *timer_fd_again(void)
{
  struct itimerspec s = {units(1), units(1)};
  struct timespec t = units(3);
  int fd = timerfd_create(CLOCK_MONOTONIC, 0);
  int64_t begin = now();
  timerfd_settime(fd, 0, &s, NULL);
  int other = timerfd_create(CLOCK_MONOTONIC, 0);
  dup2(other, fd);
  struct pollfd f = {fd, POLLIN, 0};
  const char *bad = gave(ppoll(&f, 1, &t, NULL), 0, 0, begin, 3);
  timerfd_settime(fd, 0, &s, NULL);
  close_range((unsigned)fd, (unsigned)fd, 0);
  f.fd = timerfd_create(CLOCK_MONOTONIC, 0);
  if (f.fd != fd)
    return "not the same number";
  return either(bad, gave(ppoll(&f, 1, &t, NULL), 0, 0, begin, 6));
}
