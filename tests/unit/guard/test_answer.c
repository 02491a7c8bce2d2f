/*
 * test_answer.c - a 200 is a success only when the whole answer is there.
 */
#include "guard/command/answer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static const struct {
  const char *id;
  enum provider_shape shape;
  const char *body;
  const char *text; /* NULL: no complete answer */
} cases[] = {
    {"messages", SHAPE_MESSAGES,
     "{\"type\":\"message\",\"content\":[{\"type\":\"thinking\",\"text\":"
     "\"no\"},{\"type\":\"text\",\"text\":\"a\"},{\"type\":\"text\","
     "\"text\":\"b\"}],\"stop_reason\":\"end_turn\"}\n",
     "ab"},
    {"messages-not-ended", SHAPE_MESSAGES,
     "{\"type\":\"message\",\"content\":[],\"stop_reason\":null}", NULL},
    {"messages-error-in-200", SHAPE_MESSAGES,
     "{\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\"}}", NULL},
    {"chat", SHAPE_CHAT,
     "{\"choices\":[{\"message\":{\"content\":\"hi\"},\"finish_reason\":"
     "\"stop\"}]}",
     "hi"},
    {"chat-tool", SHAPE_CHAT,
     "{\"choices\":[{\"message\":{\"content\":null},\"finish_reason\":"
     "\"tool_calls\"}]}",
     ""},
    {"chat-no-choice", SHAPE_CHAT, "{\"choices\":[]}", NULL},
    {"responses", SHAPE_RESPONSES,
     "{\"status\":\"completed\",\"output\":[{\"type\":\"reasoning\"},"
     "{\"type\":\"message\",\"content\":[{\"type\":\"output_text\","
     "\"text\":\"hi\"}]}]}",
     "hi"},
    {"responses-failed", SHAPE_RESPONSES,
     "{\"status\":\"failed\",\"output\":[]}", NULL},
    {"gemini", SHAPE_GEMINI,
     "{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"h\"},"
     "{\"text\":\"i\"}]},\"finishReason\":\"STOP\"}]}\r\n",
     "hi"},
    {"gemini-not-ended", SHAPE_GEMINI,
     "{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"h\"}]}}]}", NULL},
    {"html", SHAPE_MESSAGES, "<html>502</html>", NULL},
    {"empty", SHAPE_MESSAGES, "", NULL},
    {"array", SHAPE_GEMINI, "[]", NULL},
    {"two", SHAPE_CHAT,
     "{\"choices\":[{\"message\":{\"content\":\"hi\"},\"finish_reason\":"
     "\"stop\"}]}{}",
     NULL},
};

static void only_whole_answers_are_answers(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct buf text;
    buf_init(&text, 4096);
    bool ok = answer_text(cases[i].shape, bytes_of(cases[i].body), &text);
    if (ok != (cases[i].text != NULL))
      fail_msg("%s: %s", cases[i].id, ok ? "accepted" : "refused");
    if (ok)
      assert_string_equal(buf_str(&text), cases[i].text);
    buf_release(&text);
  }
}

static void no_prefix_of_an_answer_is_an_answer(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct bytes body = bytes_of(cases[i].body);
    while (body.n > 0 && body.p[body.n - 1] != '}')
      body.n--;
    for (size_t n = 0; cases[i].text && n < body.n; n++) {
      /* a copy of exactly that size, so that a read behind it is seen */
      char *copy = bytes_dup((struct bytes){body.p, n});
      struct buf text;
      buf_init(&text, 4096);
      if (answer_text(cases[i].shape, (struct bytes){copy, n}, &text))
        fail_msg("%s cut at %zu was accepted", cases[i].id, n);
      buf_release(&text);
      free(copy);
    }
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(only_whole_answers_are_answers),
      cmocka_unit_test(no_prefix_of_an_answer_is_an_answer),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
