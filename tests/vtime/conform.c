/*
 * vtime_conform UNIT_MS: every way of waiting, each in the situations that
 * matter: it expires, the event comes first, a signal comes first with and
 * without SA_RESTART. Prints a line each, with times in whole units, so that
 * a run in real time with a short unit and one in virtual time with a long
 * one can be compared line by line.
 *
 * vtime_conform UNIT_MS late: behind each such line one says by how much the
 * machine may have been late in it, in thousandths of a unit.
 */
#include "tests/vtime/conform.h"
#include "base/clock.h"
#include "base/number.h"
#include "tests/vtime/lateness.h"

#include <errno.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

int64_t unit_ns;
static int64_t begin_ns;
static bool tells_late, /* how late it was */
    others_go_on;       /* they belong to the line, and tell it later */
int pair[2];            /* what the waits for descriptors wait for */
static uint32_t word;
static pthread_t main_thread;

static int64_t now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * NS_PER_S + t.tv_nsec;
}

struct timespec spec(int64_t ns)
{
  return (struct timespec){ns / NS_PER_S, ns % NS_PER_S};
}

struct timespec at(clockid_t id, int64_t ns)
{
  struct timespec t;
  clock_gettime(id, &t);
  return spec((int64_t)t.tv_sec * NS_PER_S + t.tv_nsec + ns);
}

long long units(int64_t ns)
{
  return (long long)((ns + unit_ns / 2) / unit_ns);
}

/* A loaded machine makes waits longer, never shorter. */
static long long whole_units(int64_t ns)
{
  return (long long)((ns + unit_ns / 8) / unit_ns);
}

void begin(void)
{
  if (tells_late)
    lateness_begin();
  begin_ns = now();
}

static void say_late(void)
{
  if (tells_late)
    printf("late %lld\n", (long long)(lateness_ns() * 1000 / unit_ns));
}

void say(const char *name, const char *when, int rc)
{
  int error = rc < 0 ? errno : 0;
  printf("%s %s: %d %s after %lld\n", name, when, rc,
         error ? strerrorname_np(error) : "-", whole_units(now() - begin_ns));
  if (!others_go_on)
    say_late();
  fflush(stdout);
}

/* ---- the waits: 0 or more by the event, 0 by the end of time ---- */

static int w_nanosleep(int64_t ns)
{
  struct timespec t = spec(ns), rem = spec(0);
  int rc = nanosleep(&t, &rem);
  if (rc < 0)
    printf("left %lld ", units((int64_t)rem.tv_sec * NS_PER_S + rem.tv_nsec));
  return rc;
}

static int as_errno(int rc)
{
  errno = rc;
  return rc ? -1 : 0;
}

static int w_sleep_wall(int64_t ns)
{
  struct timespec t = at(CLOCK_REALTIME, ns);
  return as_errno(clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &t, NULL));
}

static int w_sleep_boot(int64_t ns)
{
  struct timespec t = spec(ns);
  return as_errno(clock_nanosleep(CLOCK_BOOTTIME, 0, &t, NULL));
}

static int w_poll(int64_t ns)
{
  struct pollfd f = {pair[0], POLLIN, 0};
  return poll(&f, 1, (int)(ns / NS_PER_MS));
}

static int w_ppoll(int64_t ns)
{
  struct pollfd f = {pair[0], POLLIN, 0};
  struct timespec t = spec(ns);
  return ppoll(&f, 1, &t, NULL);
}

static int w_select(int64_t ns)
{
  fd_set in;
  struct timeval t = {ns / NS_PER_S, ns % NS_PER_S / 1000};
  FD_ZERO(&in);
  FD_SET(pair[0], &in);
  int rc = select(pair[0] + 1, &in, NULL, NULL, &t);
  if (rc >= 0)
    printf("set %d left %lld ", FD_ISSET(pair[0], &in) != 0,
           units((int64_t)t.tv_sec * NS_PER_S + t.tv_usec * 1000));
  return rc;
}

static int w_pselect(int64_t ns)
{
  fd_set in;
  struct timespec t = spec(ns);
  sigset_t same;
  sigprocmask(SIG_BLOCK, NULL, &same);
  FD_ZERO(&in);
  FD_SET(pair[0], &in);
  return pselect(pair[0] + 1, &in, NULL, NULL, &t, &same);
}

