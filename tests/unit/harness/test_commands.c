/* The command channel end to end: the built program, its stand-ins, and
 * clients of one line. */
#include "tests/unit/unit.h"

#include "base/file.h"

#include <string.h>
#include <sys/wait.h>

#define OUT_MAX ((size_t)4 << 20)

static char *root;

static int set_up(void **state)
{
  struct diag diag = {0};
  (void)state;
  root = file_temp_folder("commands", &diag);
  return root ? 0 : -1;
}

static int tear_down(void **state)
{
  (void)state;
  file_remove_tree(root);
  free(root);
  return 0;
}

/* The shell's line, both outputs into `ret`; returns the exit code. */
static int shell(struct buf *ret, char *line)
{
  FILE *f = popen(line, "r");
  char chunk[4096];
  size_t n;
  assert_non_null(f);
  buf_init(ret, OUT_MAX);
  buf_adds(ret, "");
  while ((n = fread(chunk, 1, sizeof chunk, f)) > 0)
    buf_add(ret, chunk, n);
  int status = pclose(f);
  free(line);
  assert_true(WIFEXITED(status));
  return WEXITSTATUS(status);
}

static void write_scenario(const char *body)
{
  struct diag diag = {0};
  char *path = mem_format("%s/s.json", root);
  char *text = mem_format("{\"name\":\"n\",\"why\":\"w\",%s}", body);
  assert_int_equal(file_write(path, bytes_of(text), &diag), 0);
  free(text);
  free(path);
}

/* `faultwire test OPTIONS` of the scenario, or of its folder, against `sh -c
 * client`. */
static int test(const char *options, bool folder, const char *client,
                struct buf *ret)
{
  return shell(ret, mem_format("'%s/faultwire' test %s '%s%s' -- sh -c '%s' "
                               "2>&1 </dev/null",
                               BUILD_DIR, options, root,
                               folder ? "" : "/s.json", client));
}

static void expect(int code, const char *client, const char *want)
{
  struct buf out;
  int got = test("", false, client, &out);
  if (got != code || !strstr(buf_str(&out), want))
    fail_msg("exit %d, not '%s' in:\n%s", got, want, buf_str(&out));
  buf_release(&out);
}

static void starts_are_judged_like_requests(void **state)
{
  (void)state;
  write_scenario(
      "\"steps\":[{\"command\":\"claude\",\"says\":\"rate_limit\","
      "\"retry_after\":0.3},{\"command\":\"claude\",\"reply\":\"message\"}],"
      "\"expect\":[{\"check\":\"attempts\",\"exactly\":2},"
      "{\"check\":\"gap\",\"at_least\":\"retry_after\"},"
      "{\"check\":\"in_flight\",\"at_most\":1},"
      "{\"check\":\"exit_code\",\"in\":[0]}]");
  expect(0, "claude -p x || { sleep 0.4; claude -p x; }", "1 passed");
  expect(1, "claude -p x || claude -p x", "gap: ");
  expect(1, "claude -p x", "attempts: ");
  expect(3, "true", "not wired");
}

static void a_fault_that_was_never_sent_proves_nothing(void **state)
{
  (void)state;
  write_scenario("\"steps\":[{\"command\":\"claude\",\"says\":\"auth\"},"
                 "{\"command\":\"codex\",\"says\":\"auth\"}],"
                 "\"expect\":[{\"check\":\"attempts\",\"exactly\":1}]");
  expect(3, "claude -p x", "the fault of steps[1]");
}

static void every_lane_has_its_own_folder(void **state)
{
  (void)state;
  write_scenario("\"steps\":[{\"command\":\"a\",\"reply\":\"message\"},"
                 "{\"command\":\"b\",\"reply\":\"message\"}],"
                 "\"client\":{\"lanes\":[\"one\",\"two\"]},"
                 "\"expect\":[{\"check\":\"attempts\",\"lane\":\"one\","
                 "\"exactly\":2},{\"check\":\"attempts\",\"lane\":\"two\","
                 "\"exactly\":2}]");
  expect(0, "{COMMAND} && {SHIM}/b", "1 passed");
}

static void an_absent_command_is_not_found(void **state)
{
  (void)state;
  write_scenario("\"steps\":[{\"command\":\"agent\",\"reply\":\"message\","
                 "\"times\":\"always\"}],"
                 "\"client\":{\"starts\":3,\"absent\":[2]},"
                 "\"expect\":[{\"check\":\"attempts\",\"exactly\":2},"
                 "{\"check\":\"exit_code\",\"start\":1,\"in\":[0]},"
                 "{\"check\":\"exit_code\",\"start\":2,\"in\":[127]},"
                 "{\"check\":\"exit_code\",\"start\":3,\"in\":[0]}]");
  expect(0, "agent", "1 passed");
}

