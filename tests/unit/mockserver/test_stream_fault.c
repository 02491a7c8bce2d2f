/*
 * Scripted streams: what each word writes, for every provider, byte for
 * byte (ids aside), and which scripts are refused.
 */
#include "tests/unit/unit.h"

#include "tests/contract/answer.h"

#include "base/diag.h"

#include <string.h>

struct row {
  const char *id, *provider, *events, *body;
};

#define CHAT(inside, finish)                                                   \
  "data: {\"id\":\"chatcmpl-PLACEHOLDER\",\"object\":"                         \
  "\"chat.completion.chunk\",\"created\":1764547200,\"model\":\"gpt-x\","      \
  "\"choices\":[{\"index\":0,\"delta\":{" inside "},\"finish_reason\":" finish \
  "}]}\n\n"
#define GEMINI(part, finish, counts)                                           \
  "data: {\"candidates\": [{\"content\": {\"parts\": [" part                   \
  "],\"role\": \"model\"}," finish "\"index\": 0}],\"usageMetadata\": "        \
  "{\"promptTokenCount\": 4,\"candidatesTokenCount\": " counts "},"            \
  "\"modelVersion\": \"gemini-x\",\"responseId\": \"PLACEHOLDER\"}\r\n\r\n"

static const struct row rows[] = {
    {"deltas and stop", "openai", "\"start\",{\"delta\":\"a b\"},\"stop\"",
     CHAT("\"role\":\"assistant\",\"content\":\"\"", "null")
         CHAT("\"content\":\"a b\"", "null")
             CHAT("", "\"stop\"") "data: [DONE]\n\n"},
    {"a tool in parts", "openai",
     "{\"tool\":{\"name\":\"f\",\"id\":\"c1\",\"deltas\":[\"{\\\"a\\\"\","
     "\":1}\"]}},{\"term\":\"finish\"}",
     CHAT("\"tool_calls\":[{\"index\":0,\"id\":\"c1\",\"type\":\"function\","
          "\"function\":{\"name\":\"f\",\"arguments\":\"\"}}]",
          "null")
         CHAT("\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":"
              "\"{\\\"a\\\"\"}}]",
              "null")
             CHAT("\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":"
                  "\":1}\"}}]",
                  "null") CHAT("", "\"tool_calls\"")},
    {"DONE without a finish", "openai", "{\"term\":\"[DONE]\"}",
     "data: [DONE]\n\n"},
    {"a finish without DONE", "openai", "{\"term\":\"finish_reason\"}",
     CHAT("", "\"stop\"")},
    {"Chat shows no thought", "openai", "{\"thinking\":\"hm\"}", ""},
    {"a field is null", "openai",
     "{\"delta\":\"x\",\"null\":"
     "\"choices.0.delta.content\"}",
     CHAT("\"content\":null", "null")},
    {"alone, it finds its event", "openai", "{\"null\":\"choices\"}",
     "data: {\"id\":\"chatcmpl-PLACEHOLDER\",\"object\":"
     "\"chat.completion.chunk\",\"created\":1764547200,\"model\":\"gpt-x\","
     "\"choices\":null}\n\n"},
    {"any data", "openai", "{\"data\":{\"choices\":[],\"error\":{\"code\":5}}}",
     "data: {\"choices\":[],\"error\":{\"code\":5}}\n\n"},
    {"block by block", "anthropic",
     "\"start\",{\"thinking\":\"hm\"},{\"delta\":\"a\"},{\"delta\":\"b\"},"
     "{\"tool\":{\"name\":\"f\",\"id\":\"t1\",\"arguments\":{}},\"chunks\":1},"
     "\"stop\"",
     "event: message_start\ndata: {\"type\":\"message_start\",\"message\":"
     "{\"id\":\"msg_PLACEHOLDER\",\"type\":\"message\",\"role\":"
     "\"assistant\",\"model\":\"claude-x\",\"content\":[],\"stop_reason\":"
     "null,\"stop_sequence\":null,\"usage\":{\"input_tokens\":9,"
     "\"output_tokens\":1}}}\n\n"
     "event: content_block_start\ndata: {\"type\":\"content_block_start\","
     "\"index\":0,\"content_block\":{\"type\":\"thinking\",\"thinking\":\"\","
     "\"signature\":\"\"}}\n\n"
     "event: content_block_delta\ndata: {\"type\":\"content_block_delta\","
     "\"index\":0,\"delta\":{\"type\":\"thinking_delta\",\"thinking\":\"hm\"}}"
     "\n\n"
     "event: content_block_delta\ndata: {\"type\":\"content_block_delta\","
     "\"index\":0,\"delta\":{\"type\":\"signature_delta\",\"signature\":"
     "\"SIGNATURE\"}}\n\n"
     "event: content_block_stop\ndata: {\"type\":\"content_block_stop\","
     "\"index\":0}\n\n"
     "event: content_block_start\ndata: {\"type\":\"content_block_start\","
     "\"index\":1,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n"
     "event: content_block_delta\ndata: {\"type\":\"content_block_delta\","
     "\"index\":1,\"delta\":{\"type\":\"text_delta\",\"text\":\"a\"}}\n\n"
     "event: content_block_delta\ndata: {\"type\":\"content_block_delta\","
     "\"index\":1,\"delta\":{\"type\":\"text_delta\",\"text\":\"b\"}}\n\n"
     "event: content_block_stop\ndata: {\"type\":\"content_block_stop\","
     "\"index\":1}\n\n"
     "event: content_block_start\ndata: {\"type\":\"content_block_start\","
     "\"index\":2,\"content_block\":{\"type\":\"tool_use\",\"id\":\"t1\","
     "\"name\":\"f\",\"input\":{}}}\n\n"
     "event: content_block_delta\ndata: {\"type\":\"content_block_delta\","
     "\"index\":2,\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":"
     "\"{}\"}}\n\n"
     "event: content_block_stop\ndata: {\"type\":\"content_block_stop\","
     "\"index\":2}\n\n"
     "event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":"
     "{\"stop_reason\":\"tool_use\",\"stop_sequence\":null},\"usage\":"
     "{\"output_tokens\":3}}\n\n"
     "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n"},
    {"a stop without its delta", "anthropic",
     "{\"delta\":\"a\"},{\"term\":\"content_block_stop\"},"
     "{\"term\":\"message_stop\"}",
     "event: content_block_start\ndata: {\"type\":\"content_block_start\","
     "\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n"
     "event: content_block_delta\ndata: {\"type\":\"content_block_delta\","
     "\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"a\"}}\n\n"
     "event: content_block_stop\ndata: {\"type\":\"content_block_stop\","
     "\"index\":0}\n\n"
     "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n"},
    {"only the first bytes of it", "anthropic",
     "{\"term\":\"message_stop\",\"bytes\":25}", "event: message_stop\ndata:"},
    {"without the blank line", "anthropic", "{\"term\":\"done\",\"bytes\":-1}",
     "event: message_stop\ndata: {\"type\":\"message_stop\"}\n"},
    {"what is no content", "anthropic",
     "\"ping\",{\"comment\":\"c\"},{\"unknown\":\"u\",\"data\":{\"k\":1}},"
     "{\"bad\":\"{\"},{\"raw\":\"r\\n\"},{\"raw_base64\":\"AAE=\"}",
     "event: ping\ndata: {\"type\": \"ping\"}\n\n"
     ": c\n\n"
     "event: u\ndata: {\"type\":\"u\",\"k\":1}\n\n"
     "data: {\n\n"
     "r\n"},
    {"bad in the place of a delta", "anthropic",
     "{\"bad\":\"{\"},{\"delta\":"
     "\"a\",\"bytes\":1}",
     "event: content_block_delta\ndata: {\n\n"
     "event: content_block_start\ndata: {\"type\":\"content_block_start\","
     "\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n"
     "e"},
    {"an error by its name", "anthropic", "{\"error\":\"overloaded\"}",
     "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":"
     "\"overloaded_error\",\"message\":\"Overloaded\"}}\n\n"},
    {"an event of another value", "anthropic",
     "{\"term\":\"message_delta\",\"set\":{\"delta.stop_reason\":\"new\","
     "\"more\":[1]}}",
     "event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":"
     "{\"stop_reason\":\"new\",\"stop_sequence\":null},\"usage\":"
     "{\"output_tokens\":0},\"more\":[1]}\n\n"},
    {"the end is an element of its own", "gemini", "{\"delta\":\"a\"},\"stop\"",
     GEMINI("{\"text\": \"a\"}", "", "1,\"totalTokenCount\": 5")
         GEMINI("{\"text\": \"\"}", "\"finishReason\": \"STOP\",",
                "1,\"totalTokenCount\": 5")},
    {"without finishReason", "gemini", "{\"delta\":\"a\"}",
     GEMINI("{\"text\": \"a\"}", "", "1,\"totalTokenCount\": 5")},
    {"a thought and a call", "gemini",
     "{\"thinking\":\"hm\"},{\"tool\":{\"name\":\"f\",\"arguments\":"
     "{\"a\":1}}}",
     GEMINI("{\"text\": \"hm\",\"thought\": true}", "",
            "0,\"thoughtsTokenCount\": 1,\"totalTokenCount\": 5")
         GEMINI("{\"functionCall\": {\"name\": \"f\",\"args\": {\"a\":1}}}", "",
                "1,\"thoughtsTokenCount\": 1,\"totalTokenCount\": 6")},
    {"a call that breaks off", "gemini",
     "{\"tool\":{\"name\":\"f\",\"arguments\":\"{\\\"a\\\": \\\"b\"}}",
     "data: {\"candidates\": [{\"content\": {\"parts\": [{\"functionCall\": "
     "{\"name\": \"f\",\"args\": {\"a\": \"b"},
    {"a comment with its line end", "gemini", "{\"comment\":\"c\"}",
     ": c\r\n\r\n"},
    {"numbers go on", "openai-responses",
     "{\"term\":\"finish\",\"null\":\"response\"},{\"unknown\":\"keepalive\"},"
     "{\"error\":\"rate_limit_exceeded\",\"hint_s\":2.4}",
     "event: response.completed\ndata: {\"type\":\"response.completed\","
     "\"response\":null,\"sequence_number\":0}\n\n"
     "event: keepalive\ndata: {\"type\":\"keepalive\",\"sequence_number\":1}"
     "\n\n"
     "event: response.failed\ndata: {\"type\":\"response.failed\","
     "\"response\":{\"id\":\"resp_PLACEHOLDER\",\"object\":\"response\","
     "\"created_at\":1764547200,\"status\":\"failed\",\"error\":{\"code\":"
     "\"rate_limit_exceeded\",\"message\":\"LIMIT\"},"
     "\"incomplete_details\":null,\"model\":\"gpt-x\",\"output\":[]},"
     "\"sequence_number\":2}\n\n"},
    {"a null output", "openai-responses", "{\"null\":\"response.output\"}",
     "event: response.created\ndata: {\"type\":\"response.created\","
     "\"response\":{\"id\":\"resp_PLACEHOLDER\",\"object\":\"response\","
     "\"created_at\":1764547200,\"status\":\"in_progress\",\"error\":null,"
     "\"incomplete_details\":null,\"model\":\"gpt-x\",\"output\":null},"
     "\"sequence_number\":0}\n\n"}};

