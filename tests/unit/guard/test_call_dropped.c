/*
 * test_call_dropped.c - a caller that forgets to report. Built twice, with
 * the sources of the gate in it: with GUARD_DEBUG it ends the program, without
 * it the place is free again.
 */
#include "call_rig.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* The one place of a half-open breaker is taken, and the caller is done
 * without a word, or tries again without one. */
static void forget(bool again)
{
  guard_breaker_set(&breaker, GUARD_BREAKER_HALF_OPEN, T0, 0);
  begin(T0);
  if (again)
    guard_call_again(&call, &gate, T0);
  else
    guard_call_close(&call, &gate, T0);
}

static void a_dropped_permit(bool again)
{
#ifdef GUARD_DEBUG
  int status = 0;
  pid_t pid = fork();
  assert_true(pid >= 0);
  if (pid == 0) {
    const struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    signal(SIGABRT, SIG_DFL); /* cmocka takes it for a failed test */
    close(STDERR_FILENO);
    forget(again);
    _exit(0);
  }
  assert_int_equal(waitpid(pid, &status, 0), pid);
  assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
#else
  forget(again);
  assert_false(call.permit.held);
  assert_int_equal(metrics.failed, 1);
  assert_int_equal(metrics.opened, 1);
  begin(T0 + 60000); /* the next cooling recovers */
#endif
}

static void is_noticed_at_the_end_of_the_call(void **state)
{
  (void)state;
  a_dropped_permit(false);
}

static void is_noticed_by_the_next_try(void **state)
{
  (void)state;
  a_dropped_permit(true);
}

static void closing_after_a_report_is_nothing(void **state)
{
  (void)state;
  once(answer(GUARD_NONE), T0);
  guard_call_close(&call, &gate, T0);
  guard_call_close(&call, &gate, T0);
  assert_int_equal(metrics.failed, 0);
  assert_int_equal(metrics.done, 1);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      TEST(is_noticed_at_the_end_of_the_call),
      TEST(is_noticed_by_the_next_try),
      TEST(closing_after_a_report_is_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