static void a_start_that_hangs_is_ended_at_the_limit(void **state)
{
  (void)state;
  write_scenario("\"steps\":[{\"command\":\"agent\",\"hang\":true,"
                 "\"ignores\":[\"TERM\",\"INT\",\"HUP\"]}],"
                 "\"client\":{\"limit_s\":0.3},"
                 "\"expect\":[{\"check\":\"attempts\",\"exactly\":1},"
                 "{\"check\":\"exit_code\",\"in\":[0]}]");
  expect(1, "agent", "still ran at its limit");
}

static void folders_hold_scenarios_of_two_channels(void **state)
{
  struct buf out;
  (void)state;
  write_scenario("\"steps\":[{\"command\":\"agent\",\"reply\":\"message\"}],"
                 "\"expect\":[{\"check\":\"attempts\",\"exactly\":1}]");
  assert_int_equal(test("", true, "agent", &out), 2);
  assert_non_null(strstr(buf_str(&out), "another --channel"));
  buf_release(&out);
  assert_int_equal(test("--channel command", true, "agent", &out), 0);
  buf_release(&out);
  assert_int_equal(test("--channel any", true, "agent", &out), 0);
  buf_release(&out);
  assert_int_equal(test("--channel comand", true, "agent", &out), 2);
  assert_non_null(strstr(buf_str(&out), "did you mean 'command'?"));
  buf_release(&out);
}

static void shim_makes_a_folder_and_says_how_to_use_it(void **state)
{
  struct buf out;
  (void)state;
  assert_int_equal(shell(&out, mem_format("'%s/faultwire' shim --dir '%s/d d' "
                                          "claude codex 2>&1",
                                          BUILD_DIR, root)),
                   0);
  char *line = mem_format("export PATH='%s/d d':\"$PATH\"\n", root);
  assert_string_equal(buf_str(&out), line);
  free(line);
  buf_release(&out);
  /* the line works, and nobody answers */
  assert_int_equal(
      shell(&out, mem_format("(eval \"$('%s/faultwire' shim --dir '%s/d d' "
                             "claude)\"; claude) 2>&1",
                             BUILD_DIR, root)),
      70);
  assert_non_null(strstr(buf_str(&out), "no server answers"));
  buf_release(&out);
}

static void shim_refuses_what_is_no_name(void **state)
{
  static const struct {
    const char *args, *want;
    int code;
  } rows[] = {{"", "which command?", 2},
              {"a/b", "no name of a program", 2},
              {".faultwire", "no name of a program", 2},
              {"--dri x a", "did you mean '--dir'?", 2},
              {"--dir /dev/null/x a", "cannot make", 3}};
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct buf out;
    int code = shell(&out, mem_format("'%s/faultwire' shim %s 2>&1", BUILD_DIR,
                                      rows[i].args));
    if (code != rows[i].code || !strstr(buf_str(&out), rows[i].want))
      fail_msg("%s: exit %d: %s", rows[i].args, code, buf_str(&out));
    buf_release(&out);
  }
}

static void a_file_that_is_no_stand_in_is_left_alone(void **state)
{
  struct buf out;
  struct diag diag = {0};
  char *path = mem_format("%s/claude", root);
  (void)state;
  assert_int_equal(file_write(path, BYTES("mine"), &diag), 0);
  assert_int_equal(shell(&out, mem_format("'%s/faultwire' shim --dir '%s' "
                                          "claude 2>&1",
                                          BUILD_DIR, root)),
                   3);
  assert_non_null(strstr(buf_str(&out), "is no stand-in"));
  buf_release(&out);
  buf_init(&out, 100);
  assert_int_equal(file_read(path, &out, &diag), 0);
  assert_string_equal(buf_str(&out), "mine");
  buf_release(&out);
  free(path);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(starts_are_judged_like_requests),
      cmocka_unit_test(a_fault_that_was_never_sent_proves_nothing),
      cmocka_unit_test(every_lane_has_its_own_folder),
      cmocka_unit_test(an_absent_command_is_not_found),
      cmocka_unit_test(a_start_that_hangs_is_ended_at_the_limit),
      cmocka_unit_test(folders_hold_scenarios_of_two_channels),
      cmocka_unit_test(shim_makes_a_folder_and_says_how_to_use_it),
      cmocka_unit_test(shim_refuses_what_is_no_name),
      cmocka_unit_test(a_file_that_is_no_stand_in_is_left_alone)};
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