static void ask(const char *provider, const char *keys, bool stream,
                struct answer *ret)
{
  struct bench b;
  char *json = mem_format("{\"name\":\"n\",\"why\":\"w\",\"provider\":\"%s\","
                          "\"steps\":[{\"fault\":\"stream\",%s}]}",
                          provider, keys);
  bench_open(&b, json);
  bench_call(&b, provider, "", stream, ret);
  bench_close(&b);
  free(json);
}

/* A signature and the text of a limit are not of interest here. */
static void replace(struct buf *text, const char *from, const char *to,
                    const char *word)
{
  ptrdiff_t at = bytes_find(buf_bytes(text), bytes_of(from));
  struct buf whole;
  if (at < 0)
    return;
  size_t begin = (size_t)at + strlen(from);
  struct bytes rest = {text->p + begin, text->n - begin};
  ptrdiff_t end = bytes_find(rest, bytes_of(to));
  buf_init(&whole, 1 << 20);
  buf_add(&whole, text->p, begin);
  buf_adds(&whole, word);
  buf_add(&whole, rest.p + end, rest.n - (size_t)end);
  buf_reset(text);
  buf_addb(text, buf_bytes(&whole));
  buf_release(&whole);
}

static void body_of(const struct answer *a, struct buf *ret)
{
  struct buf plain;
  answer_unchunk(a, &plain);
  answer_normalise(buf_bytes(&plain), ret);
  replace(ret, "\"signature_delta\",\"signature\":\"", "\"}", "SIGNATURE");
  replace(ret, "\"rate_limit_exceeded\",\"message\":\"", "\"}", "LIMIT");
  buf_release(&plain);
}

