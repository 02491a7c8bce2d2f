/* Steps of the command channel: what is right, and what is refused with its
 * place and the nearest word. */
#include "tests/unit/unit.h"

#include "mockserver/command/step.h"
#include "mockserver/fault.h"

#include <string.h>

static int parse(struct scenario *s, const char *step, struct diag *diag)
{
  char *json =
      mem_format("{\"name\":\"n\",\"why\":\"w\",\"steps\":[%s]}", step);
  int rc = scenario_parse(s, "file", bytes_of(json), diag);
  free(json);
  return rc;
}

static void wrong_steps_are_refused_with_their_place(void **state)
{
  static const struct {
    const char *id, *step, *path, *want;
  } rows[] = {
      {"key", "{\"command\":\"claude\",\"sayz\":\"auth\"}", "$.steps[0].sayz",
       "did you mean 'says'?"},
      {"text", "{\"command\":\"claude\",\"says\":\"rate_limt\"}",
       "$.steps[0].says", "did you mean 'rate_limit'?"},
      {"text of another", "{\"command\":\"codex\",\"says\":\"spending_cap\"}",
       "$.steps[0].says", "codex says no 'spending_cap'"},
      {"no table", "{\"command\":\"agent\",\"says\":\"auth\"}",
       "$.steps[0].says", "claude, codex and gemini only"},
      {"not yet",
       "{\"command\":\"claude\",\"says\":\"limit\",\"version\":"
       "\"1.0.98\"}",
       "$.steps[0].says", "claude 1.0.98 did not say this yet"},
      {"version",
       "{\"command\":\"claude\",\"says\":\"auth\",\"version\":"
       "\"2.y\"}",
       "$.steps[0].version", "such as 2.1.104 or 2.1.x"},
      {"future",
       "{\"command\":\"claude\",\"says\":\"auth\",\"version\":"
       "\"9.0\"}",
       "$.steps[0].version", "newer than 2.1.332"},
      {"path", "{\"command\":\"bin/claude\",\"hang\":true}",
       "$.steps[0].command", "without a path"},
      {"hidden", "{\"command\":\".faultwire\",\"hang\":true}",
       "$.steps[0].command", "name of a program"},
      {"says and outputs",
       "{\"command\":\"claude\",\"says\":\"auth\","
       "\"stdout\":\"x\"}",
       "$.steps[0].stdout", "says"},
      {"two ends", "{\"command\":\"claude\",\"exit\":1,\"hang\":true}",
       "$.steps[0].hang", "exit"},
      {"pieces and stdout",
       "{\"command\":\"a\",\"stdout\":\"x\",\"pieces\":"
       "[]}",
       "$.steps[0]", "stdout"},
      {"no list", "{\"command\":\"a\",\"pieces\":{}}", "$.steps[0].pieces",
       "array"},
      {"piece", "{\"command\":\"a\",\"pieces\":[{\"stdotu\":\"x\"}]}",
       "$.steps[0].pieces[0].stdotu", "did you mean 'stdout'?"},
      {"two in one",
       "{\"command\":\"a\",\"pieces\":[{\"stdout\":\"x\","
       "\"stderr\":\"y\"}]}",
       "$.steps[0].pieces[0]", "stdout"},
      {"empty piece", "{\"command\":\"a\",\"pieces\":[{}]}",
       "$.steps[0].pieces[0]", "needs 'stdout'"},
      {"value", "{\"command\":\"a\",\"stdout\":\"{{epok:1}}\"}",
       "$.steps[0].stdout", "epok"},
      {"signal", "{\"command\":\"a\",\"signal\":\"SIGTERM\"}",
       "$.steps[0].signal", "TERM"},
      {"ignored", "{\"command\":\"a\",\"ignores\":[\"KILL\"]}",
       "$.steps[0].ignores[0]", "can be ignored"},
      {"zone", "{\"command\":\"a\",\"zone\":\"Mars/Base\",\"hang\":true}",
       "$.steps[0].zone", "no time zone"},
      {"match", "{\"command\":\"a\",\"match\":{\"path\":\"/v1\"}}",
       "$.steps[0].match.path", "unknown key 'path'"},
      {"headers", "{\"command\":\"a\",\"headers\":[]}", "$.steps[0].headers",
       "unknown key 'headers'"},
      {"exit", "{\"command\":\"a\",\"exit\":256}", "$.steps[0].exit", "255"}};
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    struct scenario s;
    struct diag diag = {0};
    if (parse(&s, rows[i].step, &diag) == 0)
      fail_msg("%s: taken", rows[i].id);
    if (!strstr(diag.text, rows[i].want) ||
        strncmp(diag.path, rows[i].path, strlen(rows[i].path)) != 0 ||
        diag.line != 1 || diag.column < 20)
      fail_msg("%s: %d:%d: %s: %s", rows[i].id, diag.line, diag.column,
               diag.path, diag.text);
  }
}

