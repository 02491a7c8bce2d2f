/* `faultwire probe` as a user meets it: the built program, its exit codes,
 * both outputs and the file it writes or leaves alone. Whether it measures
 * right is tests/clients/probe/check. */
#include "tests/unit/unit.h"

#include "base/file.h"

#include <string.h>
#include <sys/wait.h>

#define OUT_MAX ((size_t)1 << 20)

static char *root;

static int set_up(void **state)
{
  struct diag diag = {0};
  (void)state;
  root = file_temp_folder("probe", &diag);
  return root ? 0 : -1;
}

static int tear_down(void **state)
{
  (void)state;
  file_remove_tree(root);
  free(root);
  return 0;
}

/* Runs `faultwire probe ARGS` in the test's folder, both outputs into `ret`;
 * returns the exit code. */
static int probe(const char *args, struct buf *ret)
{
  char *line = mem_format("cd '%s' && '%s/faultwire' probe %s 2>&1 </dev/null",
                          root, BUILD_DIR, args);
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

static void expect(const char *id, const char *args, int code, const char *want)
{
  struct buf out;
  int got = probe(args, &out);
  if (got != code || !strstr(buf_str(&out), want))
    fail_msg("%s: exit %d (not %d), no '%s' in\n%s", id, got, code, want,
             buf_str(&out));
  buf_release(&out);
}

static bool is_there(const char *name)
{
  char *path = mem_format("%s/%s", root, name);
  bool there = file_exists(path);
  free(path);
  return there;
}

static void every_mistake_has_its_words(void **state)
{
  (void)state;
  static const struct {
    const char *id, *args;
    int code;
    const char *want;
  } rows[] = {
      {"help", "--help", 0, "--policy-out FILE"},
      {"list", "--list", 0, "longest_wait"},
      {"no client", "", 2, "which client?"},
      {"slip", "--only backof -- true", 2, "did you mean 'backoff'?"},
      {"provider", "--provider antropic -- true", 2, "'anthropic'?"},
      {"mode", "--mode strem -- true", 2, "'stream'?"},
      {"channel", "--channel htp -- true", 2, "'http'?"},
      {"option", "--polcy-out x -- true", 2, "'--policy-out'?"},
      {"command", "--command claude -- true", 2, "--channel command"},
      {"env", "--env NAME -- true", 2, "NAME=VALUE"},
      {"word", "x -- true", 2, "'x' is too much"},
      {"limit", "--limit 1 -- true", 2, "limit"},
      {"no program", "-- ./no-such-program", 3, "no-such-program"},
      {"no call", "-- true", 3, "not wired"},
      {"no call says how", "-- true", 3, "--env NAME={BASE}"},
      {"no start of the command", "--channel command -- true", 3,
       "--command NAME"},
  };
  for (size_t i = 0; i < COUNT(rows); i++)
    expect(rows[i].id, rows[i].args, rows[i].code, rows[i].want);
  assert_false(is_there("faultwire.policy.json"));
}

static void a_policy_that_is_there_is_left_alone(void **state)
{
  (void)state;
  struct diag diag = {0};
  struct buf text;
  char *path = mem_format("%s/mine.json", root);
  assert_int_equal(file_write(path, BYTES("mine"), &diag), 0);
  expect("named", "--policy-out mine.json -- true", 2, "--force");
  buf_init(&text, 100);
  assert_int_equal(file_read(path, &text, &diag), 0);
  assert_string_equal(buf_str(&text), "mine");
  buf_release(&text);
  free(path);
}

/* A client of one line, and the experiment that needs least. */
static void a_client_of_one_line_is_measured(void **state)
{
  (void)state;
  static const char client[] =
      "--only metrics --json all.json -- curl -sS -d "
      "'{\"model\":\"m\",\"messages\":[]}' -H 'content-type: application/json' "
      "'{BASE}/v1/messages'";
  expect("written", client, 0, "policy: faultwire.policy.json");
  assert_true(is_there("faultwire.policy.json"));
  assert_true(is_there("all.json"));
  expect("again", client, 0, "faultwire.policy.json is there");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_mistake_has_its_words),
      cmocka_unit_test(a_policy_that_is_there_is_left_alone),
      cmocka_unit_test(a_client_of_one_line_is_measured),
  };
  return cmocka_run_group_tests_name("probe_command", tests, set_up, tear_down);
}
