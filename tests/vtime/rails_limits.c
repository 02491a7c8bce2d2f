/* Rails about what there is too much of, and about programs that cannot be
 * looked into. */
#include "tests/vtime/rails.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

/* More threads than we have descriptors for; the last one computes, sleeps and
 * then does what the first one waits for. */
static int ends[2];

static void *read_for_ever(void *arg)
{
  int *p = arg;
  char c;
  return read(p[0], &c, 1) == 1 ? arg : NULL;
}

static void *compute(void *arg)
{
  struct timespec t = {0, 0};
  while (t.tv_sec == 0 && t.tv_nsec < 300000000)
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  nap(5 * NS_PER_S);
  return write(ends[1], "x", 1) == 1 ? arg : NULL;
}

int last_of_many(void)
{
  enum { N = 100 };
  int silent[2];
  pthread_t t;
  struct pollfd f = {-1, POLLIN, 0};
  if (pipe(silent) != 0 || pipe(ends) != 0)
    return 2;
  for (int i = 0; i < N; i++)
    if (pthread_create(&t, NULL, read_for_ever, silent) != 0)
      return 2;
  pthread_create(&t, NULL, compute, NULL);
  f.fd = ends[0];
  int rc = poll(&f, 1, 100000);
  printf("%s", rc == 1 ? "" : "wrong: ");
  int late = near(5, 0.1);
  _exit(fflush(stdout) || rc != 1 || late);
}

/* Descriptors below 0 are left out by poll, but count for it: more of them
 * than we may have descriptors, while others make calls. */
static void *poll_nothing(void *arg)
{
  enum { N = 100 };
  struct pollfd f[N];
  for (int i = 0; i < N; i++)
    f[i] = (struct pollfd){-1, POLLIN, 0};
  poll(f, N, 10000);
  return arg;
}

int negatives(void)
{
  pthread_t t;
  pthread_create(&t, NULL, poll_nothing, NULL);
  for (int i = 0; i < 50; i++)
    nap(10 * NS_PER_MS);
  return near(0.5, 0.1);
}

/* As ordinary users cannot: its memory and its files in /proc. A wait in the
 * kernel is at the real rate then, and the clock can be read. */
static void *nap_long(void *arg)
{
  nap(100 * NS_PER_S);
  return arg;
}

int not_looked_into(void)
{
  pthread_t t;
  struct timespec is;
  struct timeval some = {0, 500000};
  pthread_create(&t, NULL, nap_long, NULL);
  prctl(PR_SET_DUMPABLE, 0);
  long rc = syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &is);
  select(0, NULL, NULL, NULL, &some);
  int wrong = rc != 0 || near(0.5, 0.3);
  _exit(fflush(stdout) || wrong);
}

/* A program that cannot be followed, after many of them. */
int lost_after_many(void)
{
  for (int i = 0; i <= 40; i++) {
    int status = 0;
    pid_t pid = fork();
    if (pid == 0) {
      long nr = 20; /* getpid of 32-bit programs */
      __asm__ volatile("int $0x80" : "+a"(nr) : : "memory");
      begin_ns = now();
      if (i == 40)
        nap(NS_PER_S / 2);
      exit(i == 40 && near(0.5, 0.3));
    }
    waitpid(pid, &status, 0);
    if (status != 0)
      return 1;
  }
  return 0;
}

/* Its timer has ended with it: nothing is armed. */
int zombie_timer(void)
{
  struct itimerval every = {{1, 0}, {1, 0}};
  pid_t pid = fork();
  if (pid == 0) {
    setitimer(ITIMER_REAL, &every, NULL);
    _exit(0);
  }
  pause();
  return 3;
}

/* A timer for a thread, named as in a PID namespace of its own. */
static void on_timer(int sig)
{
  (void)sig;
}

int inner_thread(void)
{
  timer_t t;
  struct itimerspec s = {{0, 0}, {1, 0}};
  struct sigevent e = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGUSR1};
  e._sigev_un._tid = gettid();
  signal(SIGUSR1, on_timer);
  if (timer_create(CLOCK_MONOTONIC, &e, &t) != 0)
    return 3;
  timer_settime(t, 0, &s, NULL);
  nap(5 * NS_PER_S);
  return near(1, 0.1);
}

/* A poll in the kernel that is woken, finds nothing and sleeps on. */
static void *shut_down(void *arg)
{
  const int *p = arg;
  nap(NS_PER_S);
  shutdown(p[1], SHUT_WR); /* readable now, but nothing is urgent */
  return arg;
}

int woken_for_nothing(void)
{
  int p[2];
  pthread_t t;
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, p) != 0)
    return 2;
  struct pollfd f = {p[0], POLLPRI, 0};
  pthread_create(&t, NULL, shut_down, p);
  int rc = poll(&f, 1, 100000);
  return rc != 0 ? 1 : near(100, 0.1);
}

/* The files of a process are those of its threads that are left. */
static void *receive_in_vain(void *arg)
{
  struct timeval t = {2, 0};
  char c;
  int p[2];
  nap(NS_PER_S); /* the first thread has gone */
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, p) != 0)
    exit(2);
  setsockopt(p[0], SOL_SOCKET, SO_RCVTIMEO, &t, sizeof t);
  if (recv(p[0], &c, 1, 0) >= 0)
    exit(1);
  exit(near(3, 0.1));
  return arg;
}

int first_thread_gone(void)
{
  pthread_t t;
  if (pthread_create(&t, NULL, receive_in_vain, NULL) != 0)
    return 2;
  pthread_exit(NULL);
}

/* What one program refuses the others still allow: where descriptors cannot
 * be copied, select says all of its time is left. */
static void *write_later(void *arg)
{
  const int *p = arg;
  nap(4 * NS_PER_S);
  return write(p[1], "x", 1) == 1 ? arg : NULL;
}

int one_unreachable(void)
{
  struct timeval t = {10, 0};
  struct epoll_event ev;
  int p[2], fd = epoll_create1(0);
  pthread_t other;
  fd_set in;
  if (fork() == 0) {
    prctl(PR_SET_DUMPABLE, 0);
    _exit(epoll_wait(fd, &ev, 1, 100));
  }
  wait(NULL);
  if (pipe(p) != 0)
    return 2;
  pthread_create(&other, NULL, write_later, p);
  FD_ZERO(&in);
  FD_SET(p[0], &in);
  int rc = select(p[0] + 1, &in, NULL, NULL, &t);
  printf("%s, %d s left\n", rc == 1 && t.tv_sec < 7 ? "right" : "wrong",
         (int)t.tv_sec);
  return rc != 1 || t.tv_sec >= 7;
}
