#include "tests/unit/unit.h"

#include "harness/vtime/seccomp/kernel_wait.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* A child that is asleep in a call when this returns: one that says so by the
 * end of a pipe would still have to fall asleep. */
static void await_state(pid_t pid, char state)
{
  char path[48], room[1024];
  struct table_stat st = {"", 0};
  snprintf(path, sizeof path, "/proc/%d/stat", pid);
  while (st.state != state) {
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    size_t n = fread(room, 1, sizeof room, f);
    fclose(f);
    assert_true(table_stat((struct bytes){room, n}, &st));
  }
}

static struct kernel_wait wait_of(pid_t pid, int nr, int64_t result)
{
  return (struct kernel_wait){.call = {.tid = pid, .tgid = pid, .nr = nr},
                              .result = result};
}

static void a_wait_ends_with_the_result_it_is_given(void **state)
{
  int status = 0;
  pid_t pid = fork();
  (void)state;
  if (pid == 0)
    _exit(pause() == -1 && errno == EAGAIN ? 7 : 8);
  await_state(pid, 'S');
  struct kernel_wait k = wait_of(pid, SYS_pause, -EAGAIN);
  assert_int_equal(kernel_wait_end(&k), KERNEL_WAIT_ENDED);
  waitpid(pid, &status, 0);
  assert_int_equal(WEXITSTATUS(status), 7);
}

static void another_call_is_let_alone(void **state)
{
  pid_t pid = fork();
  (void)state;
  if (pid == 0)
    _exit(pause());
  await_state(pid, 'S');
  struct kernel_wait k = wait_of(pid, SYS_poll, 0);
  assert_int_equal(kernel_wait_end(&k), KERNEL_WAIT_OVER);
  await_state(pid, 'S');
  kill(pid, SIGKILL);
  waitpid(pid, NULL, 0);
}

/* The parent of a vfork sleeps uninterruptibly until its child ends. */
static void vfork_and_say(int fd)
{
  char c;
  pid_t pid = vfork();
  if (pid == 0)
    _exit(read(fd, &c, 1) != 1);
  _exit(pid > 0 ? 7 : 8);
}

static void a_thread_that_does_not_stop_is_given_up_and_let_go(void **state)
{
  int status = 0, p[2];
  (void)state;
  assert_int_equal(pipe(p), 0);
  pid_t pid = fork();
  if (pid == 0) {
    close(p[1]); /* it ends with us, whatever fails */
    vfork_and_say(p[0]);
  }
  await_state(pid, 'D');
  struct kernel_wait k = wait_of(pid, SYS_vfork, 0);
  assert_int_equal(kernel_wait_end(&k), KERNEL_WAIT_STUCK);
  assert_false(kernel_wait_let_go(pid));
  assert_int_equal(write(p[1], "x", 1), 1);
  waitpid(pid, &status, __WALL); /* it stops now */
  assert_true(WIFSTOPPED(status));
  assert_true(kernel_wait_let_go(pid));
  waitpid(pid, &status, 0);
  assert_int_equal(WEXITSTATUS(status), 7);
  close(p[0]);
  close(p[1]);
}

/* A signal that comes while a wait is being ended is not lost: as many arrive
 * as are sent. The moment is a few microseconds long, hence so many. */
enum { SIGNALS = 4000 };
static _Atomic int *arrived;

static void count_it(int sig)
{
  (void)sig;
  (*arrived)++;
}

static void pause_for_ever(void)
{
  signal(SIGRTMIN, count_it);
  for (;;)
    pause();
}

static void *send_signals(void *arg)
{
  const pid_t *pid = arg;
  static const union sigval none;
  for (int i = 0; i < SIGNALS; i++) {
    while (*arrived < i && kill(*pid, 0) == 0 && i % 8 == 0)
      sched_yield();
    sigqueue(*pid, SIGRTMIN, none);
  }
  return NULL;
}

static void a_signal_that_comes_meanwhile_is_not_lost(void **state)
{
  pthread_t sender;
  arrived = mmap(NULL, sizeof *arrived, PROT_READ | PROT_WRITE,
                 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  (void)state;
  pid_t pid = fork();
  if (pid == 0)
    pause_for_ever();
  await_state(pid, 'S');
  struct kernel_wait k = wait_of(pid, SYS_pause, -EINTR);
  assert_int_equal(pthread_create(&sender, NULL, send_signals, &pid), 0);
  for (int i = 0; i < 2 * SIGNALS && *arrived < SIGNALS; i++)
    kernel_wait_end(&k);
  struct timespec end = {.tv_sec = time(NULL) + 60};
  int left_out = pthread_timedjoin_np(sender, NULL, &end);
  kill(pid, SIGKILL);
  waitpid(pid, NULL, 0);
  if (left_out)
    pthread_join(sender, NULL);
  assert_int_equal(left_out, 0);
  assert_int_equal(*arrived, SIGNALS);
  munmap(arrived, sizeof *arrived);
}

/* Its wait is not over: it would be taken for one that waits for ever. */
static void a_thread_that_is_traced_already_is_said_to_be(void **state)
{
  pid_t pid = fork();
  (void)state;
  if (pid == 0)
    _exit(ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0 ? pause() : 8);
  await_state(pid, 'S');
  struct kernel_wait k = wait_of(pid, SYS_pause, -EAGAIN);
  enum kernel_wait_word word = kernel_wait_end(&k);
  kill(pid, SIGKILL); /* before all else: it would outlive a failure */
  waitpid(pid, NULL, 0);
  assert_int_equal(word, KERNEL_WAIT_TRACED);
  assert_int_equal(kernel_wait_end(&k), KERNEL_WAIT_OVER);
}

/* test_kernel_wait [NAME]: the third takes a second. */
int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_wait_ends_with_the_result_it_is_given),
      cmocka_unit_test(another_call_is_let_alone),
      cmocka_unit_test(a_thread_that_is_traced_already_is_said_to_be),
      cmocka_unit_test(a_thread_that_does_not_stop_is_given_up_and_let_go),
      cmocka_unit_test(a_signal_that_comes_meanwhile_is_not_lost),
  };
  if (argc > 1)
    cmocka_set_test_filter(argv[1]);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