static int epoll_fd(void)
{
  static int fd = -1;
  struct epoll_event ev = {.events = EPOLLIN};
  if (fd >= 0)
    return fd;
  fd = epoll_create1(0);
  epoll_ctl(fd, EPOLL_CTL_ADD, pair[0], &ev);
  return fd;
}

static int w_epoll(int64_t ns)
{
  struct epoll_event ev;
  return epoll_wait(epoll_fd(), &ev, 1, (int)(ns / NS_PER_MS));
}

static int w_epoll2(int64_t ns)
{
  struct epoll_event ev;
  struct timespec t = spec(ns);
  return epoll_pwait2(epoll_fd(), &ev, 1, &t, NULL);
}

static int w_futex(int64_t ns)
{
  struct timespec t = spec(ns);
  return (int)syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &t, NULL, 0);
}

static int w_futex_wall(int64_t ns)
{
  struct timespec t = at(CLOCK_REALTIME, ns);
  return (int)syscall(SYS_futex, &word,
                      FUTEX_WAIT_BITSET_PRIVATE | FUTEX_CLOCK_REALTIME, 0, &t,
                      NULL, FUTEX_BITSET_MATCH_ANY);
}

static int w_receive(int64_t ns)
{
  char c;
  struct timeval t = {ns / NS_PER_S, ns % NS_PER_S / 1000};
  setsockopt(pair[0], SOL_SOCKET, SO_RCVTIMEO, &t, sizeof t);
  int rc = (int)recv(pair[0], &c, 1, MSG_PEEK);
  t = (struct timeval){0, 0};
  setsockopt(pair[0], SOL_SOCKET, SO_RCVTIMEO, &t, sizeof t);
  return rc;
}

static int w_signals(int64_t ns)
{
  struct timespec t = spec(ns);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGRTMIN);
  int rc = sigtimedwait(&set, NULL, &t);
  return rc > 0 ? 1 : rc;
}

static const struct way ways[] = {
    {"nanosleep", w_nanosleep, false, true, NULL, NULL, false},
    {"sleep_wall", w_sleep_wall, false, true, NULL, NULL, false},
    {"sleep_boot", w_sleep_boot, false, true, NULL, NULL, false},
    {"poll", w_poll, true, true, NULL, NULL, false},
    {"ppoll", w_ppoll, true, true, NULL, NULL, false},
    {"select", w_select, true, true, NULL, NULL, false},
    {"pselect", w_pselect, true, true, NULL, NULL, false},
    {"epoll_wait", w_epoll, true, true, NULL, NULL, false},
    {"epoll_pwait2", w_epoll2, true, true, NULL, NULL, false},
    {"futex", w_futex, true, true, NULL, NULL, false},
    {"futex_wall", w_futex_wall, true, true, NULL, NULL, false},
    {"recv", w_receive, true, false, NULL, NULL, false},
    {"sigtimedwait", w_signals, true, true, NULL, NULL, false},
};
enum { NWAYS = sizeof ways / sizeof ways[0] };

/* ---- who ends them ---- */

static void happen(void)
{
  if (write(pair[1], "x", 1) < 0)
    return;
  __atomic_store_n(&word, 1, __ATOMIC_SEQ_CST);
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
  pthread_kill(main_thread, SIGRTMIN);
}

static void send_signal(void)
{
  pthread_kill(main_thread, SIGUSR1);
}

struct end {
  void (*how)(void);
};

static void *ender(void *arg)
{
  const struct end *e = arg;
  struct timespec t = spec(unit_ns);
  nanosleep(&t, NULL);
  e->how();
  lateness_add_thread();
  return NULL;
}

/* Leaves nothing of an event behind. */
static void clean(void)
{
  char c;
  sigset_t set;
  struct timespec none = {0, 0};
  word = 0;
  while (recv(pair[0], &c, 1, MSG_DONTWAIT) > 0)
    continue;
  sigemptyset(&set);
  sigaddset(&set, SIGRTMIN);
  while (sigtimedwait(&set, NULL, &none) > 0)
    continue;
}

/* `how`: NULL: nobody ends it. */
static void one(const struct way *w, const char *when, int64_t ns,
                void (*how)(void))
{
  pthread_t t;
  struct end e = {how};
  begin();
  if (how)
    pthread_create(&t, NULL, ender, &e);
  int rc = w->wait(ns);
  others_go_on = true;
  say(w->name, when, rc);
  others_go_on = false;
  if (how)
    pthread_join(t, NULL);
  say_late();
  clean();
  if (w->clean)
    w->clean();
}