static void every_word_writes_the_bytes_of_its_provider(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct answer a;
    struct buf body;
    char *keys = mem_format("\"events\":[%s]", rows[i].events);
    ask(rows[i].provider, keys, true, &a);
    body_of(&a, &body);
    size_t want = strlen(rows[i].body);
    bool zeros = strstr(rows[i].events, "raw_base64") != NULL;
    if (body.n != want + (zeros ? 2 : 0) ||
        memcmp(buf_str(&body), rows[i].body, want) != 0)
      fail_msg("%s %s:\n%s\nwanted\n%s", rows[i].provider, rows[i].id,
               buf_str(&body), rows[i].body);
    buf_release(&body);
    answer_release(&a);
    free(keys);
  }
}

static void the_hint_of_an_error_is_its_own(void **state)
{
  struct answer a;
  (void)state;
  ask("openai-responses",
      "\"events\":[{\"error\":\"rate_limit_exceeded\",\"hint_s\":2.4}]", true,
      &a);
  assert_non_null(strstr(buf_str(&a.wire), "try again in 2.4s"));
  assert_string_equal(a.attempt.what, "200 message, then rate_limit_exceeded");
  answer_release(&a);
}

struct trace_row {
  const char *keys, *trace, *last;
};

#define EV "send event "
#define TWO "\"events\":[\"ping\",{\"delta\":\"a\"}],"
#define WHOLE "\"events\":[{\"delta\":\"a\"},\"stop\"],"
#define OPEN "send head "

