/* The front door as a user meets it: the built program, its exit code and
 * both outputs. */
#include "base/buf.h"
#include "tests/unit/unit.h"

#include <string.h>
#include <sys/wait.h>

#define OUT_MAX ((size_t)1 << 20)

/* Runs `faultwire ARGS`, both outputs into `ret`; returns the exit code. */
static int run(const char *args, struct buf *ret)
{
  char *line = mem_format("'%s/faultwire' %s 2>&1 </dev/null", BUILD_DIR, args);
  FILE *f = popen(line, "r");
  char chunk[4096];
  size_t n;
  assert_non_null(f);
  buf_init(ret, OUT_MAX);
  while ((n = fread(chunk, 1, sizeof chunk, f)) > 0)
    buf_add(ret, chunk, n);
  int status = pclose(f);
  free(line);
  assert_true(WIFEXITED(status));
  return WEXITSTATUS(status);
}

static void every_way_in_has_its_exit_code_and_words(void **state)
{
  (void)state;
  static const struct {
    const char *id, *args;
    int code;
    const char *want;
  } rows[] = {
      {"no command", "", 2, "usage: faultwire COMMAND"},
      {"help", "--help", 0, "explain"},
      {"short help", "-h", 0, "exit codes: 0 pass"},
      {"version", "--version", 0, "faultwire " FAULTWIRE_VERSION "\n"},
      {"typing slip", "lsit faults", 2, "did you mean 'list'?"},
      {"far off", "zzzzzzzzz", 2, "known: serve, test, init, judge"},
      {"option first", "--json list", 2, "unknown command '--json'"},
      {"empty word", "''", 2, "unknown command ''"},
      {"list", "list faults", 0, "rate_limit"},
      {"list help", "list --help", 0, "scenarios"},
      {"list version", "list --version", 0, FAULTWIRE_VERSION},
      {"list nothing", "list", 2, "which table?"},
      {"list slip", "list fautls", 2, "did you mean 'faults'?"},
      {"list too much", "list faults x", 2, "'x' is too much"},
      {"list option slip", "list faults --jsn", 2, "did you mean '--json'?"},
      {"list markdown", "list checks --markdown", 0, "| `gap` |"},
      {"list json", "list reports --json", 0, "{\"name\":\"junit\""},
      {"explain nothing", "explain", 2, "which scenario?"},
      {"explain help", "explain --help", 0, "--policy FILE"},
      {"explain check", "explain check gap", 0, "at_least: expression"},
      {"explain slip", "explain fault rate_limt", 2, "'rate_limit'?"},
      {"explain no file", "explain /nonexistent.json", 2, "nonexistent"},
      {"explain too much", "explain a b c", 2, "'c' is too much"},
      {"explain file",
       "explain '" SOURCE_DIR
       "/harness/scenarios/rate-limit/429-then-wait-then-success.json'",
       0, "1. calls 1 to 2: rate_limit"},
      {"serve help", "serve --help", 0, "usage: faultwire serve"},
      {"test help", "test --help", 0, "usage: faultwire test"},
      {"test nothing", "test", 2, "faultwire test: "},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct buf out;
    int code = run(rows[i].args, &out);
    if (code != rows[i].code || !strstr(buf_str(&out), rows[i].want))
      fail_msg("%s: exit %d (not %d), no '%s' in\n%s", rows[i].id, code,
               rows[i].code, rows[i].want, buf_str(&out));
    buf_release(&out);
  }
}

static void help_names_every_command_that_answers(void **state)
{
  (void)state;
  static const char *const names[] = {"serve", "test", "list", "explain"};
  struct buf help;
  assert_int_equal(run("--help", &help), 0);
  for (size_t i = 0; i < COUNT(names); i++) {
    char *line = mem_format("\n  %-8s ", names[i]);
    if (!strstr(buf_str(&help), line))
      fail_msg("no line for %s", names[i]);
    free(line);
  }
  buf_release(&help);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_way_in_has_its_exit_code_and_words),
      cmocka_unit_test(help_names_every_command_that_answers),
  };
  return cmocka_run_group_tests_name("front", tests, NULL, NULL);
}
