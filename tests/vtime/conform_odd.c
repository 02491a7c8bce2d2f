/* Rare arguments, and events that nobody has taken yet. */
#include "base/clock.h"
#include "tests/vtime/conform.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

static void nap(int64_t ns)
{
  struct timespec t = spec(ns);
  nanosleep(&t, NULL);
}

/* ---- descriptors ---- */

static void descriptors(void)
{
  struct timeval t = {0, 2 * unit_ns / 1000};
  struct epoll_event ev;
  int fd = epoll_create1(EPOLL_CLOEXEC);
  begin();
  say("odd", "select in microseconds",
      (int)syscall(SYS_select, 0, NULL, NULL, NULL, &t));
  begin();
  say("odd", "epoll_wait without room",
      epoll_wait(fd, &ev, 0, (int)(unit_ns / NS_PER_MS)));
  close(fd);
}

static void many_messages(void)
{
  char c = 'x';
  struct iovec v = {&c, 1};
  struct mmsghdr m = {.msg_hdr = {.msg_iov = &v, .msg_iovlen = 1}};
  struct timespec more = spec(9 * unit_ns);
  struct timeval t = {2 * unit_ns / NS_PER_S, 2 * unit_ns % NS_PER_S / 1000};
  int p[2];
  if (socketpair(AF_UNIX, SOCK_DGRAM, 0, p) != 0)
    return;
  setsockopt(p[0], SOL_SOCKET, SO_RCVTIMEO, &t, sizeof t);
  setsockopt(p[0], SOL_SOCKET, SO_SNDTIMEO, &t, sizeof t);
  begin();
  say("odd", "recvmmsg of a socket with a time-out",
      recvmmsg(p[0], &m, 1, 0, NULL));
  begin();
  say("odd", "recvmmsg with both", recvmmsg(p[0], &m, 1, 0, &more));
  while (send(p[0], &c, 1, MSG_DONTWAIT) > 0)
    continue;
  begin();
  say("odd", "sendmmsg", sendmmsg(p[0], &m, 1, 0));
  close(p[0]);
  close(p[1]);
}

/* ---- timers that nobody listens to ---- */

static void unread_descriptor(void)
{
  struct itimerspec s = {spec(unit_ns), spec(unit_ns)};
  uint64_t n = 0;
  int fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
  begin();
  timerfd_settime(fd, 0, &s, NULL);
  nap(5 * unit_ns + unit_ns / 2);
  say("odd", "timerfd unread", read(fd, &n, sizeof n) < 0 ? -1 : (int)n);
  say("odd", "timerfd read again", read(fd, &n, sizeof n) < 0 ? -1 : (int)n);
  say("odd", "timerfd with flags", timerfd_settime(fd, 64, &s, NULL));
  close(fd);
}

static void pending_signals(void)
{
  struct itimerspec s = {spec(unit_ns), spec(unit_ns)};
  struct sigevent e = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN};
  struct timespec none = {0, 0};
  sigset_t set;
  timer_t t;
  int n = 0;
  sigemptyset(&set);
  sigaddset(&set, SIGRTMIN); /* blocked in this program */
  timer_create(CLOCK_MONOTONIC, &e, &t);
  timer_settime(t, 0, &s, NULL);
  nap(5 * unit_ns + unit_ns / 2);
  while (sigtimedwait(&set, NULL, &none) > 0)
    n++;
  printf("odd signals pending: %d, %d left out\n", n, timer_getoverrun(t));
  nap(unit_ns);
  n = sigtimedwait(&set, NULL, &none) > 0;
  printf("odd signals one: %d, %d left out\n", n, timer_getoverrun(t));
  timer_delete(t);
}

static volatile sig_atomic_t ticks;
static void on_tick(int sig)
{
  (void)sig;
  ticks++;
}