/* Gemini: a delta is one event, the stop another. */
static const struct trace_row traces[] = {
    {WHOLE "\"ending\":\"complete\"",
     OPEN EV EV "terminal fault send complete keep", "0\r\n\r\n"},
    {WHOLE "\"ending\":\"clean\"", OPEN EV EV "terminal fault send keep",
     "0\r\n\r\n"},
    {TWO "\"ending\":\"complete\"", OPEN EV EV "fault send keep", "0\r\n\r\n"},
    {TWO "\"ending\":\"dirty\"", OPEN EV EV "fault fin", "\r\n\r\n\r\n"},
    {TWO "\"ending\":\"last_chunk\"", OPEN EV EV "fault send fin", "0\r\n"},
    {TWO "\"ending\":\"rst\"", OPEN EV EV "fault rst", "\r\n\r\n\r\n"},
    {TWO "\"ending\":\"hold\"", OPEN EV EV "fault stall", "\r\n\r\n\r\n"},
    {TWO "\"ending\":\"eof\"", OPEN EV EV "fault fin", "}\r\n\r\n"},
    {WHOLE "\"ending\":\"eof\"", OPEN EV EV "terminal fault complete fin",
     "}\r\n\r\n"},
    {TWO "\"after_event\":1,\"ending\":\"rst\"", OPEN EV "fault rst",
     ": keep-alive\r\n\r\n\r\n"},
    /* an event that is cut is none */
    {TWO "\"at_byte\":3", OPEN "send fault send keep", "3\r\n: k\r\n0\r\n\r\n"},
    {TWO "\"at_byte\":3,\"ending\":\"fin\"", OPEN "send fault fin",
     "10\r\n: k"},
    {"\"events\":[{\"wait\":1.5},\"ping\"]",
     OPEN "fault delay:1500 " EV "fault send keep", "0\r\n\r\n"},
    {"\"events\":[\"ping\",{\"delta\":\"a\",\"gap_ms\":20}]",
     OPEN EV "delay:20 " EV "fault send keep", "0\r\n\r\n"},
    {"\"events\":[{\"pingloop\":2}],\"ending\":\"hold\"",
     OPEN "fault delay:2000 gen:... fault stall", NULL},
    {"\"events\":[{\"pingloop\":2,\"for\":5},\"ping\"]",
     OPEN "fault delay:2000 gen:1 " EV "delay:1000 " EV "fault send keep",
     "0\r\n\r\n"}};

