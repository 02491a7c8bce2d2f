/* Timers of a process: by signal, and by a descriptor. */
#include "base/clock.h"
#include "tests/vtime/conform.h"

#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <unistd.h>

static volatile sig_atomic_t ticks;
static void on_tick(int sig)
{
  (void)sig;
  ticks++;
}

static struct timeval val(int64_t ns)
{
  return (struct timeval){ns / NS_PER_S, ns % NS_PER_S / 1000};
}

static void interval_timer(void)
{
  struct itimerval v = {val(2 * unit_ns), val(unit_ns)}, off = {{0, 0}, {0, 0}};
  signal(SIGALRM, on_tick);
  ticks = 0;
  begin();
  setitimer(ITIMER_REAL, &v, NULL);
  while (ticks < 3)
    pause();
  setitimer(ITIMER_REAL, &off, &v);
  say("setitimer", "three ticks", (int)ticks);
  printf("its interval %lld\n", units((int64_t)v.it_interval.tv_sec * NS_PER_S +
                                      v.it_interval.tv_usec * 1000));
}

static void posix_timer(clockid_t id, int flags)
{
  timer_t t;
  struct itimerspec s = {spec(0), spec(2 * unit_ns)};
  struct sigevent e = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM};
  if (flags)
    s.it_value = at(id, 2 * unit_ns);
  ticks = 0;
  begin();
  timer_create(id, &e, &t);
  timer_settime(t, flags, &s, NULL);
  while (ticks < 1)
    pause();
  say("timer_settime", flags ? "absolute" : "relative", timer_getoverrun(t));
  timer_delete(t);
}

static void timer_descriptor(clockid_t id, int flags)
{
  int fd = timerfd_create(id, 0);
  struct itimerspec s = {spec(unit_ns), spec(2 * unit_ns)};
  uint64_t n = 0;
  if (flags)
    s.it_value = at(id, 2 * unit_ns);
  begin();
  timerfd_settime(fd, flags, &s, NULL);
  ssize_t got = read(fd, &n, sizeof n);
  say("timerfd", flags ? "absolute" : "relative", (int)n);
  got = read(fd, &n, sizeof n);
  say("timerfd", flags ? "absolute interval" : "relative interval",
      got > 0 ? (int)n : -1);
  close(fd);
}

void timers(void)
{
  interval_timer();
  posix_timer(CLOCK_MONOTONIC, 0);
  posix_timer(CLOCK_REALTIME, TIMER_ABSTIME);
  timer_descriptor(CLOCK_MONOTONIC, 0);
  timer_descriptor(CLOCK_REALTIME, TFD_TIMER_ABSTIME);
}