static void on_signal(int sig)
{
  (void)sig;
}

static void handle(int flags)
{
  struct sigaction sa = {.sa_handler = on_signal, .sa_flags = flags};
  sigaction(SIGUSR1, &sa, NULL);
}

static void all_of(const struct way *w)
{
  if (!w->for_ever)
    one(w, "expires", 2 * unit_ns, NULL);
  if (w->event)
    one(w, "event", 3 * unit_ns, w->happen ? w->happen : happen);
  if (!w->signal)
    return;
  handle(0);
  one(w, "signal", 3 * unit_ns, send_signal);
  handle(SA_RESTART);
  one(w, "signal restart", 3 * unit_ns, send_signal);
}

/* ---- processes and threads ---- */

static void forked(void)
{
  int status = 0;
  begin();
  pid_t pid = fork();
  if (pid == 0) {
    struct timespec t = spec(2 * unit_ns);
    nanosleep(&t, NULL);
    lateness_add_thread();
    _exit(units(now() - begin_ns) == 2 ? 7 : 8);
  }
  waitpid(pid, &status, 0);
  say("fork", "child sleeps", WEXITSTATUS(status));
}

static void executed(char *self)
{
  char ms[24];
  int status = 0;
  begin();
  pid_t pid = fork();
  if (pid == 0) {
    snprintf(ms, sizeof ms, "%lld", (long long)(2 * unit_ns / NS_PER_MS));
    execl(self, self, ms, "sleep", (char *)NULL);
    _exit(9);
  }
  waitpid(pid, &status, 0);
  say("exec", "program sleeps", WEXITSTATUS(status));
}

static void *sleeper(void *arg)
{
  struct timespec t = spec(unit_ns);
  nanosleep(&t, NULL);
  lateness_add_thread();
  return arg;
}

static void thread_exit(void)
{
  pthread_t t;
  struct timespec end = at(CLOCK_REALTIME, 5 * unit_ns);
  begin();
  pthread_create(&t, NULL, sleeper, NULL);
  say("join", "thread exits", as_errno(pthread_timedjoin_np(t, NULL, &end)));
}

static void shared_semaphore(void)
{
  sem_t *s = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
                  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  sem_init(s, 1, 0);
  struct timespec end = at(CLOCK_REALTIME, 5 * unit_ns);
  begin();
  pid_t pid = fork();
  if (pid == 0) {
    sleeper(NULL);
    sem_post(s);
    _exit(0);
  }
  say("sem_timedwait", "posted by a child", sem_timedwait(s, &end));
  waitpid(pid, NULL, 0);
  end = at(CLOCK_REALTIME, 2 * unit_ns);
  begin();
  say("sem_timedwait", "expires", sem_timedwait(s, &end));
}

static int prepare(const char *ms)
{
  uint64_t n;
  sigset_t set;
  if (number_u64(bytes_of(ms), 1000000000, &n) != NUMBER_OK)
    return -1;
  unit_ns = (int64_t)n * NS_PER_MS;
  main_thread = pthread_self();
  sigemptyset(&set);
  sigaddset(&set, SIGRTMIN);
  sigprocmask(SIG_BLOCK, &set, NULL);
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
    return -1;
  return prepare_ipc();
}

static void rarer(void)
{
  for (size_t i = 0; i < n_ipc_ways; i++)
    all_of(&ipc_ways[i]);
  socket_options();
  requeued();
  futexes(all_of);
  oddities();
}

int main(int argc, char **argv)
{
  if (argc < 2 || prepare(argv[1]) != 0)
    return 2;
  if (argc > 2 && strcmp(argv[2], "sleep") == 0) {
    sleeper(NULL);
    return 5;
  }
  if (argc > 2 && strcmp(argv[2], "missing") == 0) {
    puts(missing_lines());
    return 0;
  }
  tells_late = argc > 2 && strcmp(argv[2], "late") == 0;
  if (tells_late)
    lateness_watch(unit_ns / 8);
  for (int i = 0; i < NWAYS; i++)
    all_of(&ways[i]);
  if (argc < 3 || tells_late) /* "library": without the rarer calls */
    rarer();
  timers();
  forked();
  executed(argv[0]);
  thread_exit();
  shared_semaphore();
  condition();
  return 0;
}
