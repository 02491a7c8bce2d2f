/*
 * test_command_variables.c - options of guard given as variables: each form
 * takes its own, the command line wins, what is wrong is named.
 */
#include "tests/unit/unit.h"

#include "tests/unit/guard/loopback.h"

static const struct {
  const char *id, *why;
  const char *name, *value;
  const char *args[6];
  const char *says; /* all of it, behind "guard: " */
} wrong[] = {
    {"number",
     "no number",
     "GUARD_PLACES",
     "many",
     {"http", "-p", "x"},
     "GUARD_PLACES: --places needs a number, not 'many'\n"},
    {"word",
     "found when the words are read",
     "GUARD_LANE",
     "hihg",
     {"http", "-p", "x"},
     "--lane does not know 'hihg'; did you mean 'high'? (--lane is from "
     "GUARD_LANE)\n"},
    {"command",
     "the other form too",
     "GUARD_SLOW_DOWN",
     "offf",
     {"--", "true"},
     "--slow-down does not know 'offf'; did you mean 'off'? (--slow-down is "
     "from GUARD_SLOW_DOWN)\n"},
    {"flag",
     "no word of a flag",
     "GUARD_LIVE",
     "maybe",
     {"http", "-p", "x"},
     "GUARD_LIVE must be 1, true, yes, on or 0, false, no, off, is "
     "'maybe'\n"},
    {"alone",
     "a flag that needs another option",
     "GUARD_DEAD_LETTERS_CONTENT",
     "1",
     {"http", "-p", "x"},
     "--dead-letters-content needs --dead-letters FILE "
     "(--dead-letters-content is from GUARD_DEAD_LETTERS_CONTENT)\n"},
    {"status",
     "it must look at the same file as the calls",
     "GUARD_LABEL",
     "../x",
     {"status"},
     "--label is 1 to 100 letters, digits, '.', '_' or '-', does not begin "
     "with '.', is '../x' (--label is from GUARD_LABEL)\n"},
};

static void a_wrong_variable_is_an_error_that_names_it(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(wrong); i++) {
    struct buf out, err;
    setenv(wrong[i].name, wrong[i].value, 1);
    int code = run_guard(wrong[i].args, bytes_of(""), &out, &err);
    unsetenv(wrong[i].name);
    const char *said = strstr(buf_str(&err), "guard: ");
    if (code != 2 || !said || strcmp(said + 7, wrong[i].says) != 0)
      fail_msg("%s (%s): exit %d, err '%s'", wrong[i].id, wrong[i].why, code,
               buf_str(&err));
    buf_release(&out);
    buf_release(&err);
  }
}

/* The label is in the metrics line. */
static void the_command_line_wins(void **state)
{
  static const char *const bare[] = {"--", "true", NULL};
  static const char *const given[] = {"--label", "mine", "--", "true", NULL};
  static const char *const other[] = {"--", "true", "--label", "mine", NULL};
  static const struct {
    const char *const *args;
    const char *label;
  } rows[] = {{bare, " label=theirs "},
              {given, " label=mine "},
              {other, " label=theirs "}};
  static const char *const answers[] = {WHOLE("a"), NULL};
  struct rig r;
  (void)state;
  rig_start(&r, answers);
  setenv("GUARD_LABEL", "theirs", 1);
  for (size_t i = 0; i < COUNT(rows); i++) {
    assert_int_equal(rig_guard(&r, rows[i].args), 0);
    if (!strstr(buf_str(&r.err), rows[i].label))
      fail_msg("%s: %s", rows[i].label, buf_str(&r.err));
  }
  unsetenv("GUARD_LABEL");
  rig_end(&r);
}

/* Defaults for one form do not stop the other; wrong ones of options that
 * the line gives, and those behind --help, are not read. */
static void variables_nobody_asks_are_not_read(void **state)
{
  static const char *const command[] = {"--places", "2", "--", "true", NULL};
  static const char *const help[] = {"--help", NULL};
  struct rig r;
  static const char *const answers[] = {WHOLE("a"), NULL};
  (void)state;
  rig_start(&r, answers);
  setenv("GUARD_MODEL", "a-model", 1);
  setenv("GUARD_PLACES", "many", 1);
  setenv("GUARD_NO_SUCH_OPTION", "x", 1);
  setenv("GUARD_DEADLINE", "", 1);
  assert_int_equal(rig_guard(&r, command), 0);
  assert_int_equal(rig_guard(&r, help), 0);
  assert_non_null(strstr(buf_str(&r.out), "GUARD_MAX_BACKOFF"));
  unsetenv("GUARD_MODEL");
  unsetenv("GUARD_PLACES");
  unsetenv("GUARD_NO_SUCH_OPTION");
  unsetenv("GUARD_DEADLINE");
  rig_end(&r);
}

static void a_call_takes_its_options_from_variables(void **state)
{
  static const char *const answers[] = {WHOLE("a"), NULL};
  static const char *const args[] = {"-p", "x", "-p", "y", NULL};
  struct rig r;
  (void)state;
  rig_start(&r, answers);
  char *letters = rig_path(&r, "letters");
  setenv("GUARD_RPM", "1", 1);
  setenv("GUARD_CAP", "1", 1);
  setenv("GUARD_MODEL", "a-model-of-mine", 1);
  setenv("GUARD_DEAD_LETTERS", letters, 1);
  setenv("GUARD_DEAD_LETTERS_CONTENT", "on", 1);
  rig_expect(&r, "rpm", rig_http(&r, args), 75, "a\n");
  assert_int_equal(rig_asked(&r, "POST "), 1);
  assert_int_equal(rig_asked(&r, "a-model-of-mine"), 1);
  char *text = rig_read(&r, "letters");
  assert_non_null(strstr(text, "\"prompt\":\"y\""));
  unsetenv("GUARD_RPM");
  unsetenv("GUARD_CAP");
  unsetenv("GUARD_MODEL");
  unsetenv("GUARD_DEAD_LETTERS");
  unsetenv("GUARD_DEAD_LETTERS_CONTENT");
  free(text);
  free(letters);
  rig_end(&r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_wrong_variable_is_an_error_that_names_it),
      cmocka_unit_test(the_command_line_wins),
      cmocka_unit_test(variables_nobody_asks_are_not_read),
      cmocka_unit_test(a_call_takes_its_options_from_variables),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
