#include "base/cmdline.h"
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

static bool flag;
static const char *text;
static int64_t number;
static double decimal;
static struct option_list list;

static const struct option options[] = {
    {"quiet", 'q', OPTION_FLAG, &flag, 0, 0, NULL, "say less"},
    {"policy", 0, OPTION_STRING, &text, 0, 0, "FILE", "the policy"},
    {"jobs", 'j', OPTION_INT, &number, 1, 64, "N", "in parallel"},
    {"limit", 0, OPTION_NUMBER, &decimal, 0, 100, "S", "seconds"},
    {"only", 0, OPTION_STRINGS, &list, 0, 0, "GLOB", "filter"},
    {0}};
static const struct cmdline line = {"prog [OPTIONS]", "A program.", options,
                                    NULL};

struct parsed {
  char *words[16];
  int nwords, dash;
  struct diag diag;
};

static enum cmdline_result parse(struct parsed *p, const char *const *argv)
{
  char *copy[17];
  int argc = 0;
  flag = false;
  text = NULL;
  number = 0;
  decimal = 0;
  list.n = 0;
  for (; argv[argc]; argc++)
    memcpy(&copy[argc], &argv[argc], sizeof copy[argc]);
  copy[argc] = NULL;
  *p = (struct parsed){0};
  return cmdline_parse(&line, copy, p->words, &p->nwords, &p->dash, &p->diag);
}

static void options_and_words_are_told_apart(void **state)
{
  (void)state;
  struct parsed p;
  const char *const argv[] = {"prog", "a",  "-q",     "--policy=x", "--jobs",
                              "4",    "-",  "--only", "g1",         "--only",
                              "g2",   "--", "client", "--quiet",    NULL};
  assert_int_equal(parse(&p, argv), CMDLINE_OK);
  assert_true(flag);
  assert_string_equal(text, "x");
  assert_int_equal(number, 4);
  assert_int_equal(list.n, 2);
  assert_string_equal(list.item[1], "g2");
  assert_int_equal(p.nwords, 4);
  assert_int_equal(p.dash, 2);
  assert_string_equal(p.words[1], "-");
  assert_string_equal(p.words[3], "--quiet");
}

static void wrong_command_lines_say_what_is_right(void **state)
{
  (void)state;
  static const struct {
    const char *arg, *next, *says;
  } rows[] = {
      {"--polcy", "x", "did you mean '--policy'"},
      {"--polcy=x", NULL, "did you mean '--policy'"},
      {"--zzzzzzzz", NULL, "see --help"},
      {"-x", NULL, "unknown option '-x'"},
      {"-qq", NULL, "unknown option '-qq'"},
      {"--jobs", NULL, "needs a value: N"},
      {"--jobs", "0", "within 1..64"},
      {"--jobs", "4x", "needs a number"},
      {"--jobs", "99999999999999999999", "within 1..64"},
      {"--limit", "1e3", "needs a number, not '1e3'"},
      {"--limit", "5s", "a number without a unit, not '5s'"},
      {"--limit", "1.5 h", "a number without a unit, not '1.5 h'"},
      {"--limit", "abc", "needs a number, not 'abc'"},
      {"--limit=101", NULL, "within 0..100"},
      {"--quiet=1", NULL, "takes no value"},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct parsed p;
    const char *const argv[] = {"prog", rows[i].arg, rows[i].next, NULL};
    if (parse(&p, argv) != CMDLINE_ERROR)
      fail_msg("%s: taken", rows[i].arg);
    if (!strstr(p.diag.text, rows[i].says))
      fail_msg("%s: %s", rows[i].arg, p.diag.text);
  }
}

static void help_and_version_end_well(void **state)
{
  (void)state;
  struct parsed p;
  const char *const help[] = {"prog", "--help", NULL};
  const char *const version[] = {"prog", "--version", NULL};
  const char *const behind[] = {"prog", "--", "--help", NULL};
  assert_int_equal(parse(&p, help), CMDLINE_DONE);
  assert_int_equal(parse(&p, version), CMDLINE_DONE);
  assert_int_equal(parse(&p, behind), CMDLINE_OK);
  assert_int_equal(p.dash, 0);
}

