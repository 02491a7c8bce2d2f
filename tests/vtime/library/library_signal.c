/* Signal 62, which ends waits and which no client sees; waits in handlers. */
#include "tests/vtime/library/library.h"

#include "harness/vtime/table.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <threads.h>
#include <unistd.h>

enum { KICK = 62 };

static int poll_units(int n)
{
  struct timespec t = units(n);
  return ppoll(NULL, 0, &t, NULL);
}

static void on_signal(int sig)
{
  (void)sig;
}

/* rt_sigprocmask, by no function of the library's. */
static long raw_mask(int how, const unsigned long *set, unsigned long *old)
{
  long r;
  register unsigned long size __asm__("r10") = sizeof *set;
  __asm__ volatile("syscall"
                   : "=a"(r)
                   : "a"((long)SYS_rt_sigprocmask), "D"((long)how), "S"(set),
                     "d"(old), "r"(size)
                   : "rcx", "r11", "memory");
  return r;
}

static bool is_blocked(void)
{
  unsigned long mask = 0;
  raw_mask(SIG_BLOCK, NULL, &mask);
  return mask >> (KICK - 1) & 1;
}

/* In real time nothing keeps 62 back. */
static bool in_virtual_time(void)
{
  return unit_ns >= NS_PER_S;
}

/* More of them than the whole run may take, where it does not come. */
const char *kick_comes(void)
{
  int64_t begin = now();
  const char *bad = NULL;
  for (int i = 1; i <= 40 && !bad; i++)
    bad = gave(poll_units(1), 0, 0, begin, i);
  return bad;
}

const char *kick_blocked(void)
{
  sigset_t all, old;
  int64_t begin = now();
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, &old);
  if (in_virtual_time() && is_blocked())
    return "sigprocmask blocks it";
  sigprocmask(SIG_SETMASK, &old, NULL);
  pthread_sigmask(SIG_BLOCK, &all, NULL);
  if (in_virtual_time() && is_blocked())
    return "pthread_sigmask blocks it";
  return gave(poll_units(2), 0, 0, begin, 2);
}

static volatile sig_atomic_t kicks;
static void on_kick(int sig)
{
  (void)sig;
  kicks++;
}

const char *kick_handled(void)
{
  struct sigaction sa = {.sa_handler = on_kick};
  int64_t begin = now();
  if (sigaction(KICK, &sa, NULL) != 0)
    return "sigaction refuses it";
  const char *bad = gave(poll_units(2), 0, 0, begin, 2);
  return kicks ? "its handler was called" : bad;
}

/* What the kernel has: SigIgn of proc(5). */
static bool is_ignored(void)
{
  char text[4096];
  int fd = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
  ssize_t n = read(fd, text, sizeof text);
  uint64_t set = 0;
  close(fd);
  struct bytes all = {text, n > 0 ? (size_t)n : 0};
  return table_hex(all, "SigIgn:", &set) && (set >> (KICK - 1) & 1);
}

const char *kick_ignored(void)
{
  struct sigaction sa = {.sa_handler = SIG_IGN};
  int64_t begin = now();
  signal(KICK, SIG_IGN);
  if (in_virtual_time() && is_ignored())
    return "signal() ignores it";
  sigaction(KICK, &sa, NULL);
  if (in_virtual_time() && is_ignored())
    return "sigaction() ignores it";
  return gave(poll_units(2), 0, 0, begin, 2);
}

static const char *in_handler;
static void look_at_mask(int sig)
{
  (void)sig;
  if (in_virtual_time() && is_blocked())
    in_handler = "blocked in a handler";
}

const char *kick_masked(void)
{
  struct sigaction sa = {.sa_handler = look_at_mask};
  sigfillset(&sa.sa_mask);
  sigaction(SIGUSR1, &sa, NULL);
  raise(SIGUSR1);
  return in_handler;
}

/* ---- waits for signals ---- */

/* It waits for us from before, blocked where nobody looks. */
static void send_in_secret(int n)
{
  unsigned long bit = 1UL << (KICK - 1);
  raw_mask(SIG_BLOCK, &bit, NULL);
  while (n-- > 0)
    pthread_kill(pthread_self(), KICK);
}

