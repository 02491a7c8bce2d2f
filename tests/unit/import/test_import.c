#include "tests/unit/unit.h"

#include "tests/unit/import/log.h"

/* Texts that cannot be read: where and why. */
static const struct {
  const char *id, *format, *text;
  int line;
  const char *path, *says;
} wrong[] = {
    {"no HAR", "har", "{\"lag\":{}}", 1, "$.lag", "did you mean 'log'"},
    {"no entries", "har", "{\"log\":{\n\"entires\":[]}}", 2, "$.log.entires",
     "did you mean 'entries'"},
    {"an entry without url", "har",
     "{\"log\":{\"entries\":[\n{\"request\":{\"method\":\"GET\"}}]}}", 2,
     "$.log.entries[0].request", "'url' is missing"},
    {"a status of text", "har",
     "{\"log\":{\"entries\":[{\"request\":{\"url\":\"/v1/messages\"},\n"
     "\"response\":{\"status\":\"x\"}}]}}",
     2, "$.log.entries[0].response.status", "number"},
    {"a body of no base64", "har",
     "{\"log\":{\"entries\":[{\"request\":{\"url\":\"/v1/messages\"},"
     "\"response\":{\"status\":200,\"content\":{\"text\":\"!\",\n"
     "\"encoding\":\"base64\"}}}]}}",
     1, "$.log.entries[0].response.content.text", "base64"},
    {"no JSON", "har", "{", 1, "", ""},
    {"the second line", "jsonl", "{\"status\":500}\n{\"stats\":500}\n", 2,
     "$.stats", "did you mean 'status'"},
    {"neither answer nor error", "jsonl", "\n\n{\"path\":\"/v1/messages\"}", 3,
     "$", "needs 'status' or 'error'"},
    {"an error nobody knows", "jsonl", "{\"error\":\"bad day\"}", 1, "$.error",
     "names no ending"},
    {"no time", "jsonl", "{\"status\":500,\"at\":\"noon\"}", 1, "$.at",
     "must be a time"},
    {"two bodies", "jsonl",
     "{\"status\":500,\"body\":\"a\",\"body_base64\":\"YQ==\"}", 1,
     "$.body_base64", "exclude"},
    {"no event", "jsonl", "{\"status\":200,\"events\":[{\"rw\":1}]}", 1,
     "$.events[0].rw", "raw"},
    {"a head that is none", "curl",
     "> POST /v1/messages HTTP/1.1\n>\n"
     "< HTTP/1.1 500 X\n< nocolon\n",
     4, "", "is no header"},
    {"no answer", "curl", "hello\n", 0, "", "holds no answer"},
    {"an unknown behaviour", "llmock", "[{\"type\":\"fial\",\"status\":429}]",
     1, "$[0].type", "did you mean 'fail'"},
    {"an unknown key", "llmock",
     "[{\"type\":\"fail\",\"status\":429,\"retryafter\":1}]", 1,
     "$[0].retryafter", "did you mean 'retry_after'"},
    {"an unknown kind", "llmock",
     "[{\"type\":\"stream_fault\",\"kind\":\"stal\"}]", 1, "$[0].kind",
     "did you mean 'stall'"},
    {"a status out of range", "llmock", "[{\"type\":\"fail\",\"status\":200}]",
     1, "$[0].status", ""},
    {"no response", "aimock", "{\"fixtures\":[{\"match\":{}}]}", 1,
     "$.fixtures[0]", "'response' is missing"},
    {"a misspelt match", "aimock",
     "{\"fixtures\":[{\"match\":{\"usrMessage\":\"x\"},\"response\":{}}]}", 1,
     "$.fixtures[0].match.usrMessage", "did you mean 'userMessage'"},
    {"nothing that is known", NULL, "hello", 0, "", "--from says which"},
    {"nothing in it", "jsonl", "\n", 0, "", "no step"}};

static void a_wrong_text_is_refused_with_its_place(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(wrong); i++) {
    struct outcome o;
    log_import(wrong[i].format, wrong[i].text, NULL, &o);
    if (o.rc == 0 || o.diag.line != wrong[i].line ||
        strcmp(o.diag.path, wrong[i].path) != 0 ||
        !strstr(o.diag.text, wrong[i].says))
      fail_msg("%s: %d: line %d, %s: %s", wrong[i].id, o.rc, o.diag.line,
               o.diag.path, o.diag.text);
    outcome_release(&o);
  }
}

