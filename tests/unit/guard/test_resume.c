/* test_resume.c - what a cut stream's text becomes, and what is never
 * resumed. */
#include "guard/resume.h"
#include "guard/resume_rules.h"
#include "tests/unit/unit.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#define OLD "\"model\":\"claude-sonnet-4-5-20250929\""
#define NEW "\"model\":\"claude-opus-4-6\""
#define ASK "\"messages\":[{\"role\":\"user\",\"content\":\"Tell\"}]"
#define TOLD(text)                                                             \
  "{\"role\":\"user\",\"content\":\"Your previous response was interrupted "   \
  "and ended with [" text "]. Continue from where you left off.\"}"

static char body[4096];
static struct guard_resumed resumed;

static int fresh(void **state)
{
  (void)state;
  memset(body, 'x', sizeof body);
  resumed = (struct guard_resumed){12345, 12345, true};
  return 0;
}

static struct guard_cut cut(const char *request, const char *text)
{
  return (struct guard_cut){"anthropic", request,      strlen(request),
                            text,        strlen(text), GUARD_BLOCK_TEXT};
}

static enum guard_resume resume(const struct guard_cut *c)
{
  enum guard_resume way = guard_resume(c, body, sizeof body, &resumed);
  if (way != GUARD_RESUME_ASSISTANT && way != GUARD_RESUME_USER)
    assert_int_equal(resumed.body_n, 12345); /* untouched */
  return way;
}