static void a_step_is_a_fault_unless_it_is_a_reply(void **state)
{
  struct scenario s;
  struct diag diag = {0};
  (void)state;
  assert_int_equal(
      parse(&s,
            "{\"command\":\"a\",\"stdout\":\"x\",\"exit\":0},"
            "{\"command\":\"a\",\"reply\":\"message\",\"stdout\":\"x\","
            "\"times\":\"always\"},"
            "{\"command\":\"b\",\"attempts\":\"2+\"},{\"fault\":\"hang\"}",
            &diag),
      0);
  assert_true(s.steps[0].faulty);
  assert_string_equal(s.steps[0].fault->name, "command");
  assert_false(s.steps[1].faulty);
  assert_string_equal(s.steps[1].fault->name, "none");
  assert_int_equal(s.steps[1].times, INT64_MAX);
  assert_int_equal(s.steps[2].when.first, 2);
  assert_null(s.steps[3].command);
  scenario_release(&s);
}

static void a_version_gets_the_last_text_that_is_not_newer(void **state)
{
  static const struct {
    const char *says, *version, *since; /* NULL: none */
  } rows[] = {{"rate_limit", "2.1.104", "0.2"},
              {"rate_limit", "2.1.105", "2.1.105"},
              {"rate_limit", "2.1.x", "2.1.105"},
              {"rate_limit", "1.x", "0.2"},
              {"usage_limit", "1.0.127", "1.0.98"},
              {"usage_limit", "2.0.x", "2.0.76"},
              {"usage_limit", "10.0", "2.1.332"},
              {"limit", "2.1.116", NULL},
              {"no such", "2.1.332", NULL}};
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    const struct command_text *t = command_text_find(
        command_cli_find("claude"), rows[i].says, rows[i].version);
    if (!rows[i].since)
      assert_null(t);
    else
      assert_string_equal(t->since, rows[i].since);
  }
}

static void versions_are_compared_by_their_numbers(void **state)
{
  static const struct {
    const char *a, *b;
    int sign;
  } rows[] = {{"2.1.9", "2.1.10", -1},
              {"2.1", "2.1.0", -1},
              {"2.1.x", "2.1.999999", 1},
              {"2.0.x", "2.1", -1},
              {"0.171.0", "0.171.0", 0}};
  static const char *const wrong[] = {"",      "2.",       ".2", "x",
                                      "2.x.1", "2..1",     "v2", "2.1.3.4.5",
                                      "2 ",    "2.1000000"};
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    int got = command_version_compare(rows[i].a, rows[i].b);
    assert_int_equal((got > 0) - (got < 0), rows[i].sign);
  }
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
    if (command_version_right(wrong[i]))
      fail_msg("'%s' is taken for a version", wrong[i]);
  assert_true(command_version_right("2.1.x") && command_version_right("1"));
}

/* Rows of one text in the order of their versions, and whole. */
static void every_table_is_in_order(void **state)
{
  (void)state;
  for (const struct command_cli *const *c = command_clis; *c; c++)
    for (const struct command_text *t = (*c)->texts; t->says; t++) {
      const struct command_text *found =
          command_text_find(*c, t->says, t->since);
      if (found != t || !t->text || !t->seen ||
          !command_version_right(t->since) ||
          command_version_compare(t->since, (*c)->newest) > 0)
        fail_msg("%s: %s since %s", (*c)->name, t->says, t->since);
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(wrong_steps_are_refused_with_their_place),
      cmocka_unit_test(a_step_is_a_fault_unless_it_is_a_reply),
      cmocka_unit_test(a_version_gets_the_last_text_that_is_not_newer),
      cmocka_unit_test(versions_are_compared_by_their_numbers),
      cmocka_unit_test(every_table_is_in_order)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