/* What stands in the scenario, and what is told besides. */
static const struct {
  const char *id, *format, *text;
  size_t steps;
  const char *holds, *notes;
} right[] = {
    {"status 0", "har",
     "{\"log\":{\"entries\":[{\"request\":{\"url\":\"https://x/v1/messages\"},"
     "\"response\":{\"status\":0,\"_error\":\"net::ERR_CONNECTION_RESET\"}}]}}",
     1, "\"fault\": \"reset\"", ""},
    {"timed out", "jsonl",
     "{\"path\":\"/v1/messages\",\"error\":\"ETIMEDOUT\"}", 1,
     "\"fault\": \"hang\"", ""},
    {"empty reply", "curl",
     "> POST /v1/messages HTTP/1.1\n> \n* Empty reply from server\n"
     "curl: (52) Empty reply from server\n",
     1, "\"bytes\": \"\"", ""},
    {"broken off", "curl",
     "> POST /v1/messages HTTP/1.1\n> \n< HTTP/1.1 200 OK\n"
     "< Content-Length: 10\n< \nabc* transfer closed with 7 bytes remaining "
     "to read\n",
     1, "\"close\": \"fin\"", ""},
    {"decoded", "har",
     "{\"log\":{\"entries\":[{\"request\":{\"url\":\"https://x/v1/messages\"},"
     "\"response\":{\"status\":200,\"headers\":[{\"name\":\"content-encoding\","
     "\"value\":\"br\"}],\"content\":{\"text\":\"{}\"}}}]}}",
     1, "[\"content-length\",\"2\"]", "content-encoding is left out"},
    {"a length and chunks", "jsonl",
     "{\"path\":\"/v1/messages\",\"status\":500,\"body\":\"abc\",\"headers\":"
     "[[\"Transfer-Encoding\",\"chunked\"],[\"Content-Length\",\"9\"]]}",
     1, "\"headers\": [[\"content-length\",\"3\"]]", ""},
    {"two APIs", "jsonl",
     "{\"path\":\"/v1/messages\",\"status\":529}\n"
     "{\"path\":\"/v1/chat/completions\",\"status\":429}\n",
     2, "\"path\":\"*/v1/chat/completions\"", ""},
    {"two lanes", "jsonl",
     "{\"path\":\"/a/v1/messages\",\"status\":529}\n"
     "{\"path\":\"/b/v1/messages\",\"status\":429}\n",
     2, "\"lane\": \"b\"", ""},
    {"another endpoint", "jsonl",
     "{\"method\":\"GET\",\"path\":\"/v1/models\",\"status\":503}", 1,
     "\"endpoint\":\"models", ""},
    {"a foreign field", "jsonl",
     "{\"level\":\"info\",\"path\":\"/v1/messages\",\"status\":503}", 1,
     "\"status\": 503", "'level' is no field"},
    {"curl -i", "curl",
     "HTTP/1.1 429 Too Many Requests\r\nretry-after: 3\r\n\r\n{}\n", 1,
     "[\"retry-after\",\"3\"]", ""},
    {"two transfers", "curl",
     "> POST /v1/messages HTTP/1.1\n> \n< HTTP/1.1 529 Overloaded\n"
     "< content-length: 1\n< \na* Connection #0 to host x left intact\n"
     "* Re-using existing connection\n"
     "> POST /v1/messages HTTP/1.1\n> \n< HTTP/1.1 200 OK\n"
     "< content-length: 1\n< \nb* Connection #0 to host x left intact\n",
     2, "\"body\": \"b\"", ""},
    {"trace times", "curl",
     "10:00:00.000000 > POST /v1/messages HTTP/1.1\n10:00:00.000000 >\n"
     "10:00:01.500000 < HTTP/1.1 500 No\n10:00:01.500000 <\n",
     1, "\"delay_ms\": 1500", ""},
    {"a star in a body", "curl",
     "> POST /v1/messages HTTP/1.1\n> \n< HTTP/1.1 500 No\n< \n"
     "* one\n* two\n",
     1, "* one\\n* two\\n", ""},
    {"fails, then a reply", "llmock",
     "[{\"type\":\"reply\",\"text\":\"hi\"},{\"type\":\"fail\",\"status\":429,"
     "\"retry_after\":2,\"times\":3}]",
     2,
     "\"fault\": \"rate_limit\",\n      \"retry_after\": 2,\n"
     "      \"times\": 3",
     ""},
    {"two categories land on one call", "llmock",
     "[{\"type\":\"delay\",\"seconds\":1.5},{\"type\":\"reply\",\"text\":"
     "\"hi\",\"tool_calls\":[{\"name\":\"f\",\"arguments\":{\"a\":1}}]}]",
     1, "\"delay_ms\": 1500", ""},
    {"LLMock's own retry-after", "llmock",
     "{\"type\":\"fail\",\"status\":529,\"times\":null}", 1,
     "\"retry_after\": 1,\n      \"times\": \"always\"", ""},
    {"a stall", "llmock",
     "[{\"type\":\"stream_fault\",\"kind\":\"stall\",\"stall_seconds\":9}]", 1,
     "{\"wait\":9}", ""},
    {"a match", "llmock",
     "[{\"type\":\"fail\",\"status\":400,\"match\":{\"provider\":\"anthropic\","
     "\"model\":\"claude*\"}}]",
     1, "\"match\": {\"path\":\"*/messages\",\"model\":\"claude*\"}", ""},
    {"aimock: an error", "aimock",
     "{\"fixtures\":[{\"match\":{\"userMessage\":\"x\"},\"response\":{"
     "\"error\":{\"message\":\"m\"},\"status\":429}}]}",
     1, "\"fault\": \"rate_limit\"", "documented one is sent"},
    {"aimock: a cut", "aimock",
     "{\"fixtures\":[{\"match\":{\"userMessage\":\"x\"},\"response\":{"
     "\"content\":\"abc\"},\"truncateAfterChunks\":2}]}",
     1, "\"ending\": \"dirty\"", ""},
    {"aimock: chaos", "aimock",
     "{\"fixtures\":[{\"match\":{\"model\":\"m\"},\"response\":{\"content\":"
     "\"abc\"},\"chaos\":{\"dropRate\":0.5}}]}",
     2, "\"chance\": 0.5", ""},
    {"aimock: unreachable", "aimock",
     "{\"fixtures\":[{\"response\":{\"content\":\"a\"}},{\"response\":{"
     "\"content\":\"b\"}}]}",
     1, "\"text\": \"a\"", "never reached"}};

