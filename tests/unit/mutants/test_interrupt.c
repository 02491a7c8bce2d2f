/*
 * A whole run in a process of its own, ended by a signal in the middle of a
 * suite: nothing may be left, neither process nor copy.
 */
#include "mutants/mutate.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/number.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char PLAN[] =
    "{\"version\": 1, \"tree\": \"tree\", \"suite\": {\"command\": "
    "[\"sh\", \"suite.sh\"]}, \"mutants\": [{\"id\": \"m\", "
    "\"edits\": [{\"file\": \"suite.sh\", \"find\": \"wait\", "
    "\"with\": \"exit\"}], \"red\": [\"*\"]}]}";

/* The sleeper is in a session of its own, as the clients of a suite are. */
static const char SUITE[] = "setsid sleep 600 &\n"
                            "echo $! >../../pid.new\n"
                            "mv ../../pid.new ../../pid\n"
                            "wait\n";

static void write_text(const char *folder, const char *name, const char *text)
{
  struct diag diag = {0};
  char *path = mem_format("%s/%s", folder, name);
  assert_int_equal(file_write(path, bytes_of(text), &diag), 0);
  free(path);
}

static char *prepare(void)
{
  struct diag diag = {0};
  char *folder = file_temp_folder("mutants-interrupt", &diag);
  char *tree = mem_format("%s/tree", folder);
  assert_int_equal(file_mkdirs(tree, &diag), 0);
  write_text(tree, "suite.sh", SUITE);
  write_text(folder, "plan.json", PLAN);
  free(tree);
  return folder;
}

static pid_t start_gate(const char *folder)
{
  pid_t pid = fork();
  if (pid != 0)
    return pid;
  char words[5][16] = {"mutate", "run", "plan.json", "--out", "out"};
  char *argv[] = {words[0], words[1], words[2], words[3], words[4], NULL};
  if (chdir(folder) < 0)
    _exit(99);
  int null = open("/dev/null", O_WRONLY);
  dup2(null, STDERR_FILENO);
  _exit(mutate_main(5, argv));
}

/* Waits, for at most ten seconds, until the suite has told the sleeper. */
static pid_t wait_for_sleeper(const char *folder)
{
  struct clock *c = clock_real();
  int64_t until = clock_now_ns(c) + 10 * NS_PER_S;
  char *path = mem_format("%s/pid", folder);
  while (!file_exists(path) && clock_now_ns(c) < until)
    clock_wait_until(c, clock_now_ns(c) + 5 * NS_PER_MS);
  struct buf text;
  struct diag diag = {0};
  uint64_t pid = 0;
  buf_init(&text, 100);
  assert_int_equal(file_read(path, &text, &diag), 0);
  struct bytes digits = buf_bytes(&text);
  assert_int_equal(number_take_u64(&digits, INT32_MAX, &pid), NUMBER_OK);
  buf_release(&text);
  free(path);
  return (pid_t)pid;
}

static void a_signal_ends_every_process_and_removes_the_copies(void **state)
{
  const int *signals = *state;
  for (int i = 0; signals[i]; i++) {
    char *folder = prepare();
    char *work = mem_format("%s/out.work", folder);
    int status = 0;
    pid_t gate = start_gate(folder);
    pid_t sleeper = wait_for_sleeper(folder);
    assert_int_equal(kill(sleeper, 0), 0);
    assert_int_equal(kill(gate, signals[i]), 0);
    assert_int_equal(waitpid(gate, &status, 0), gate);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 130);
    assert_int_equal(kill(sleeper, 0), -1);
    assert_int_equal(errno, ESRCH);
    assert_false(file_exists(work));
    file_remove_tree(folder);
    free(work);
    free(folder);
  }
}

int main(void)
{
  static int signals[] = {SIGTERM, SIGINT, SIGHUP, 0};
  const struct CMUnitTest tests[] = {cmocka_unit_test_prestate(
      a_signal_ends_every_process_and_removes_the_copies, signals)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