static void endings_and_pauses_are_in_the_plan(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(traces); i++) {
    struct answer a;
    ask("gemini", traces[i].keys, true, &a);
    if (strcmp(buf_str(&a.trace), traces[i].trace) != 0)
      fail_msg("%s: %s", traces[i].keys, buf_str(&a.trace));
    size_t n = traces[i].last ? strlen(traces[i].last) : 0;
    if (a.wire.n < n ||
        (n && memcmp(a.wire.p + a.wire.n - n, traces[i].last, n) != 0))
      fail_msg("%s: %s", traces[i].keys, buf_str(&a.wire));
    answer_release(&a);
  }
}

static void until_the_close_there_are_no_chunks(void **state)
{
  struct answer a;
  (void)state;
  ask("anthropic", "\"ending\":\"eof\"", true, &a);
  assert_null(strstr(buf_str(&a.wire), "transfer-encoding"));
  assert_non_null(strstr(buf_str(&a.wire), "\r\nconnection: close\r\n"));
  assert_non_null(strstr(buf_str(&a.wire), "\r\n\r\nevent: message_start\n"));
  answer_release(&a);
}

static void a_call_without_a_stream_gets_the_content(void **state)
{
  struct answer a;
  (void)state;
  ask("anthropic",
      "\"events\":[{\"delta\":\"one \"},{\"delta\":\"two\"},"
      "{\"tool\":{\"arguments\":\"{\\\"a\"}}]",
      false, &a);
  assert_non_null(strstr(buf_str(&a.wire),
                         "[{\"type\":\"text\",\"text\":\"one two\"},"
                         "{\"type\":\"tool_use\",\"id\":\"toolu_01"));
  assert_non_null(strstr(buf_str(&a.wire), "\"input\":{}}]"));
  answer_release(&a);
}

static void gemini_without_sse_stays_one_array(void **state)
{
  struct bench b;
  struct answer a;
  struct buf body;
  (void)state;
  bench_open(&b, "{\"name\":\"n\",\"why\":\"w\",\"steps\":[{\"fault\":"
                 "\"stream\",\"events\":[\"ping\",{\"delta\":\"a\"},"
                 "{\"comment\":\"c\"},{\"unknown\":\"u\"},\"stop\"]}]}");
  bench_ask(&b, "POST", "/v1beta/models/g:streamGenerateContent", "", "{}", &a);
  answer_unchunk(&a, &body);
  cJSON *array = cJSON_ParseWithLength(body.p, body.n);
  assert_int_equal(cJSON_GetArraySize(array), 3);
  cJSON_Delete(array);
  buf_release(&body);
  answer_release(&a);
  bench_close(&b);
}