static void a_right_text_becomes_steps(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(right); i++)
    for (int guessed = 0; guessed < 2; guessed++) {
      struct outcome o;
      log_import(guessed ? NULL : right[i].format, right[i].text, NULL, &o);
      if (o.rc < 0 || o.steps != right[i].steps ||
          !strstr(buf_str(&o.scenario), right[i].holds) ||
          !strstr(buf_str(&o.notes), right[i].notes))
        fail_msg("%s (%d): %s: %s\n%s", right[i].id, guessed, o.diag.text,
                 buf_str(&o.scenario), buf_str(&o.notes));
      outcome_release(&o);
    }
}

static void what_is_no_call_of_an_api_is_counted_by_host(void **state)
{
  struct outcome o;
  (void)state;
  log_import("har",
             "{\"log\":{\"entries\":["
             "{\"request\":{\"url\":\"https://cdn/a.js\"},\"response\":{"
             "\"status\":200}},"
             "{\"request\":{\"url\":\"https://b/\"},\"response\":{\"status\":"
             "200}},"
             "{\"request\":{\"url\":\"https://cdn/b.js\"},\"response\":{"
             "\"status\":200}},"
             "{\"request\":{\"method\":\"POST\",\"url\":"
             "\"https://api/v1/messages\"},\"response\":{\"status\":529}}]}}",
             NULL, &o);
  assert_int_equal(o.rc, 0);
  assert_int_equal(o.steps, 1);
  assert_string_equal(
      buf_str(&o.skipped),
      "3 entries skipped, no call of a known API: cdn (2), b (1)");
  outcome_release(&o);
}

static void options_leave_times_and_timing_out(void **state)
{
  struct outcome o;
  const struct import_options options = {
      .name = "n", .why = "w", .literal_times = true, .no_timing = true};
  (void)state;
  log_import("jsonl",
             "{\"path\":\"/v1/messages\",\"status\":503,\"wait_ms\":90,"
             "\"headers\":{\"date\":\"Mon, 01 Dec 2025 00:00:00 GMT\"}}",
             &options, &o);
  assert_int_equal(o.rc, 0);
  assert_non_null(strstr(buf_str(&o.scenario), "\"Mon, 01 Dec 2025"));
  assert_null(strstr(buf_str(&o.scenario), "delay_ms"));
  outcome_release(&o);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_wrong_text_is_refused_with_its_place),
      cmocka_unit_test(a_right_text_becomes_steps),
      cmocka_unit_test(what_is_no_call_of_an_api_is_counted_by_host),
      cmocka_unit_test(options_leave_times_and_timing_out)};
  return cmocka_run_group_tests_name("import", tests, NULL, NULL);
}
