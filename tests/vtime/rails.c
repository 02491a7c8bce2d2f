/*
 * vtime_rails NAME: a program for each way in which virtual time once went
 * wrong. Each prints one line that says whether time was right, or what it
 * saw instead.
 */
#include "base/clock.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int64_t begin_ns;

static int64_t now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * NS_PER_S + t.tv_nsec;
}

static void nap(int64_t ns)
{
  struct timespec t = {ns / NS_PER_S, ns % NS_PER_S};
  nanosleep(&t, NULL);
}

static int near(double want_s, double slack_s)
{
  double s = (double)(now() - begin_ns) / (double)NS_PER_S;
  int good = s >= want_s && s <= want_s + slack_s;
  printf("%s %.3f\n", good ? "right" : "wrong", s);
  return good ? 0 : 1;
}

/* Rail 1: threads that hand bytes on while each has a long time-out. */
struct relay {
  int in, out, rounds;
  atomic_int *wrong;
};

static void *pass_on(void *arg)
{
  struct relay *r = arg;
  char c = 0;
  for (int i = 0; i < r->rounds; i++) {
    struct pollfd f = {r->in, POLLIN, 0};
    if (poll(&f, 1, 300000) != 1)
      atomic_fetch_add(r->wrong, 1);
    if (read(r->in, &c, 1) != 1 || write(r->out, &c, 1) != 1)
      break;
  }
  return NULL;
}

static int handover(void)
{
  enum { N = 4, ROUNDS = 500 };
  int p[N][2];
  atomic_int wrong = 0;
  pthread_t t[N];
  struct relay r[N];
  for (int i = 0; i < N; i++)
    if (pipe(p[i]) != 0)
      return 2;
  for (int i = 0; i < N; i++) {
    r[i] = (struct relay){p[i][0], p[(i + 1) % N][1], ROUNDS, &wrong};
    pthread_create(&t[i], NULL, pass_on, &r[i]);
  }
  if (write(p[0][1], "x", 1) != 1)
    return 2;
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
  if (wrong)
    printf("wrong: %d time-outs\n", wrong);
  return wrong ? 1 : near(0, 1);
}

/* Rail 2: a sleeper that is killed; its parent has a time-out of its own and
 * sees the end of the socket the sleeper waited for. */
static int killed(void)
{
  for (int i = 0; i < 50; i++) {
    int p[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, p) != 0)
      return 2;
    pid_t pid = fork();
    if (pid == 0) {
      struct pollfd own = {p[1], POLLIN, 0};
      close(p[0]);
      poll(&own, 1, 600000);
      _exit(0);
    }
    close(p[1]);
    nap(NS_PER_S);
    kill(pid, SIGKILL);
    struct pollfd f = {p[0], POLLIN, 0};
    if (poll(&f, 1, 300000) != 1) {
      puts("wrong: its end was not seen");
      return 1;
    }
    close(p[0]);
    waitpid(pid, NULL, 0);
  }
  return near(50, 0.1);
}

/* Rail 3: a child that nobody waits for must not keep the clock. */
static int zombie(void)
{
  pid_t pid = fork();
  if (pid == 0)
    _exit(0);
  nap(3600 * NS_PER_S);
  waitpid(pid, NULL, 0);
  return near(3600, 0.01);
}

/* Rail 5: two small writes; Nagle keeps the second until the other side's
 * acknowledgement, which is delayed by 40 ms of real time. */
enum { EXCHANGES = 20 }; /* the first ones are acknowledged at once */

static void *serve(void *arg)
{
  char b;
  int fd = accept(*(int *)arg, NULL, NULL);
  for (int i = 0; i < EXCHANGES; i++)
    if (read(fd, &b, 1) != 1 || read(fd, &b, 1) != 1 || write(fd, &b, 1) != 1)
      break;
  return NULL;
}

/* Two writes and the answer; false: timed out. */
static int exchange(int fd)
{
  char b = 'x';
  struct pollfd f = {fd, POLLIN, 0};
  return write(fd, &b, 1) == 1 && write(fd, &b, 1) == 1 &&
         poll(&f, 1, 300000) == 1 && read(fd, &b, 1) == 1;
}

