/*
 * vtime_rails NAME: a program for each way in which virtual time once went
 * wrong. Each prints one line that says whether time was right, or what it
 * saw instead.
 */
#include "tests/vtime/rails.h"

#include <errno.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int64_t begin_ns;

int64_t now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * NS_PER_S + t.tv_nsec;
}

void nap(int64_t ns)
{
  struct timespec t = {ns / NS_PER_S, ns % NS_PER_S};
  nanosleep(&t, NULL);
}

int near(double want_s, double slack_s)
{
  double s = (double)(now() - begin_ns) / (double)NS_PER_S;
  int good = s >= want_s && s <= want_s + slack_s;
  printf("%s %.3f\n", good ? "right" : "wrong", s);
  return good ? 0 : 1;
}

/* Rail 1: threads that hand bytes on while each has a long time-out. */
struct relay {
  int in, out, rounds, timeout_ms;
  atomic_int *wrong;
};

static void *pass_on(void *arg)
{
  struct relay *r = arg;
  char c = 0;
  for (int i = 0; i < r->rounds; i++) {
    struct pollfd f = {r->in, POLLIN, 0};
    if (r->timeout_ms && poll(&f, 1, r->timeout_ms) != 1)
      atomic_fetch_add(r->wrong, 1);
    if (read(r->in, &c, 1) != 1 || write(r->out, &c, 1) != 1)
      break;
  }
  return NULL;
}

static int hand_over(int n, int rounds, int timeout_ms)
{
  enum { N = 8 };
  int p[N][2];
  atomic_int wrong = 0;
  pthread_t t[N];
  struct relay r[N];
  for (int i = 0; i < n; i++)
    if (pipe(p[i]) != 0)
      return 2;
  for (int i = 0; i < n; i++) {
    r[i] =
        (struct relay){p[i][0], p[(i + 1) % n][1], rounds, timeout_ms, &wrong};
    pthread_create(&t[i], NULL, pass_on, &r[i]);
  }
  if (write(p[0][1], "x", 1) != 1)
    return 2;
  for (int i = 0; i < n; i++)
    pthread_join(t[i], NULL);
  if (wrong)
    printf("wrong: %d time-outs\n", wrong);
  return wrong ? 1 : near(0, 0.5);
}

static int handover(void)
{
  return hand_over(8, 500, 300000);
}

/* Under a second: nothing is looked at a second time before such a jump. */
static int handover_short(void)
{
  return hand_over(8, 500, 900);
}

/* Reads without a time-out, which nobody else can watch; a bystander has one,
 * which is not to come. */
static void *stand_by(void *arg)
{
  nap(900 * NS_PER_MS);
  return arg;
}

