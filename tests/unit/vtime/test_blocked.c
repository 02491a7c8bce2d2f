/* What a blocked process is said to wait in. */
#include "tests/unit/unit.h"

#include "harness/vtime/blocked.h"

#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int fds[2], sockets[2];

static void in_read(void)
{
  char c;
  ssize_t n = read(fds[0], &c, 1);
  (void)n;
}

static void in_recv(void)
{
  char c;
  ssize_t n = recv(sockets[0], &c, 1, 0);
  (void)n;
}

static void in_poll(void)
{
  poll(NULL, 0, -1);
}

static void in_event(void)
{
  uint64_t n;
  ssize_t rc = read(eventfd(0, 0), &n, sizeof n);
  (void)rc;
}

static int semaphore; /* of the test, which takes it away again */

static void in_semaphore(void)
{
  struct sembuf take = {0, -1, 0};
  syscall(SYS_semop, semaphore, &take, 1);
}

static void in_new_poll(void)
{
  struct epoll_event e;
  syscall(SYS_epoll_pwait2, epoll_create1(0), &e, 1, NULL, NULL, 0);
}

static void in_two(void)
{
  if (fork() == 0)
    prctl(PR_SET_NAME, "sh");
  else
    prctl(PR_SET_NAME, "bash");
  in_read();
}

/* The child says more than who waits for it. */
static void in_child(void)
{
  int status;
  pid_t pid = fork();
  if (pid == 0) {
    in_recv();
    _exit(0);
  }
  waitpid(pid, &status, 0);
}

static const struct {
  const char *id;
  void (*wait)(void);
  const char *says;
} rows[] = {
    {"a pipe", in_read, "test_blocked in read on a pipe"},
    {"a socket", in_recv, "test_blocked in recvfrom on a socket"},
    {"no descriptor", in_poll, "test_blocked in poll"},
    {"a child", in_child, "test_blocked in recvfrom on a socket"},
    {"an event", in_event, "test_blocked in read on an eventfd"},
    {"a semaphore", in_semaphore, "test_blocked in semop"},
    {"a new poll", in_new_poll, "test_blocked in epoll_pwait2"},
    {"a name that ends another's", in_two,
     "bash in read on a pipe, sh in read on a pipe"},
};

/* Asked until it sleeps where it is going to. */
static bool says(int pid, const char *wanted, char ret[128])
{
  for (int i = 0; i < 200000; i++) {
    struct buf b;
    buf_init(&b, 4096);
    blocked_in(pid, &b);
    snprintf(ret, 128, "%s", buf_str(&b));
    buf_release(&b);
    if (strcmp(ret, wanted) == 0)
      return true;
  }
  return false;
}

static void a_blocked_program_is_described(void **state)
{
  int wrong = 0;
  (void)state;
  assert_int_equal(pipe(fds), 0);
  assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets), 0);
  semaphore = semget(IPC_PRIVATE, 1, 0600);
  for (size_t i = 0; i < COUNT(rows); i++) {
    char is[128];
    int status;
    pid_t pid = fork();
    if (pid == 0) {
      setpgid(0, 0);
      rows[i].wait();
      _exit(0);
    }
    setpgid(pid, pid);
    bool good = says(pid, rows[i].says, is);
    kill(-pid, SIGKILL);
    waitpid(pid, &status, 0);
    if (!good)
      print_message("%s: '%s'\n", rows[i].id, is);
    wrong += !good;
  }
  semctl(semaphore, 0, IPC_RMID);
  assert_int_equal(wrong, 0);
}

static void nobody_waits_in_nothing(void **state)
{
  struct buf b;
  (void)state;
  buf_init(&b, 4096);
  blocked_in(INT32_MAX, &b);
  assert_int_equal(b.n, 0);
  buf_release(&b);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_blocked_program_is_described),
      cmocka_unit_test(nobody_waits_in_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