const char *kick_waited(void)
{
  struct timespec none = {0, 0}, t = units(2);
  sigset_t all;
  int64_t begin = now();
  sigfillset(&all);
  if (in_virtual_time())
    send_in_secret(3);
  const char *bad = gave(sigtimedwait(&all, NULL, &none), -1, EAGAIN, begin, 0);
  if (bad)
    return bad;
  return gave(sigtimedwait(&all, NULL, &t), -1, EAGAIN, begin, 2);
}

/* A timer descriptor that its own process has to make ready, by a signal that
 * is sent to the process. */
static pthread_t waiter;
static const char *read_timer;

static void *wait_for_timer(void *arg)
{
  struct itimerspec s = {{0, 0}, units(1)};
  uint64_t n = 0;
  int64_t begin = now();
  int fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
  timerfd_settime(fd, 0, &s, NULL);
  long rc = read(fd, &n, sizeof n);
  read_timer = gave(rc, sizeof n, 0, begin, 1);
  nap(1);
  pthread_kill(waiter, SIGUSR1);
  return arg;
}

const char *kick_sigwait(void)
{
  pthread_t t;
  sigset_t all;
  siginfo_t info;
  int64_t begin = now();
  waiter = pthread_self();
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, NULL);
  pthread_create(&t, NULL, wait_for_timer, NULL);
  const char *bad = gave(sigwaitinfo(&all, &info), SIGUSR1, 0, begin, 2);
  pthread_join(t, NULL);
  bad = either(bad, read_timer);
  pthread_create(&t, NULL, wait_for_timer, NULL);
  int sig = 0;
  sigwait(&all, &sig);
  bad = either(bad, gave(sig, SIGUSR1, 0, begin, 4));
  pthread_join(t, NULL);
  return bad;
}

const char *kick_pause(void)
{
  struct sigaction sa = {.sa_handler = on_signal};
  pthread_t t;
  sigset_t none;
  int64_t begin = now();
  sigemptyset(&none);
  waiter = pthread_self();
  sigaction(SIGUSR1, &sa, NULL);
  pthread_create(&t, NULL, wait_for_timer, NULL);
  const char *bad = gave(pause(), -1, EINTR, begin, 2);
  pthread_join(t, NULL);
  bad = either(bad, read_timer);
  pthread_create(&t, NULL, wait_for_timer, NULL);
  bad = either(bad, gave(sigsuspend(&none), -1, EINTR, begin, 4));
  pthread_join(t, NULL);
  return either(bad, read_timer);
}

/* ---- waits in handlers ---- */

static void poll_in_handler(int sig)
{
  (void)sig;
  poll_units(1);
}

static void nap_in_handler(int sig)
{
  struct timespec t = units(1);
  (void)sig;
  nanosleep(&t, NULL);
}

static void interrupt(void *arg)
{
  (void)arg;
  pthread_kill(waiter, SIGUSR1);
}

static const char *nested(void (*handler)(int sig))
{
  struct sigaction sa = {.sa_handler = handler, .sa_flags = SA_RESTART};
  struct timespec t = units(5);
  waiter = pthread_self();
  sigaction(SIGUSR1, &sa, NULL);
  int64_t begin = now();
  later(interrupt, NULL);
  const char *bad = gave(poll_units(5), -1, EINTR, begin, 2);
  later_join();
  begin = now();
  later(interrupt, NULL);
  bad = either(bad, gave(nanosleep(&t, NULL), -1, EINTR, begin, 2));
  later_join();
  return bad;
}

const char *nested_poll(void)
{
  return nested(poll_in_handler);
}

const char *nested_nap(void)
{
  return nested(nap_in_handler);
}

/* ---- sleeps ---- */

const char *plain_sleeps(void)
{
  struct timespec t = units(1), before = {-1, 0};
  int64_t begin = now();
  if (unit_ns >= NS_PER_S && sleep((unsigned)(unit_ns / NS_PER_S)) != 0)
    return "sleep was interrupted";
  if (unit_ns < NS_PER_S)
    nap(1);
  const char *bad = after(begin, 1);
  bad = either(bad, gave(usleep((useconds_t)(unit_ns / 1000)), 0, 0, begin, 2));
  bad = either(bad, gave(thrd_sleep(&t, NULL), 0, 0, begin, 3));
  if (clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &before, NULL) != EINVAL)
    return either(bad, "a time before 1970 is no error");
  if (clock_nanosleep(CLOCK_MONOTONIC_COARSE, 0, &t, NULL) != ENOTSUP)
    return either(bad, "a clock nobody can sleep by");
  return either(bad, after(begin, 3));
}