static const struct {
  const char *id, *request, *text;
  enum guard_resume way;
  const char *body; /* NULL: none */
  const char *why;
} cases[] = {
    {"old", "{" OLD "," ASK "}", "Once upon", GUARD_RESUME_ASSISTANT,
     "{" OLD ",\"messages\":[{\"role\":\"user\",\"content\":\"Tell\"},"
     "{\"role\":\"assistant\",\"content\":\"Once upon\"}]}",
     "Claude 4.5 and earlier"},
    {"new", "{" NEW "," ASK "}", "Once upon", GUARD_RESUME_USER,
     "{" NEW ",\"messages\":[{\"role\":\"user\",\"content\":\"Tell\"}," TOLD(
         "Once upon") "]}",
     "4.6 refuses a prefill with 400"},
    {"thinking-on",
     "{" OLD ",\"thinking\":{\"type\":\"enabled\",\"budget_tokens\":9},"
     "\"messages\":[{\"role\":\"user\",\"content\":\"T\"}]}",
     "A", GUARD_RESUME_USER,
     "{" OLD ",\"thinking\":{\"type\":\"enabled\",\"budget_tokens\":9},"
     "\"messages\":[{\"role\":\"user\",\"content\":\"T\"}," TOLD("A") "]}",
     "a prefill would have to begin with a thinking block"},
    {"prefilled",
     "{" OLD ",\"messages\":[{\"role\":\"user\",\"content\":\"T\"},"
     "{\"role\":\"assistant\",\"content\":\"{\"}]}",
     "A", GUARD_RESUME_USER,
     "{" OLD ",\"messages\":[{\"role\":\"user\",\"content\":\"T\"},"
     "{\"role\":\"assistant\",\"content\":\"{\"}," TOLD("A") "]}",
     "there is one already"},
    {"blanks", "{" OLD "," ASK " , \"stream\" : true }\n",
     "Once \xe3\x80\x80\n", GUARD_RESUME_ASSISTANT,
     "{" OLD ",\"messages\":[{\"role\":\"user\",\"content\":\"Tell\"},"
     "{\"role\":\"assistant\",\"content\":\"Once\"}] , \"stream\" : true }\n",
     "an assistant message must not end in a blank; other bytes stay"},
    {"escapes", "{" NEW "," ASK "}", "\"\\\n\x01\t\xf0\x9f\x98\x80",
     GUARD_RESUME_USER,
     "{" NEW ",\"messages\":[{\"role\":\"user\",\"content\":\"Tell\"}," TOLD(
         "\\\"\\\\\\n\\u0001\\u0009\xf0\x9f\x98\x80") "]}",
     ""},
    {"cut-character", "{" NEW "," ASK "}", "A\xf0\x9f\x98", GUARD_RESUME_USER,
     "{" NEW
     ",\"messages\":[{\"role\":\"user\",\"content\":\"Tell\"}," TOLD("A") "]}",
     "half a character is left out"},
    {"exact-bytes",
     "{" NEW ",\"messages\":[{\"role\":\"user\",\"content\":\"]\\\"}\\u0000\"}"
     "],\"metadata\":{\"messages\":[12345678901234567890, 1e2]}}",
     "A", GUARD_RESUME_USER,
     "{" NEW
     ",\"messages\":[{\"role\":\"user\",\"content\":\"]\\\"}\\u0000\"}," TOLD(
         "A") "],\"metadata\":{\"messages\":[12345678901234567890, 1e2]}}",
     "large numbers and NUL survive; inner messages are not the messages"},
    {"no-text", "{" NEW "," ASK "}", "", GUARD_RESUME_NO_TEXT, NULL, ""},
    {"blank-text", "{" NEW "," ASK "}", " \n", GUARD_RESUME_NO_TEXT, NULL, ""},
    {"not-utf8", "{" NEW "," ASK "}",
     "A\xff"
     "B",
     GUARD_RESUME_BAD_TEXT, NULL, ""},
    {"overlong", "{" NEW "," ASK "}", "\xc0\xafx", GUARD_RESUME_BAD_TEXT, NULL,
     ""},
    {"surrogate", "{" NEW "," ASK "}", "\xed\xa0\x80", GUARD_RESUME_BAD_TEXT,
     NULL, ""},
    {"schema",
     "{" NEW ",\"output_config\":{\"format\":{\"type\":\"json_schema\"}}," ASK
     "}",
     "{\"a", GUARD_RESUME_FORMAT, NULL, "half a document, then a whole one"},
    {"schema-beta", "{" NEW ",\"output_format\":{}," ASK "}", "{",
     GUARD_RESUME_FORMAT, NULL, ""},
    {"no-json", "{" NEW "," ASK, "A", GUARD_RESUME_REQUEST, NULL, ""},
    {"behind", "{" NEW "," ASK "} {}", "A", GUARD_RESUME_REQUEST, NULL, ""},
    {"no-messages", "{" NEW "}", "A", GUARD_RESUME_REQUEST, NULL, ""},
    {"empty", "{" NEW ",\"messages\":[]}", "A", GUARD_RESUME_REQUEST, NULL, ""},
    {"twice", "{" NEW "," ASK "," ASK "}", "A", GUARD_RESUME_REQUEST, NULL,
     "which one the server takes is not known"},
    {"key-with-a-nul",
     "{" NEW "," ASK ",\"messages\\u0000\":[{\"role\":\"user\"}]}", "A",
     GUARD_RESUME_REQUEST, NULL, "two keys for a reader that ends at NUL"},
    {"spelled", "{" NEW ",\"mess\\u0061ges\":[{\"role\":\"user\"}]}", "A",
     GUARD_RESUME_REQUEST, NULL, "not found is refused, not guessed"},
    {"no-model", "{" ASK "}", "A", GUARD_RESUME_REQUEST, NULL, ""},
    {"array", "[" ASK "]", "A", GUARD_RESUME_REQUEST, NULL, ""},
};