static const struct {
  const char *id, *why;
  const char *variable, *value; /* NULL: not set */
  const char *arg, *next;
  const char *policy;
  int64_t jobs;
  bool quiet;
} taken[] = {
    {"none", "nothing is set", NULL, NULL, NULL, NULL, NULL, 0, false},
    {"text", "as it stands", "T_POLICY", "a b", NULL, NULL, "a b", 0, false},
    {"number", "and in range", "T_JOBS", "7", NULL, NULL, NULL, 7, false},
    {"line", "it wins", "T_JOBS", "7", "--jobs", "8", NULL, 8, false},
    {"line-equals", "it wins", "T_JOBS", "7", "--jobs=8", NULL, NULL, 8, false},
    {"letter", "the same option", "T_JOBS", "7", "-j", "8", NULL, 8, false},
    {"beaten", "nobody reads it", "T_JOBS", "x", "-j", "8", NULL, 8, false},
    {"value", "of an option, looks like one", "T_JOBS", "7", "--policy",
     "--jobs", "--jobs", 7, false},
    {"dash", "what is behind it is no option", "T_JOBS", "7", "--", "--jobs",
     NULL, 7, false},
    {"empty", "as if not set", "T_JOBS", "", NULL, NULL, NULL, 0, false},
    {"on", "a flag by word", "T_QUIET", "yes", NULL, NULL, NULL, 0, true},
    {"one", "a flag by digit", "T_QUIET", "1", NULL, NULL, NULL, 0, true},
    {"off", "switched off", "T_QUIET", "false", NULL, NULL, NULL, 0, false},
    {"zero", "switched off", "T_QUIET", "0", NULL, NULL, NULL, 0, false},
    {"foreign", "no option", "T_JOB", "7", NULL, NULL, NULL, 0, false},
    {"list", "where would one text end?", "T_ONLY", "a", NULL, NULL, NULL, 0,
     false},
};

static enum cmdline_result parse_both(struct parsed *p, struct cmdline_env *env,
                                      const char *arg, const char *next)
{
  const char *const argv[] = {"prog", arg, next, NULL};
  char *copy[COUNT(argv)];
  enum cmdline_result r = parse(p, argv);
  memcpy(copy, argv, sizeof copy);
  if (r == CMDLINE_OK && cmdline_environment(&line, copy, env, &p->diag) < 0)
    r = CMDLINE_ERROR;
  return r;
}

static void the_environment_fills_in_what_the_line_leaves_out(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(taken); i++) {
    struct cmdline_env env = {.prefix = "T_"};
    struct parsed p;
    if (taken[i].variable)
      setenv(taken[i].variable, taken[i].value, 1);
    if (parse_both(&p, &env, taken[i].arg, taken[i].next) != CMDLINE_OK)
      fail_msg("%s: %s", taken[i].id, p.diag.text);
    const char *wanted = taken[i].policy;
    if (flag != taken[i].quiet || number != taken[i].jobs || list.n != 0 ||
        (text != wanted && (!text || !wanted || strcmp(text, wanted) != 0)))
      fail_msg("%s (%s): %d '%s' %d", taken[i].id, taken[i].why, flag,
               text ? text : "", (int)number);
    if (taken[i].variable)
      unsetenv(taken[i].variable);
  }
}

static void a_wrong_variable_is_named(void **state)
{
  static const struct {
    const char *variable, *value, *says;
  } rows[] = {
      {"T_JOBS", "0", "T_JOBS: --jobs must be within 1..64, is '0'"},
      {"T_JOBS", "x", "T_JOBS: --jobs needs a number, not 'x'"},
      {"T_LIMIT", "1 ", "T_LIMIT: --limit needs a number, not '1 '"},
      {"T_QUIET", "2",
       "T_QUIET must be 1, true, yes, on or 0, false, no, "
       "off, is '2'"},
  };
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct cmdline_env env = {.prefix = "T_"};
    struct parsed p;
    setenv(rows[i].variable, rows[i].value, 1);
    assert_int_equal(parse_both(&p, &env, NULL, NULL), CMDLINE_ERROR);
    assert_string_equal(p.diag.text, rows[i].says);
    unsetenv(rows[i].variable);
  }
}

/* An error of the program's own, found later. */
static void a_later_error_says_where_the_value_came_from(void **state)
{
  static const struct {
    const char *says, *arg, *next, *wanted;
  } rows[] = {
      {"--policy knows no 'x'", NULL, NULL,
       "--policy knows no 'x' (--policy is from T_POLICY)"},
      {"no good --policy", NULL, NULL,
       "no good --policy (--policy is from T_POLICY)"},
      {"--policy knows no 'x'", "--policy", "x", "--policy knows no 'x'"},
      {"--policy-name is unknown", NULL, NULL, "--policy-name is unknown"},
      {"the policy is bad", NULL, NULL, "the policy is bad"},
  };
  (void)state;
  setenv("T_POLICY", "x", 1);
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct cmdline_env env = {.prefix = "T_"};
    struct parsed p;
    assert_int_equal(parse_both(&p, &env, rows[i].arg, rows[i].next),
                     CMDLINE_OK);
    cmdline_blame(&line, &env, &p.diag);
    assert_false(p.diag.set);
    diag_set(&p.diag, "%s", rows[i].says);
    cmdline_blame(&line, &env, &p.diag);
    assert_string_equal(p.diag.text, rows[i].wanted);
  }
  unsetenv("T_POLICY");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(options_and_words_are_told_apart),
      cmocka_unit_test(wrong_command_lines_say_what_is_right),
      cmocka_unit_test(help_and_version_end_well),
      cmocka_unit_test(the_environment_fills_in_what_the_line_leaves_out),
      cmocka_unit_test(a_wrong_variable_is_named),
      cmocka_unit_test(a_later_error_says_where_the_value_came_from),
  };
  return cmocka_run_group_tests_name("cmdline", tests, NULL, NULL);
}
