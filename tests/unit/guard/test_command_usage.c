/*
 * test_command_usage.c - what guard's command lines refuse, and its --help.
 */
#include "tests/unit/unit.h"

#include "tests/unit/guard/command_run.h"

static const struct line refused[] = {
    {"near",
     "a form misspelt",
     {"clasify"},
     "",
     2,
     "",
     "did you mean 'classify'"},
    {"near2",
     "a form misspelt",
     {"retry-aftr", "5"},
     "",
     2,
     "",
     "did you mean 'retry-after'"},
    {"behind",
     "a form behind an option, misspelt",
     {"--label", "x", "clasify"},
     "",
     2,
     "",
     "unknown word 'clasify'; did you mean 'classify'?"},
    {"far behind",
     "no form behind an option",
     {"--label", "x", "xyzzy"},
     "",
     2,
     "",
     "known: http, classify, retry-after, status, --"},
    {"far",
     "no form",
     {"xyzzy"},
     "",
     2,
     "",
     "known: http, classify, retry-after, status, --"},
    {"no-status",
     "http without its status",
     {"classify"},
     "x",
     2,
     "",
     "--status"},
    {"both",
     "the lines carry the rest",
     {"classify", "--jsonl", "--status", "429"},
     "",
     2,
     "",
     "--jsonl"},
    {"output",
     "a command has no status",
     {"classify", "--channel", "stdout", "--status", "429"},
     "",
     2,
     "",
     "--channel stdout has no --status"},
    {"exit",
     "an answer has no exit code",
     {"classify", "--status", "429", "--exit-code", "1"},
     "",
     2,
     "",
     "--exit-code needs"},
    {"field",
     "no colon",
     {"classify", "--status", "429", "--header", "x 5"},
     "",
     2,
     "",
     "--header is 'Name: value'"},
    {"word",
     "a text as an argument",
     {"classify", "hello"},
     "",
     2,
     "",
     "unknown word 'hello'"},
    {"two",
     "two values",
     {"retry-after", "1", "2"},
     "",
     2,
     "",
     "one value is needed"},
    {"table",
     "a value and a table",
     {"retry-after", "--tsv", "2"},
     "",
     2,
     "",
     "--tsv reads standard input"},
    {"label",
     "a label that is a path",
     {"status", "--label", "../x"},
     "",
     2,
     "",
     "--label"},
    {"alone",
     "nothing is shared",
     {"status", "--state", "-"},
     "",
     2,
     "",
     "--state FILE is needed"},
    {"folder",
     "a state file that cannot be read",
     {"status", "--state", "/"},
     "",
     1,
     "",
     "state file /: "},
};

static void what_cannot_be_meant_is_refused(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(refused); i++)
    try_line(&refused[i]);
}

static void help_names_every_form(void **state)
{
  static const char *const args[] = {"--help", NULL};
  static const char *const forms[] = {"  guard http ", "  guard classify ",
                                      "  guard retry-after ", "  guard status ",
                                      "  guard [OPTIONS] -- CMD"};
  struct buf out, err;

  (void)state;
  assert_int_equal(run_guard(args, bytes_of(""), &out, &err), 0);
  for (size_t i = 0; i < COUNT(forms); i++)
    assert_non_null(strstr(buf_str(&out), forms[i]));
  buf_release(&out);
  buf_release(&err);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_cannot_be_meant_is_refused),
      cmocka_unit_test(help_names_every_form),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