static void text_goes_on_as_the_provider_documents_it(void **state)
{
  for (size_t i = 0; i < COUNT(cases); i++) {
    struct guard_cut c = cut(cases[i].request, cases[i].text);
    fresh(state);
    enum guard_resume way = resume(&c);
    if (way != cases[i].way)
      fail_msg("%s (%s): %s", cases[i].id, cases[i].why, guard_resume_why(way));
    if (!cases[i].body)
      continue;
    if (strcmp(body, cases[i].body) != 0)
      fail_msg("%s (%s):\n%s\n%s", cases[i].id, cases[i].why, body,
               cases[i].body);
    assert_int_equal(resumed.body_n, strlen(body));
    cJSON *json = cJSON_Parse(body);
    assert_non_null(json);
    cJSON_Delete(json);
  }
}

static void what_was_kept_is_told(void **state)
{
  (void)state;
  struct guard_cut c = cut("{" OLD "," ASK "}", "Once upon \n");
  assert_int_equal(resume(&c), GUARD_RESUME_ASSISTANT);
  assert_int_equal(resumed.kept_n, 9);
  assert_false(resumed.thinking_dropped);
  c.request = "{" NEW "," ASK "}";
  c.request_n = strlen(c.request);
  assert_int_equal(resume(&c), GUARD_RESUME_USER);
  assert_int_equal(resumed.kept_n, 11);
}

static void tools_and_thinking_are_never_resumed(void **state)
{
  (void)state;
  struct guard_cut c = cut("{" NEW "," ASK "}", "I will look that up.");
  c.blocks = GUARD_BLOCK_TEXT | GUARD_BLOCK_TOOL;
  assert_int_equal(resume(&c), GUARD_RESUME_TOOL);
  c.blocks = GUARD_BLOCK_TEXT | GUARD_BLOCK_OTHER;
  assert_int_equal(resume(&c), GUARD_RESUME_UNKNOWN);
  c.blocks = GUARD_BLOCK_TEXT | GUARD_BLOCK_THINKING;
  assert_int_equal(resume(&c), GUARD_RESUME_USER);
  assert_true(resumed.thinking_dropped);
  resumed.body_n = 12345;
  c.blocks = GUARD_BLOCK_THINKING;
  c.text_n = 0;
  assert_int_equal(resume(&c), GUARD_RESUME_THINKING);
}

static void the_kind_of_a_block_is_read_from_its_event(void **state)
{
  (void)state;
  static const struct {
    const char *data;
    uint32_t kind;
  } rows[] = {
      {"{\"type\":\"content_block_start\",\"index\":0,"
       "\"content_block\":{\"type\":\"text\",\"text\":\"\"}}",
       GUARD_BLOCK_TEXT},
      {"{\"type\":\"content_block_start\",\"content_block\":{\"type\":"
       "\"redacted_thinking\"}}",
       GUARD_BLOCK_THINKING},
      {"{\"type\":\"content_block_start\",\"content_block\":{\"type\":"
       "\"tool_use\"}}",
       GUARD_BLOCK_TOOL},
      {"{\"type\":\"content_block_start\",\"content_block\":{\"type\":"
       "\"web_search_tool_result\"}}",
       GUARD_BLOCK_TOOL},
      {"{\"type\":\"content_block_start\",\"content_block\":{\"type\":"
       "\"fallback\"}}",
       GUARD_BLOCK_OTHER},
      {"{\"type\":\"content_block_start\"}", GUARD_BLOCK_OTHER},
      {"{\"type\":\"ping\"}", 0},
      {"{\"type\":", 0},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct guard_sse_event e = {"", 0, rows[i].data, strlen(rows[i].data)};
    if (guard_resume_block(&e) != rows[i].kind)
      fail_msg("%s", rows[i].data);
  }
}

