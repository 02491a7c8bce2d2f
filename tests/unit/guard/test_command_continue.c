/*
 * test_command_continue.c - `guard http --continue` as a whole program: what
 * is sent after a cut, and that the output is the whole text once.
 */
#include "tests/unit/unit.h"

#include "tests/unit/guard/loopback.h"

#define NEW_MODEL "claude-opus-4-9"
#define ASSISTANT(text) "{\"role\":\"assistant\",\"content\":\"" text "\"}]"
#define TOLD(text)                                                             \
  "{\"role\":\"user\",\"content\":\"Your previous response was interrupted "   \
  "and ended with [" text "]. Continue from where you left off.\"}]"
#define OVERLOADED                                                             \
  EVENT("error", ",\"error\":{\"type\":\"overloaded_error\","                  \
                 "\"message\":\"Overloaded\"}")
#define NOBODY "no such text"

static const struct went_on {
  const char *id, *why;
  const char *answers[4];
  const char *model; /* NULL: the default, which can be prefilled */
  int code;
  const char *out;
  const char *asked; /* once, in one of the requests */
} rows[] = {
    {"cut",
     "the rest is asked for and joined",
     {EVENTS BLOCK("text") TEXT("Hello from"), WHOLE(" faultwire.")},
     NULL,
     0,
     "Hello from faultwire.\n",
     ASSISTANT("Hello from")},
    {"error event",
     "an error after half of the text is a cut too",
     {EVENTS BLOCK("text") TEXT("Hello from") OVERLOADED, WHOLE(" faultwire.")},
     NULL,
     0,
     "Hello from faultwire.\n",
     ASSISTANT("Hello from")},
    {"twice",
     "a continuation that is cut is gone on from",
     {EVENTS TEXT("one"), EVENTS TEXT(" two"), WHOLE(" three")},
     NULL,
     0,
     "one two three\n",
     ASSISTANT("one two")},
    {"limited",
     "a refusal between the two changes nothing",
     {EVENTS TEXT("Hello from"), LIMITED, WHOLE(" faultwire.")},
     NULL,
     0,
     "Hello from faultwire.\n",
     NOBODY},
    {"blanks",
     "they may not end an assistant message",
     {EVENTS TEXT("Hello from "), WHOLE(" faultwire.")},
     NULL,
     0,
     "Hello from faultwire.\n",
     ASSISTANT("Hello from")},
    {"told",
     "a new model is told, and what it says again is left out",
     {EVENTS TEXT("Hello from"), WHOLE("Hello from faultwire.")},
     NEW_MODEL,
     0,
     "Hello from faultwire.\n",
     TOLD("Hello from")},
    {"tool",
     "a tool was called: all over, the half text is not shown",
     {EVENTS TEXT("half") BLOCK("tool_use"), WHOLE("whole")},
     NULL,
     0,
     "whole\n",
     NOBODY},
    {"thinking",
     "only thinking came: all over",
     {EVENTS BLOCK("thinking"), WHOLE("whole")},
     NULL,
     0,
     "whole\n",
     NOBODY},
    {"garbled",
     "nothing is sure after it: all over",
     {EVENTS TEXT("half") "data: }{\n\n", WHOLE("whole")},
     NULL,
     0,
     "whole\n",
     NOBODY},
    {"never whole",
     "half a text is never a success",
     {EVENTS TEXT("a")},
     NULL,
     1,
     "",
     ASSISTANT("aaa")},
};

static void try_row(const struct went_on *row, const char *live)
{
  const char *args[10] = {"-p",
                          "x",
                          "--continue",
                          "--attempts",
                          "4",
                          "--model",
                          row->model ? row->model : "claude-sonnet-4-5",
                          live};
  struct rig r;

  rig_start(&r, row->answers);
  int code = rig_http(&r, args);
  if (row->code == 0 || !live)
    rig_expect(&r, row->id, code, row->code, row->out);
  else
    assert_int_equal(code, row->code);
  int n = rig_asked(&r, row->asked);
  if (n != (strcmp(row->asked, NOBODY) != 0))
    fail_msg("%s (%s): asked %d times: %s", row->id, row->why, n,
             buf_str(&r.asked));
  rig_end(&r);
}

