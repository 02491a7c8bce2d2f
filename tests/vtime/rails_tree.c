/* Rails about timers, processes that are stopped, and who is in the tree. */
#include "tests/vtime/rails.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void on_signal(int sig)
{
  (void)sig;
}

/* ---- rail 12: what is no wait of a thread ---- */

int alarmed(void)
{
  struct sigaction sa = {.sa_handler = on_signal};
  sigaction(SIGALRM, &sa, NULL);
  alarm(1000);
  pause();
  return near(1000, 0.01);
}

int timer_descriptor(void)
{
  struct itimerspec s = {{0, 0}, {1000, 0}};
  int fd = timerfd_create(CLOCK_MONOTONIC, 0);
  uint64_t n = 0;
  timerfd_settime(fd, 0, &s, NULL);
  return read(fd, &n, sizeof n) == sizeof n && n == 1 ? near(1000, 0.01) : 2;
}

/* Reads the end that its parent has set, or sets another one before. */
static int use_timer(int fd, bool again)
{
  struct itimerspec s = {{0, 0}, {500, 0}};
  struct pollfd f = {fd, POLLIN, 0};
  uint64_t n = 0;
  nap(NS_PER_S); /* the owner has closed it */
  if (again)
    timerfd_settime(fd, 0, &s, NULL);
  return read(fd, &n, sizeof n) != sizeof n || n != 1 ||
         poll(&f, 1, 1000000) != 0;
}

static bool pass_on(bool again)
{
  struct itimerspec s = {{0, 0}, {1000, 0}};
  int status = 0, fd = timerfd_create(CLOCK_MONOTONIC, 0);
  timerfd_settime(fd, 0, &s, NULL);
  pid_t pid = fork();
  if (pid == 0) {
    int own = dup2(fd, fd + 10);
    close(fd);
    _exit(use_timer(own, again));
  }
  close(fd);
  waitpid(pid, &status, 0);
  return status == 0;
}

/* A child has it by another number, and everybody else closes it. */
int timer_passed_on(void)
{
  return pass_on(false) && pass_on(true) ? near(3501, 0.01) : 2;
}

int receive(void)
{
  struct timeval t = {1000, 0};
  int p[2];
  char c;
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, p) != 0)
    return 2;
  setsockopt(p[0], SOL_SOCKET, SO_RCVTIMEO, &t, sizeof t);
  ssize_t n = recv(p[0], &c, 1, 0);
  return n < 0 && errno == EAGAIN ? near(1000, 0.01) : 2;
}

/* More descriptors than a call mostly has. */
int many(void)
{
  enum { N = 300 };
  static struct pollfd f[N];
  fd_set in;
  struct timeval t = {500, 0};
  FD_ZERO(&in);
  for (int i = 0; i < N; i++) {
    int p[2];
    if (pipe(p) != 0)
      return 2;
    f[i] = (struct pollfd){p[0], POLLIN, 0};
    FD_SET(p[0], &in);
  }
  int rc = poll(f, N, 500000) + select(f[N - 1].fd + 1, &in, NULL, NULL, &t);
  return rc == 0 ? near(1000, 0.1) : 2;
}

/* ---- stopped ---- */

/* Seconds. Where the kernel waits it is real time as well, so that a stop
 * which is taken for the end of the wait costs no more. */
enum { LONG_WAIT = 10, SHORT_WAIT = 5 };

static void *nap_for(void *arg)
{
  struct timespec t = {*(const int *)arg, 0};
  return nanosleep(&t, NULL) == 0 ? arg : NULL;
}

/* With one thread more. */
static void wait_twice(int s)
{
  pthread_t t;
  void *slept;
  pthread_create(&t, NULL, nap_for, &s);
  int rc = poll(NULL, 0, s * 1000);
  pthread_join(t, &slept);
  _exit(rc || !slept);
}

/* A process is stopped in the middle of its waits: at once, and they are over
 * as soon as it goes on. */
int stopped(void)
{
  int status = 0;
  pid_t pid = fork();
  if (pid == 0)
    wait_twice(LONG_WAIT);
  nap(3 * NS_PER_S);
  kill(pid, SIGSTOP);
  waitpid(pid, &status, WUNTRACED);
  if (!WIFSTOPPED(status) || now() - begin_ns > 3500 * NS_PER_MS) {
    puts("wrong: not stopped");
    return 1;
  }
  nap(997 * NS_PER_S);
  kill(pid, SIGCONT);
  waitpid(pid, &status, 0);
  return status ? 2 : near(1000, 0.1);
}

/* The same for a short stop: the waits last as long as they would have. */
int stopped_shortly(void)
{
  int status = 0;
  pid_t pid = fork();
  if (pid == 0)
    wait_twice(SHORT_WAIT);
  nap(NS_PER_S);
  kill(pid, SIGSTOP);
  waitpid(pid, &status, WUNTRACED);
  nap(NS_PER_S);
  kill(pid, SIGCONT);
  waitpid(pid, &status, 0);
  return status ? 2 : near(SHORT_WAIT, 0.1);
}

/* ---- who is in the tree ---- */

/* Computes for 5 ms and says so; whoever waits for it sleeps meanwhile. */
static void *work(void *arg)
{
  struct timespec t;
  do
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  while (t.tv_nsec < 5 * NS_PER_MS);
  return write(*(const int *)arg, "x", 1) == 1 ? arg : NULL;
}

static void work_in_process(int fd)
{
  if (fork() == 0) {
    work(&fd);
    _exit(0);
  }
}

static void work_in_thread(int fd)
{
  static int to; /* one at a time */
  pthread_t t;
  to = fd;
  pthread_create(&t, NULL, work, &to);
  pthread_detach(t);
}

/* In a process whose parent has ended when it begins: it is given to us, who
 * have not run since. */
static void work_in_orphan(int fd)
{
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  if (fork() != 0)
    return;
  nap(NS_PER_MS); /* until the one in the middle is known */
  work_in_process(fd);
  _exit(0);
}

/* The time-out is under a second, so that nothing is looked at twice. */
static int newcomers(void (*start)(int fd))
{
  int p[2];
  char c;
  if (pipe(p) != 0)
    return 2;
  for (int i = 0; i < 20; i++) {
    struct pollfd f = {p[0], POLLIN, 0};
    start(p[1]);
    if (poll(&f, 1, 900) != 1) {
      printf("wrong: number %d was not seen\n", i);
      return 1;
    }
    if (read(p[0], &c, 1) != 1)
      return 2;
    while (waitpid(-1, NULL, WNOHANG) > 0)
      continue;
  }
  return near(0, 0.1);
}

int new_process(void)
{
  return newcomers(work_in_process);
}

int orphan(void)
{
  return newcomers(work_in_orphan);
}

int new_thread(void)
{
  return newcomers(work_in_thread);
}

/* Rail 7, the other way: nobody's wait is near, so seconds of computing take
 * no time. */
static void *sleep_long(void *arg)
{
  nap(300 * NS_PER_S);
  return arg;
}

int computing_alone(void)
{
  pthread_t t;
  pthread_create(&t, NULL, sleep_long, NULL);
  pthread_detach(t);
  while (clock() < 3 * CLOCKS_PER_SEC)
    for (volatile int i = 0; i < 20000000; i++)
      continue;
  return near(0, 0.01);
}