static void old_and_new_models_are_told_apart(void **state)
{
  (void)state;
  static const char *const old[] = {
      "claude-2.1",
      "claude-instant-1.2",
      "claude-3-opus-20240229",
      "claude-3-5-haiku-latest",
      "claude-sonnet-4-20250514",
      "claude-opus-4-1",
      "claude-haiku-4-5-20251001",
      "us.anthropic.claude-opus-4-1-20250805-v1:0",
      "claude-opus-4-5@20251101",
  };
  static const char *const new[] = {
      "claude-opus-4-6",   "claude-sonnet-4-6-20260101",
      "claude-opus-5",     "claude-fable-5-1",
      "claude-haiku-10",   "claude-latest",
      "my-deployment-4-5", "claude-next-20270101",
      "claude-",           "",
  };
  for (size_t i = 0; i < COUNT(old); i++)
    if (!guard_model_takes_prefill(old[i]))
      fail_msg("%s", old[i]);
  for (size_t i = 0; i < COUNT(new); i++)
    if (guard_model_takes_prefill(new[i]))
      fail_msg("%s", new[i]);
}

static void a_buffer_too_small_by_one_is_refused(void **state)
{
  (void)state;
  struct guard_cut c = cut("{" NEW "," ASK "}", "\x01\x02\x03");
  assert_int_equal(resume(&c), GUARD_RESUME_USER);
  size_t needed = resumed.body_n + 1;
  assert_true(needed <= guard_resume_room(&c));
  for (size_t size = 0; size < needed; size++) {
    char *tight = malloc(size + 1);
    assert_int_equal(guard_resume(&c, tight, size, &resumed),
                     GUARD_RESUME_TOO_SMALL);
    free(tight);
  }
  assert_int_equal(guard_resume(&c, body, needed, &resumed), GUARD_RESUME_USER);
}

static void other_providers_have_no_body_to_go_on_with(void **state)
{
  (void)state;
  struct guard_cut c = cut("{\"model\":\"gpt\",\"background\":true}", "A");
  c.provider = "openai-responses";
  assert_int_equal(resume(&c), GUARD_RESUME_FETCH);
  c.request = "{\"model\":\"gpt\",\"background\":false}";
  c.request_n = strlen(c.request);
  assert_int_equal(resume(&c), GUARD_RESUME_PROVIDER);
  c.request_n = 3;
  assert_int_equal(resume(&c), GUARD_RESUME_REQUEST);
  c.provider = "openai";
  assert_int_equal(resume(&c), GUARD_RESUME_PROVIDER);
  c.provider = NULL;
  assert_int_equal(resume(&c), GUARD_RESUME_PROVIDER);
}

static void a_background_response_is_fetched_behind_the_last_event(void **state)
{
  (void)state;
  char path[64];
  assert_true(guard_resume_path("resp_1a", 42, path, sizeof path));
  assert_string_equal(path, "/responses/resp_1a?stream=true&starting_after=42");
  assert_true(guard_resume_path("resp_1a", -1, path, sizeof path));
  assert_string_equal(path, "/responses/resp_1a?stream=true");
  assert_false(guard_resume_path("resp_1a", 42, path, 20));
  assert_false(guard_resume_path("../x", 42, path, sizeof path));
  assert_false(guard_resume_path("", 42, path, sizeof path));
  assert_false(guard_resume_path(NULL, 42, path, sizeof path));
}

static void every_way_has_its_sentence(void **state)
{
  (void)state;
  for (int i = 0; i < GUARD_RESUME_NWAYS; i++) {
    assert_non_null(guard_resume_why((enum guard_resume)i));
    assert_true(guard_resume_why((enum guard_resume)i)[0] != '\0');
  }
}

#define TEST(name) cmocka_unit_test_setup(name, fresh)

int main(void)
{
  const struct CMUnitTest tests[] = {
      TEST(text_goes_on_as_the_provider_documents_it),
      TEST(what_was_kept_is_told),
      TEST(tools_and_thinking_are_never_resumed),
      TEST(the_kind_of_a_block_is_read_from_its_event),
      TEST(old_and_new_models_are_told_apart),
      TEST(a_buffer_too_small_by_one_is_refused),
      TEST(other_providers_have_no_body_to_go_on_with),
      TEST(a_background_response_is_fetched_behind_the_last_event),
      TEST(every_way_has_its_sentence),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