static void a_cut_text_is_gone_on_from(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++)
    try_row(&rows[i], NULL);
}

/* The rows that print nothing twice, printed as they come. */
static void live_prints_the_rest_behind_what_was_shown(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++)
    if (strcmp(rows[i].id, "tool") != 0 && strcmp(rows[i].id, "garbled") != 0)
      try_row(&rows[i], "--live");
}

static void a_shown_text_that_cannot_be_gone_on_from_is_no_success(void **state)
{
  static const char *const answers[] = {EVENTS TEXT("half") BLOCK("tool_use"),
                                        WHOLE("whole"), NULL};
  static const char *const args[] = {"-p", "x", "--continue", "--live", NULL};
  static const char *const again[] = {
      "-p", "x", "--continue", "--live", "--repeat-output", NULL};
  struct rig r;

  (void)state;
  rig_start(&r, answers);
  rig_expect(&r, "no retry", rig_http(&r, args), 1, "half\n");
  assert_non_null(strstr(buf_str(&r.err), "output was already delivered"));
  rig_end(&r);
  rig_start(&r, answers);
  rig_expect(&r, "told to", rig_http(&r, again), 0, "half\nwhole\n");
  rig_end(&r);
}

static void without_the_option_it_starts_over(void **state)
{
  static const char *const answers[] = {EVENTS TEXT("half"), WHOLE("whole"),
                                        NULL};
  static const char *const args[] = {"-p", "x", NULL};
  static const char *const restart[] = {"-p", "x", "--after-cut", "restart",
                                        NULL};
  struct rig r;

  (void)state;
  rig_start(&r, answers);
  rig_expect(&r, "default", rig_http(&r, args), 0, "whole\n");
  assert_int_equal(rig_asked(&r, "half"), 0);
  rig_end(&r);
  rig_start(&r, answers);
  rig_expect(&r, "in a word", rig_http(&r, restart), 0, "whole\n");
  rig_end(&r);
}

static void every_body_has_a_key_of_its_own(void **state)
{
  static const char *const answers[] = {EVENTS TEXT("one"), LIMITED,
                                        WHOLE(" two"), NULL};
  static const char *const args[] = {"-p",     "x", "--after-cut", "continue",
                                     "--seed", "1", NULL};
  struct rig r;

  (void)state;
  rig_start(&r, answers);
  rig_expect(&r, "two", rig_http(&r, args), 0, "one two\n");
  assert_int_equal(
      rig_asked(&r, "idempotency-key: guard-0000000000000001-0\r\n"), 1);
  assert_int_equal(
      rig_asked(&r,
                "idempotency-key: guard-0000000000000001-0-continued-1\r\n"),
      2);
  rig_end(&r);
}

static const struct line refused_lines[] = {
    {"plain",
     "there is no half text",
     {"http", "-p", "x", "--mode", "plain", "--continue"},
     "",
     2,
     "",
     "--continue needs --mode stream"},
    {"both",
     "opposites",
     {"http", "-p", "x", "--continue", "--after-cut", "restart"},
     "",
     2,
     "",
     "opposites"},
    {"word",
     "a word nobody knows",
     {"http", "-p", "x", "--after-cut", "go"},
     "",
     2,
     "",
     "--after-cut does not know 'go'"},
    {"repeat",
     "nothing is shown before its end",
     {"http", "-p", "x", "--repeat-output"},
     "",
     2,
     "",
     "--repeat-output needs --live"},
};

static void what_cannot_be_meant_is_refused(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(refused_lines); i++)
    try_line(&refused_lines[i]);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_cut_text_is_gone_on_from),
      cmocka_unit_test(live_prints_the_rest_behind_what_was_shown),
      cmocka_unit_test(a_shown_text_that_cannot_be_gone_on_from_is_no_success),
      cmocka_unit_test(without_the_option_it_starts_over),
      cmocka_unit_test(every_body_has_a_key_of_its_own),
      cmocka_unit_test(what_cannot_be_meant_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