struct refusal {
  const char *keys, *says;
};

static const struct refusal refusals[] = {
    {"\"events\":[\"strat\"]", "unknown event 'strat'; did you mean 'start'?"},
    {"\"events\":[{\"detla\":\"x\"}]", "did you mean 'delta'?"},
    {"\"events\":[\"delta\"]", "'delta' needs a value"},
    {"\"events\":[{}]", "an event needs a word"},
    {"\"events\":[5]", "object"},
    {"\"events\":{}", "array"},
    {"\"events\":[{\"delta\":\"x\",\"gap_m\":1}]", "did you mean 'gap_ms'?"},
    {"\"events\":[{\"wait\":0}]", "0"},
    {"\"events\":[{\"error\":\"overlaoded\"}]", "did you mean 'overloaded'?"},
    {"\"events\":[{\"term\":\"message_stpo\"}]",
     "anthropic has no closing event 'message_stpo'; did you mean "
     "'message_stop'?"},
    {"\"events\":[{\"null\":\"nothing.here\"}]",
     "no event of anthropic has the field 'nothing.here'"},
    {"\"events\":[{\"tool\":{\"nam\":\"x\"}}]", "did you mean 'name'?"},
    {"\"events\":[{\"raw_base64\":\"?\"}]", "is not base64"},
    {"\"events\":[{\"raw\":\"x\",\"null\":\"a\"}]",
     "'null' does not go with 'raw'"},
    {"\"events\":[{\"pingloop\":1},\"stop\"]",
     "without 'for' it is the last event"},
    {"\"events\":[],\"text\":\"x\"", "'text' and 'events' exclude each other"},
    {"\"pieces\":\"bytes\"", "did you mean 'byte'?"},
    {"\"pieces\":[3,3]", "must be larger than the one before"},
    {"\"pieces\":0", "0"},
    {"\"pieces\":true", "must be a number of bytes, a list of offsets"},
    {"\"piece_gap_ms\":5", "needs 'pieces'"},
    {"\"pieces\":\"utf8\",\"encoding\":\"gzip\"",
     "'utf8' is a place in the text, which 'encoding' hides"},
    {"\"ending\":\"cleen\"", "did you mean 'clean'?"},
    {"\"after_event\":99", "at most"},
    {"\"at_byte\":1,\"after_event\":1", "exclude each other"}};

static void wrong_scripts_are_told_where_and_what(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(refusals); i++) {
    struct diag diag = {0};
    struct scenario s = {0};
    char text[2048];
    char *json = mem_format("{\"name\":\"n\",\"why\":\"w\",\"provider\":"
                            "\"anthropic\",\"steps\":[{\"fault\":\"stream\","
                            "%s}]}",
                            refusals[i].keys);
    if (scenario_parse(&s, "t.json", bytes_of(json), &diag) == 0)
      fail_msg("%s is taken", refusals[i].keys);
    diag_format(&diag, text, sizeof text);
    if (!strstr(text, refusals[i].says) || !strstr(text, "t.json:1:"))
      fail_msg("%s: %s", refusals[i].keys, text);
    free(json);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_word_writes_the_bytes_of_its_provider),
      cmocka_unit_test(the_hint_of_an_error_is_its_own),
      cmocka_unit_test(endings_and_pauses_are_in_the_plan),
      cmocka_unit_test(until_the_close_there_are_no_chunks),
      cmocka_unit_test(a_call_without_a_stream_gets_the_content),
      cmocka_unit_test(gemini_without_sse_stays_one_array),
      cmocka_unit_test(wrong_scripts_are_told_where_and_what)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