/* An interval of more years than nanoseconds can count. */
static void endless_interval(void)
{
  struct itimerval v = {{INT64_C(20000000000), 0}, {0, 0}},
                   off = {.it_value = {0, 0}};
  v.it_value = (struct timeval){unit_ns / NS_PER_S, unit_ns % NS_PER_S / 1000};
  struct timespec t = spec(2 * unit_ns);
  signal(SIGALRM, on_tick);
  begin();
  setitimer(ITIMER_REAL, &v, NULL);
  while (ticks == 0)
    pause();
  say("odd", "sleep in an endless interval", nanosleep(&t, NULL));
  printf("odd ticks: %d\n", (int)ticks);
  setitimer(ITIMER_REAL, &off, NULL);
}

/* ---- one signal for two ---- */

static void *take_signal(void *arg)
{
  struct timespec t = spec(3 * unit_ns);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGRTMIN);
  int *got = arg;
  *got = sigtimedwait(&set, NULL, &t) > 0;
  return NULL;
}

/* The other one may wait on, or be interrupted. */
static void one_for_two(void)
{
  pthread_t t[2];
  int got[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, take_signal, &got[i]);
  nap(unit_ns);
  kill(getpid(), SIGRTMIN);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
  printf("odd signal for two: %d taken\n", got[0] + got[1]);
}

/* ---- processes ---- */

/* The parent sleeps in its call so long, and not interruptibly. */
static void vforked(void)
{
  int status = 0;
  struct timespec t = spec(2 * unit_ns);
  begin();
  pid_t pid = (pid_t)syscall(SYS_clone, CLONE_VFORK | SIGCHLD, 0, 0, 0, 0);
  if (pid == 0) {
    syscall(SYS_nanosleep, &t, NULL);
    _exit(6);
  }
  say("odd", "vfork returns", pid > 0);
  waitpid(pid, &status, 0);
  say("odd", "vfork child", WEXITSTATUS(status));
}

/* ---- what the kernel refuses ---- */

static void wrong_events(void)
{
  static const struct {
    const char *id;
    int notify, signo, tid;
  } rows[] = {{"signal 0", SIGEV_SIGNAL, 0, 0},
              {"signal 77", SIGEV_SIGNAL, 77, 0},
              {"notifies in no way", 9, SIGALRM, 0},
              {"thread of another process", SIGEV_THREAD_ID, SIGALRM, 1},
              {"no signal is needed", SIGEV_NONE, 0, 0}};
  begin();
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    struct sigevent e = {.sigev_notify = rows[i].notify,
                         .sigev_signo = rows[i].signo};
    int id;
    e._sigev_un._tid = rows[i].tid;
    say("odd timer", rows[i].id,
        (int)syscall(SYS_timer_create, CLOCK_MONOTONIC, &e, &id));
  }
}

/* They can be read, and nobody can wait for them. */
static void wrong_clocks(void)
{
  static const clockid_t clocks[] = {CLOCK_MONOTONIC_RAW, CLOCK_REALTIME_COARSE,
                                     CLOCK_MONOTONIC_COARSE};
  struct timespec t = spec(unit_ns);
  int id;
  begin();
  for (size_t i = 0; i < sizeof clocks / sizeof clocks[0]; i++) {
    say("odd clock",
        i == 0   ? "sleep, raw"
        : i == 1 ? "sleep, wall"
                 : "sleep",
        (int)syscall(SYS_clock_nanosleep, clocks[i], 0, &t, NULL));
    say("odd clock",
        i == 0   ? "timer, raw"
        : i == 1 ? "timer, wall"
                 : "timer",
        (int)syscall(SYS_timer_create, clocks[i], NULL, &id));
  }
}

/* Some programs try whether they may. */
static void no_call(void)
{
  struct timespec t = spec(unit_ns);
  begin();
  say("odd", "call -1", (int)syscall(-1L));
  say("odd", "sleep behind call -1", nanosleep(&t, NULL));
}

void oddities(void)
{
  no_call();
  descriptors();
  many_messages();
  unread_descriptor();
  pending_signals();
  endless_interval();
  one_for_two();
  vforked();
  wrong_events();
  wrong_clocks();
}
