#include "base/cmdline.h"
#include "tests/unit/unit.h"

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
      {"--limit", "1e3", "needs a number"},
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

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(options_and_words_are_told_apart),
      cmocka_unit_test(wrong_command_lines_say_what_is_right),
      cmocka_unit_test(help_and_version_end_well),
  };
  return cmocka_run_group_tests_name("cmdline", tests, NULL, NULL);
}
