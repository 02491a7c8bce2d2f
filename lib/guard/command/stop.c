#include "stop.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

/* Written by the handler, read by every thread; an atomic int needs no lock. */
static atomic_int came;
static int ends[2] = {-1, -1};

static void on_signal(int number)
{
  int saved = errno;
  came = number;
  /* the pipe is never emptied, so that one byte wakes all, for ever */
  ssize_t n = write(ends[1], "", 1);
  (void)n;
  errno = saved;
}

static void install(int number)
{
  struct sigaction old, new = {.sa_handler = on_signal};
  /* SA_RESETHAND: the second one ends the program */
  new.sa_flags = SA_RESTART | (int)SA_RESETHAND;
  sigemptyset(&new.sa_mask);
  /* nohup and the like: what was ignored stays ignored */
  if (sigaction(number, NULL, &old) == 0 && old.sa_handler == SIG_IGN)
    return;
  sigaction(number, &new, NULL);
}

int stop_install(struct diag *diag)
{
  if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) < 0)
    return diag_set(diag, "no pipe: %s", strerror(errno));
  install(SIGINT);
  install(SIGTERM);
  install(SIGHUP);
  /* a closed stdout shows as a write error and not as a silent end */
  signal(SIGPIPE, SIG_IGN);
  return 0;
}

int stop_fd(void)
{
  return ends[0];
}

int stop_signal(void)
{
  return came;
}

bool stop_sleep_ms(struct clock *clock, int64_t ms)
{
  int64_t end_ns = clock_now_ns(clock) + ms * NS_PER_MS;
  while (!came) {
    int64_t left_ns = end_ns - clock_now_ns(clock);
    if (left_ns <= 0)
      return false;
    /* poll takes an int of milliseconds; rounded up, never early */
    int64_t left_ms = (left_ns + NS_PER_MS - 1) / NS_PER_MS;
    struct pollfd p = {.fd = ends[0], .events = POLLIN};
    poll(&p, 1, left_ms > 3600000 ? 3600000 : (int)left_ms);
  }
  return true;
}

void stop_end(void)
{
  if (!came)
    return;
  signal(came, SIG_DFL);
  raise(came);
}
