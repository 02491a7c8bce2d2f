#include "mutants/program.h"

#include "base/clock.h"
#include "base/number.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void run(const char *script, int64_t limit_ms, struct program_end *ret)
{
  const char *argv[] = {"sh", "-c", script, NULL};
  struct plan_env env = {"ADDED", "yes"};
  struct program c = {argv, "/", &env, 1, limit_ms};
  struct diag diag = {0};
  assert_int_equal(program_run(&c, ret, &diag), 0);
}

static void both_outputs_and_the_exit_code_come_back(void **state)
{
  (void)state;
  struct program_end e;
  run("pwd; echo $ADDED >&2; exit 7", 10000, &e);
  assert_string_equal(buf_str(&e.out), "/\n");
  assert_string_equal(buf_str(&e.err), "yes\n");
  assert_int_equal(e.code, 7);
  assert_false(e.timed_out);
  program_end_release(&e);
}

static void more_than_a_pipe_holds_is_taken(void **state)
{
  (void)state;
  struct program_end e;
  run("head -c 300000 /dev/zero | tr '\\0' x", 10000, &e);
  assert_int_equal(e.out.n, 300000);
  program_end_release(&e);
}

static void a_signal_is_told_as_a_shell_does(void **state)
{
  (void)state;
  struct program_end e;
  run("kill -SEGV $$", 10000, &e);
  assert_int_equal(e.code, 128 + SIGSEGV);
  program_end_release(&e);
}

static void a_missing_program_is_127_with_its_name(void **state)
{
  (void)state;
  const char *argv[] = {"/no/such/program", NULL};
  struct program c = {argv, "/", NULL, 0, 10000};
  struct program_end e;
  struct diag diag = {0};
  assert_int_equal(program_run(&c, &e, &diag), 0);
  assert_int_equal(e.code, 127);
  assert_non_null(strstr(buf_str(&e.err), "/no/such/program"));
  program_end_release(&e);
}

static pid_t pid_in(const struct buf *text)
{
  struct bytes digits = buf_bytes(text);
  uint64_t pid = 0;
  assert_int_equal(number_take_u64(&digits, INT32_MAX, &pid), NUMBER_OK);
  assert_true(pid > 1);
  return (pid_t)pid;
}

/* A killed process needs a moment to be gone, and must be reaped, by its
 * parent or by us who adopt it. One that still lives after ten seconds is
 * ended here, and the test is red. */
static void must_have_been_killed(pid_t pid)
{
  struct clock *c = clock_real();
  int64_t until = clock_now_ns(c) + 10 * NS_PER_S;
  while (kill(pid, 0) == 0 && waitpid(pid, NULL, WNOHANG) != pid &&
         clock_now_ns(c) < until)
    clock_wait_until(c, clock_now_ns(c) + 5 * NS_PER_MS);
  bool alive = kill(pid, 0) == 0;
  if (alive)
    kill(pid, SIGKILL);
  assert_false(alive);
}

static void what_is_over_time_ends_with_all_below_it(void **state)
{
  (void)state;
  struct program_end e;
  run("setsid sleep 600 & echo $!; wait", 500, &e);
  assert_true(e.timed_out);
  must_have_been_killed(pid_in(&e.out));
  program_end_release(&e);
}

static void what_stays_behind_in_the_group_ends_too(void **state)
{
  (void)state;
  struct program_end e;
  run("sleep 600 & echo $!", 60000, &e);
  assert_false(e.timed_out);
  must_have_been_killed(pid_in(&e.out));
  program_end_release(&e);
}

static int adopt(void **state)
{
  (void)state;
  children_begin();
  return 0;
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(both_outputs_and_the_exit_code_come_back),
      cmocka_unit_test(more_than_a_pipe_holds_is_taken),
      cmocka_unit_test(a_signal_is_told_as_a_shell_does),
      cmocka_unit_test(a_missing_program_is_127_with_its_name),
      cmocka_unit_test(what_is_over_time_ends_with_all_below_it),
      cmocka_unit_test(what_stays_behind_in_the_group_ends_too)};
  return cmocka_run_group_tests(tests, adopt, NULL);
}