static int handover_unseen(void)
{
  pthread_t t;
  pthread_create(&t, NULL, stand_by, NULL);
  return hand_over(2, 40000, 0);
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

/* Rails 4 and 11: threads with a name of the Java virtual machine's. */
struct keeper {
  const char *name;
  int64_t nap_ns;
  int naps; /* < 0: until the end */
};
static atomic_int kept;

static void *keep_house(void *arg)
{
  const struct keeper *k = arg;
  prctl(PR_SET_NAME, k->name);
  for (int i = 0; i != k->naps; i++) {
    nap(k->nap_ns);
    kept++;
  }
  return NULL;
}

/* Hand-shakes of 10 ms, while somebody else has a time-out: waited for. */
static int handshakes(void)
{
  struct keeper k = {"VM Thread", 10 * NS_PER_MS, 50};
  pthread_t t;
  pthread_create(&t, NULL, keep_house, &k);
  pthread_join(t, NULL);
  return near(0.5, 0.1);
}

/* A thread that wants to wake up every 50 ms; each would be a jump. */
static int housekeeping(void)
{
  static struct keeper k = {"VM Periodic Tas", 50 * NS_PER_MS, -1};
  pthread_t t;
  pthread_create(&t, NULL, keep_house, &k);
  nap(100 * NS_PER_S);
  if (kept > 50) {
    printf("wrong: %d times\n", kept);
    return 1;
  }
  return near(100, 0.1);
}

/* Rail 5: two small writes; Nagle keeps the second until the other side's
 * acknowledgement, which is delayed by 40 ms of real time. */
enum { EXCHANGES = 40 }; /* the first ones are acknowledged at once */

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

/* What is left goes into what was asked for, by a signal alone. */
static int in_place(void)
{
  struct timespec t = {10, 0};
  static struct keeper k = {"other", NS_PER_S, 5};
  pthread_t other;
  pthread_create(&other, NULL, keep_house, &k);
  int rc = nanosleep(&t, &t);
  pthread_join(other, NULL);
  if (rc != 0 || t.tv_sec != 10) {
    printf("wrong: %d, %ld s\n", rc, (long)t.tv_sec);
    return 1;
  }
  return near(10, 0.01);
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

/* Rail 11: a housekeeping thread of Java's name that wants to wake up every
 * 50 ms is not woken at each jump for another thread. */
static atomic_int woken;
static void *wake_up(void *arg)
{
  pthread_setname_np(pthread_self(), "G1 Service");
  for (;; woken++)
    nap(50 * NS_PER_MS);
  return arg;
}

static int housekeepers(void)
{
  pthread_t t;
  pthread_create(&t, NULL, wake_up, NULL);
  for (int i = 0; i < 20; i++)
    nap(3 * NS_PER_S);
  if (woken > 12 || woken < 5)
    return printf("wrong: woken %d times\n", woken), 1;
  return near(60, 0.01);
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
  return near(0.4, 0.6); /* a loaded machine may be late by some ms */
}

/* Rail 8: a busy wait on the clock, with 1 us a read it would take minutes. */
static int busy_wait(void)
{
  while (now() - begin_ns < 20000 * NS_PER_S)
    continue;
  nap(NS_PER_S);
  int64_t a = now();
  if (now() - a > NS_PER_MS / 10) {
    puts("wrong: a read of the clock still counts for more");
    return 1;
  }
  return near(20001, 0.01);
}

/* Rail 9: a wait nobody emulates, while another thread has a longer one: real
 * rate, and right. The kernel's clock is up to the start of this program
 * ahead of ours. */
static int opaque(void)
{
  static uint32_t word, lock;
  static struct keeper k = {"other", 100 * NS_PER_S, 1};
  pthread_t t;
  pthread_create(&t, NULL, keep_house, &k);
  int64_t end = now() + 2 * NS_PER_S;
  struct timespec at = {end / NS_PER_S, end % NS_PER_S};
  long rc = syscall(SYS_futex, &word, FUTEX_WAIT_REQUEUE_PI, 0, &at, &lock, 0);
  double s = (double)(now() - begin_ns) / (double)NS_PER_S;
  bool good = rc < 0 && errno == ETIMEDOUT && s > 0.5 && s < 3;
  printf("%s %.3f\n", good ? "right" : "wrong", s);
  _exit(fflush(stdout) || !good);
}

/* A call of a 32-bit program (getpid): nobody can say what more it does. */
static int lost(void)
{
  long nr = 20;
  __asm__ volatile("int $0x80" : "+a"(nr) : : "memory");
  nap(NS_PER_S / 2);
  return near(0.5, 0.3);
}

/* Rail 10: more output than a pipe holds, while another thread has a
 * time-out. */
static void *put_out(void *arg)
{
  static char lines[1 << 19];
  memset(lines, '\n', sizeof lines);
  stop = fwrite(lines, 1, sizeof lines, stderr) == sizeof lines;
  return arg;
}

static int output(void)
{
  pthread_t t;
  struct timespec end;
  pthread_create(&t, NULL, put_out, NULL);
  clock_gettime(CLOCK_REALTIME, &end);
  end.tv_nsec += 900 * NS_PER_MS; /* short: the kernel is not asked then */
  end.tv_sec += end.tv_nsec / NS_PER_S;
  end.tv_nsec %= NS_PER_S;
  if (pthread_timedjoin_np(t, NULL, &end) != 0) {
    puts("wrong: timed out in the middle of a write");
    return 1;
  }
  return stop ? near(0, 0.5) : 2;
}

/* A timer each end of which is a thread of its own. */
static atomic_int fired;
static void on_end(union sigval v)
{
  (void)v;
  fired = 1;
}

static int thread_timer(void)
{
  timer_t t;
  struct itimerspec s = {{0, 0}, {10, 0}};
  struct sigevent e = {.sigev_notify = SIGEV_THREAD,
                       .sigev_notify_function = on_end};
  if (timer_create(CLOCK_MONOTONIC, &e, &t) != 0)
    return 3;
  timer_settime(t, 0, &s, NULL);
  while (!fired)
    nap(50 * NS_PER_MS);
  timer_delete(t);
  return near(10, 0.1);
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
             {"handover-short", handover_short},
             {"handover-unseen", handover_unseen},
             {"killed", killed},
             {"zombie", zombie},
             {"nagle", nagle},
             {"restarted", restarted},
             {"computing", computing},
             {"computing-alone", computing_alone},
             {"housekeepers", housekeepers},
             {"kernel-first", kernel_first},
             {"busy-wait", busy_wait},
             {"opaque", opaque},
             {"thread-timer", thread_timer},
             {"lost", lost},
             {"in-place", in_place},
             {"handshakes", handshakes},
             {"housekeeping", housekeeping},
             {"output", output},
             {"alarm", alarmed},
             {"timerfd", timer_descriptor},
             {"timer-passed-on", timer_passed_on},
             {"receive", receive},
             {"many", many},
             {"stopped", stopped},
             {"stopped-shortly", stopped_shortly},
             {"new-process", new_process},
             {"new-thread", new_thread},
             {"orphan", orphan},
             {"last-of-many", last_of_many},
             {"negatives", negatives},
             {"not-looked-into", not_looked_into},
             {"lost-after-many", lost_after_many},
             {"zombie-timer", zombie_timer},
             {"inner-thread", inner_thread},
             {"woken-for-nothing", woken_for_nothing},
             {"first-thread-gone", first_thread_gone},
             {"one-unreachable", one_unreachable},
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
