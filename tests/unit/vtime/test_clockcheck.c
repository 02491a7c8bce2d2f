#include "tests/unit/vtime/child.h"

#include "harness/vtime/clockcheck.h"

/* Its exit code; -1: it went to sleep, which takes half an hour. */
static int check(int argc, char **argv)
{
  int status = 0;
  pid_t pid = fork();
  if (pid == 0)
    _exit(clockcheck_main(argc, argv));
  while (waitpid(pid, &status, WNOHANG) == 0)
    if (is_in_call(pid, SYS_clock_nanosleep))
      kill(pid, SIGKILL);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void outside_virtual_time_it_refuses(void **state)
{
  char name[] = CLOCKCHECK_COMMAND, other[] = "other", word[] = CLOCKCHECK_WORD;
  char *none[] = {name, NULL}, *wrong[] = {name, other, NULL};
  char *more[] = {name, word, other, NULL};
  (void)state;
  assert_int_equal(check(1, none), 2);
  assert_int_equal(check(2, wrong), 2);
  assert_int_equal(check(3, more), 2);
  assert_null(clockcheck_sentence(2));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(outside_virtual_time_it_refuses),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