static int nagle(void)
{
  struct sockaddr sa = {.sa_family = AF_INET};
  socklen_t n = sizeof sa;
  int l = socket(AF_INET, SOCK_STREAM, 0), c = socket(AF_INET, SOCK_STREAM, 0);
  pthread_t t;
  memcpy(sa.sa_data + 2, "\177\0\0\1", 4);
  const char *port = getenv("PORT");
  unsigned number = 0;
  for (; port && *port; port++)
    number = number * 10 + (unsigned)(*port - '0');
  sa.sa_data[0] = (char)(number >> 8);
  sa.sa_data[1] = (char)number;
  int one = 1;
  setsockopt(l, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  if (bind(l, &sa, n) != 0 || listen(l, 1) != 0 || connect(c, &sa, n) != 0)
    return 2;
  pthread_create(&t, NULL, serve, &l);
  for (int i = 0; i < EXCHANGES; i++)
    if (!exchange(c)) {
      puts("wrong: timed out with bytes on their way");
      return 1;
    }
  return near(0, 1);
}

/* Rail 6: a handler with SA_RESTART in the middle of a poll. */
static void on_signal(int sig)
{
  (void)sig;
}

static int restarted(void)
{
  struct sigaction sa = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
  sigaction(SIGALRM, &sa, NULL);
  alarm(4);
  int rc = poll(NULL, 0, 10000);
  if (rc != -1 || errno != EINTR) {
    printf("wrong: poll gave %d\n", rc);
    return 1;
  }
  return near(4, 0.01);
}

/* Rail 7: a short wait while another thread computes, as for Python's lock. */
static atomic_int stop;
static void *sleep_a_little(void *arg)
{
  nap(5 * NS_PER_MS);
  stop = 1;
  return arg;
}

static int computing(void)
{
  pthread_t t;
  pthread_create(&t, NULL, sleep_a_little, NULL);
  while (!stop)
    continue;
  pthread_join(t, NULL);
  return near(0.005, 5);
}

/* The kernel's own time-out ends a wait while another thread computes: virtual
 * time must have come so far. */
static void *compute(void *arg)
{
  struct timespec t;
  do
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  while (!stop);
  return arg;
}

static int kernel_first(void)
{
  pthread_t t;
  pthread_create(&t, NULL, compute, NULL);
  poll(NULL, 0, 500);
  stop = 1;
  pthread_join(t, NULL);
  return near(0.5, 0.5);
}

/* Rail 8: a busy wait on the clock, with 1 us a read it would take minutes. */
static int busy_wait(void)
{
  while (now() - begin_ns < 20000 * NS_PER_S)
    continue;
  return near(20000, 0.01);
}

/* A wait nobody emulates: real rate, and right. recvmmsg looks at its
 * time-out only after a datagram (recvmmsg(2), BUGS). */
static int opaque(void)
{
  struct timespec t = {0, 300 * NS_PER_MS};
  int pair[2];
  char c;
  struct iovec v = {&c, 1};
  struct mmsghdr m = {.msg_hdr = {.msg_iov = &v, .msg_iovlen = 1}};
  if (socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) != 0)
    return 2;
  pid_t pid = fork();
  if (pid == 0) {
    nap(NS_PER_S);
    _exit(write(pair[1], "x", 1) != 1);
  }
  int rc = recvmmsg(pair[0], &m, 1, 0, &t);
  if (rc != 1)
    printf("wrong: recvmmsg gave %d\n", rc);
  waitpid(pid, NULL, 0);
  return rc == 1 ? near(1, 0.2) : 1;
}

/* Waits for ever: nothing is armed. */
static int stalled(void)
{
  pause();
  return 3;
}

static const struct {
  const char *name;
  int (*run)(void);
} rails[] = {{"handover", handover},
             {"killed", killed},
             {"zombie", zombie},
             {"nagle", nagle},
             {"restarted", restarted},
             {"computing", computing},
             {"kernel-first", kernel_first},
             {"busy-wait", busy_wait},
             {"opaque", opaque},
             {"stalled", stalled}};

int main(int argc, char **argv)
{
  for (size_t i = 0; argc == 2 && i < sizeof rails / sizeof rails[0]; i++)
    if (strcmp(argv[1], rails[i].name) == 0) {
      begin_ns = now();
      return rails[i].run();
    }
  return 2;
}
