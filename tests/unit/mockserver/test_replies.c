/*
 * Answers with several blocks: the streamed form adds up to the plain one,
 * for every provider, and so do the numbers of usage.
 */
#include "tests/unit/unit.h"

#include "tests/contract/answer.h"

#include "base/param.h"
#include "mockserver/json_edit.h"
#include "mockserver/provider/provider.h"
#include "mockserver/reply_step.h"

#include <string.h>

/* What a client gets out of an answer. */
struct seen {
  struct buf text, thoughts, arguments, tool, stop;
  double input, output, total;
};

static void seen_init(struct seen *s)
{
  memset(s, 0, sizeof *s);
  buf_init(&s->text, 1 << 20);
  buf_init(&s->thoughts, 1 << 20);
  buf_init(&s->arguments, 1 << 20);
  buf_init(&s->tool, 1 << 20);
  buf_init(&s->stop, 1 << 20);
}

static void seen_release(struct seen *s)
{
  buf_release(&s->text);
  buf_release(&s->thoughts);
  buf_release(&s->arguments);
  buf_release(&s->tool);
  buf_release(&s->stop);
}

/* "a.0.b" below `node`; NULL when it is not there. */
static const cJSON *at(const cJSON *node, const char *path)
{
  char name[64];
  while (node && *path) {
    size_t n = strcspn(path, ".");
    snprintf(name, sizeof name, "%.*s", (int)n, path);
    node = cJSON_IsArray(node) ? cJSON_GetArrayItem(node, name[0] - '0')
                               : cJSON_GetObjectItem(node, name);
    path += n + (path[n] == '.');
  }
  return node;
}

static void add(struct buf *ret, const cJSON *node, const char *path)
{
  const cJSON *value = at(node, path);
  if (cJSON_IsString(value)) {
    buf_adds(ret, value->valuestring);
  } else if (cJSON_IsObject(value)) {
    char *text = cJSON_PrintUnformatted(value);
    buf_adds(ret, text);
    cJSON_free(text);
  }
}

static void set(struct buf *ret, const cJSON *node, const char *path)
{
  if (!cJSON_IsString(at(node, path)))
    return;
  buf_reset(ret);
  add(ret, node, path);
}

static void number(double *ret, const cJSON *node, const char *path)
{
  if (cJSON_IsNumber(at(node, path)))
    *ret = at(node, path)->valuedouble;
}

static void see_anthropic(struct seen *s, const cJSON *json)
{
  const cJSON *block;
  add(&s->text, json, "delta.text");
  add(&s->thoughts, json, "delta.thinking");
  add(&s->arguments, json, "delta.partial_json");
  add(&s->tool, json, "content_block.name");
  cJSON_ArrayForEach(block, at(json, "content"))
  {
    add(&s->text, block, "text");
    add(&s->thoughts, block, "thinking");
    add(&s->arguments, block, "input");
    add(&s->tool, block, "name");
  }
  set(&s->stop, json, "stop_reason");
  set(&s->stop, json, "delta.stop_reason");
  number(&s->input, json, "message.usage.input_tokens");
  number(&s->input, json, "usage.input_tokens");
  number(&s->output, json, "usage.output_tokens");
}

static void see_chat(struct seen *s, const cJSON *json)
{
  add(&s->text, json, "choices.0.delta.content");
  add(&s->text, json, "choices.0.message.content");
  add(&s->arguments, json, "choices.0.delta.tool_calls.0.function.arguments");
  add(&s->arguments, json, "choices.0.message.tool_calls.0.function.arguments");
  add(&s->tool, json, "choices.0.delta.tool_calls.0.function.name");
  add(&s->tool, json, "choices.0.message.tool_calls.0.function.name");
  set(&s->stop, json, "choices.0.finish_reason");
  number(&s->input, json, "usage.prompt_tokens");
  number(&s->output, json, "usage.completion_tokens");
  number(&s->total, json, "usage.total_tokens");
}

static void see_delta(struct seen *s, const cJSON *json, const char *type)
{
  if (strcmp(type, "response.output_text.delta") == 0)
    add(&s->text, json, "delta");
  else if (strcmp(type, "response.reasoning_summary_text.delta") == 0)
    add(&s->thoughts, json, "delta");
  else if (strcmp(type, "response.function_call_arguments.delta") == 0)
    add(&s->arguments, json, "delta");
  else if (strcmp(type, "response.output_item.added") == 0)
    add(&s->tool, json, "item.name");
}

static void see_end(struct seen *s, const cJSON *response)
{
  set(&s->stop, response, "status");
  number(&s->input, response, "usage.input_tokens");
  number(&s->output, response, "usage.output_tokens");
  number(&s->total, response, "usage.total_tokens");
}

static void see_responses(struct seen *s, const cJSON *json)
{
  const char *type = NULL;
  const cJSON *item;
  if (param_string(json, "type", &type)) {
    see_delta(s, json, type);
    see_end(s, at(json, "response"));
    return;
  }
  cJSON_ArrayForEach(item, at(json, "output"))
  {
    add(&s->text, item, "content.0.text");
    add(&s->thoughts, item, "summary.0.text");
    add(&s->arguments, item, "arguments");
    add(&s->tool, item, "name");
  }
  see_end(s, json);
}

static void see_gemini(struct seen *s, const cJSON *json)
{
  const cJSON *part;
  double thoughts = 0;
  cJSON_ArrayForEach(part, at(json, "candidates.0.content.parts"))
  {
    add(at(part, "thought") ? &s->thoughts : &s->text, part, "text");
    add(&s->arguments, part, "functionCall.args");
    add(&s->tool, part, "functionCall.name");
  }
  set(&s->stop, json, "candidates.0.finishReason");
  number(&s->input, json, "usageMetadata.promptTokenCount");
  number(&s->output, json, "usageMetadata.candidatesTokenCount");
  number(&thoughts, json, "usageMetadata.thoughtsTokenCount");
  s->output += thoughts;
  number(&s->total, json, "usageMetadata.totalTokenCount");
}

static void see(struct seen *s, const char *provider, const cJSON *json)
{
  if (strcmp(provider, "anthropic") == 0)
    see_anthropic(s, json);
  else if (strcmp(provider, "openai") == 0)
    see_chat(s, json);
  else if (strcmp(provider, "gemini") == 0)
    see_gemini(s, json);
  else
    see_responses(s, json);
}

static void see_stream(struct seen *s, const char *provider, struct bytes body)
{
  while (body.n) {
    ptrdiff_t from = bytes_find(body, BYTES("data: "));
    if (from < 0)
      return;
    body = (struct bytes){body.p + from + 6, body.n - (size_t)from - 6};
    ptrdiff_t end = bytes_find(body, BYTES("\n"));
    cJSON *json = cJSON_ParseWithLength(body.p, (size_t)end);
    see(s, provider, json);
    cJSON_Delete(json);
  }
}

static void ask(const char *provider, const char *keys, bool stream,
                struct seen *ret)
{
  struct bench b;
  struct answer a;
  struct buf body;
  char *json = mem_format("{\"name\":\"n\",\"why\":\"w\",\"provider\":\"%s\","
                          "\"steps\":[{\"reply\":\"message\",%s}]}",
                          provider, keys);
  bool chat = strcmp(provider, "openai") == 0;
  bench_open(&b, json);
  if (chat)
    bench_ask(&b, "POST", "/v1/chat/completions", "",
              stream ? "{\"stream\":true,\"stream_options\":{\"include_usage\""
                       ":true}}"
                     : "{}",
              &a);
  else
    bench_call(&b, provider, "", stream, &a);
  seen_init(ret);
  answer_unchunk(&a, &body);
  if (stream) {
    see_stream(ret, provider, buf_bytes(&body));
  } else {
    cJSON *whole = cJSON_ParseWithLength(body.p, body.n);
    assert_non_null(whole);
    see(ret, provider, whole);
    cJSON_Delete(whole);
  }
  buf_release(&body);
  answer_release(&a);
  bench_close(&b);
  free(json);
}

static const char *const contents[] = {
    "\"text\":\"one two three\"",
    "\"text\":\"one two\",\"chunks\":7",
    "\"text\":\"one two three four\",\"chunks\":2",
    "\"blocks\":[{\"text\":\"I look.\"},{\"tool\":{\"name\":\"ls\","
    "\"arguments\":{\"path\":\"./a b\"}}}]",
    "\"blocks\":[{\"thinking\":\"let me see\"},{\"text\":\"It is \\\"4\\\"\"},"
    "{\"text\":\" \\u00e4\\n\"}]",
    "\"blocks\":[{\"tool\":{\"name\":\"f\",\"arguments\":\"{\\\"k\\\": 1}\"},"
    "\"chunks\":1}]",
    "\"text\":\"x\",\"stop\":\"max_tokens\"",
    "\"text\":\"x\",\"stop\":\"refusal\"",
    "\"text\":\"abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz\""};

/* White space of arguments is that of the scenario in one form and of the
 * vendor in the other. */
static bool same_json(const struct buf *a, const struct buf *b)
{
  cJSON *x = cJSON_Parse(buf_str(a)), *y = cJSON_Parse(buf_str(b));
  bool same = (!a->n && !b->n) || (x && y && cJSON_Compare(x, y, true));
  cJSON_Delete(x);
  cJSON_Delete(y);
  return same;
}

static void compare(const char *provider, const char *keys,
                    const struct seen *plain, const struct seen *stream)
{
  bool same =
      strcmp(buf_str(&plain->text), buf_str(&stream->text)) == 0 &&
      strcmp(buf_str(&plain->thoughts), buf_str(&stream->thoughts)) == 0 &&
      strcmp(buf_str(&plain->tool), buf_str(&stream->tool)) == 0 &&
      same_json(&plain->arguments, &stream->arguments);
  if (!same)
    fail_msg("%s %s: '%s' '%s' '%s' and '%s' '%s' '%s'", provider, keys,
             buf_str(&plain->text), buf_str(&plain->thoughts),
             buf_str(&plain->arguments), buf_str(&stream->text),
             buf_str(&stream->thoughts), buf_str(&stream->arguments));
  if (strcmp(buf_str(&plain->stop), buf_str(&stream->stop)) != 0 ||
      !stream->stop.n)
    fail_msg("%s %s: stop '%s' and '%s'", provider, keys, buf_str(&plain->stop),
             buf_str(&stream->stop));
  if (plain->output != stream->output || plain->output < 1 ||
      plain->total != stream->total ||
      (plain->total > 0 && plain->total != plain->input + plain->output))
    fail_msg("%s %s: tokens %g %g %g and %g %g %g", provider, keys,
             plain->input, plain->output, plain->total, stream->input,
             stream->output, stream->total);
}

static void a_stream_adds_up_to_the_plain_answer(void **state)
{
  (void)state;
  for (const struct provider *const *p = providers; *p; p++)
    for (size_t i = 0; i < COUNT(contents); i++) {
      struct seen plain, stream;
      ask((*p)->name, contents[i], false, &plain);
      ask((*p)->name, contents[i], true, &stream);
      /* requests differ by a word: their estimates may too */
      stream.total += plain.input - stream.input;
      compare((*p)->name, contents[i], &plain, &stream);
      seen_release(&plain);
      seen_release(&stream);
    }
}

struct stop_row {
  const char *stop, *says[4]; /* in the order of providers.def */
};

static const struct stop_row stops[] = {
    {"end_turn", {"end_turn", "stop", "completed", "STOP"}},
    {"max_tokens", {"max_tokens", "length", "incomplete", "MAX_TOKENS"}},
    {"stop_sequence", {"stop_sequence", "stop", "completed", "STOP"}},
    {"tool_use", {"tool_use", "tool_calls", "completed", "STOP"}},
    {"pause_turn", {"pause_turn", "stop", "completed", "STOP"}},
    {"refusal", {"refusal", "content_filter", "incomplete", "SAFETY"}},
    {"content_filter", {"refusal", "content_filter", "incomplete", "SAFETY"}},
    {"model_context_window_exceeded",
     {"model_context_window_exceeded", "length", "incomplete", "MAX_TOKENS"}}};

static void every_stop_reason_is_said_in_the_providers_word(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(stops); i++)
    for (size_t p = 0; p < 4; p++) {
      struct seen seen;
      char *keys = mem_format("\"stop\":\"%s\"", stops[i].stop);
      ask(providers[p]->name, keys, true, &seen);
      assert_string_equal(buf_str(&seen.stop), stops[i].says[p]);
      seen_release(&seen);
      free(keys);
    }
  assert_null(stop_words[COUNT(stops)]);
}

static void tokens_are_words_and_long_words_are_more(void **state)
{
  static const struct {
    const char *text;
    uint64_t tokens;
  } rows[] = {{"", 0},
              {"one", 1},
              {"  one  two ", 2},
              {"0123456789abcde", 1},
              {"0123456789abcdef", 2}};
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct reply r;
    reply_init(&r, BYTES("m"));
    block_add_words(reply_add(&r, BLOCK_TEXT), rows[i].text, 0);
    assert_int_equal(reply_output_tokens(&r), rows[i].tokens);
    reply_release(&r);
    /* however it is cut */
    reply_init(&r, BYTES("m"));
    block_add_parts(reply_add(&r, BLOCK_TEXT), bytes_of(rows[i].text), 5);
    assert_int_equal(reply_output_tokens(&r), rows[i].tokens);
    reply_release(&r);
  }
}

static void parts_never_cut_a_character(void **state)
{
  struct reply r;
  struct buf piece;
  (void)state;
  reply_init(&r, BYTES("m"));
  struct block *b = reply_add(&r, BLOCK_TOOL);
  block_add_parts(b, BYTES("\xe4\xbd\xa0\xe5\xa5\xbd\xf0\x9f\xa6\x80"), 10);
  assert_int_equal(b->npieces, 3);
  buf_init(&piece, 64);
  block_piece_json(b, 1, &piece);
  assert_string_equal(buf_str(&piece), "\xe5\xa5\xbd");
  buf_release(&piece);
  reply_release(&r);
}

static void trace_of(const char *keys, bool stream, struct answer *ret)
{
  struct bench b;
  char *json = mem_format("{\"name\":\"n\",\"why\":\"w\",\"provider\":"
                          "\"gemini\",\"steps\":[{\"reply\":\"message\",%s}]}",
                          keys);
  bench_open(&b, json);
  bench_call(&b, "gemini", "", stream, ret);
  bench_close(&b);
  free(json);
}

#define EV "send event "

static void a_pace_is_kept(void **state)
{
  static const struct {
    const char *keys;
    bool stream;
    const char *trace;
  } rows[] = {{"\"tokens_per_s\":10", true,
               "send head " EV "delay:100 " EV "delay:100 " EV
               "terminal send complete keep"},
              {"\"tokens_per_s\":10,\"first_token_ms\":700", true,
               "send head delay:700 " EV "delay:100 " EV "delay:100 " EV
               "terminal send complete keep"},
              {"\"first_token_ms\":700", true,
               "send head delay:700 " EV EV EV "terminal send complete keep"},
              /* two words a delta take twice as long */
              {"\"text\":\"a b c d\",\"chunks\":2,\"tokens_per_s\":10", true,
               "send head " EV "delay:200 " EV "terminal send complete keep"},
              {"\"tokens_per_s\":10,\"first_token_ms\":700", false,
               "delay:1000 send head send complete keep"}};
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct answer a;
    trace_of(rows[i].keys, rows[i].stream, &a);
    if (strcmp(buf_str(&a.trace), rows[i].trace) != 0)
      fail_msg("%s: %s", rows[i].keys, buf_str(&a.trace));
    answer_release(&a);
  }
}

static void jitter_is_seeded_and_stays_in_its_share(void **state)
{
  struct answer one, two;
  (void)state;
  trace_of("\"gap_ms\":100,\"jitter\":0.5,\"chunks\":40", true, &one);
  trace_of("\"gap_ms\":100,\"jitter\":0.5,\"chunks\":40", true, &two);
  assert_string_equal(buf_str(&one.trace), buf_str(&two.trace));
  long long low = 1000, high = 0;
  for (const char *p = buf_str(&one.trace); (p = strstr(p, "delay:"));) {
    long long ms = 0;
    for (p += 6; *p >= '0' && *p <= '9'; p++)
      ms = ms * 10 + (*p - '0');
    low = ms < low ? ms : low;
    high = ms > high ? ms : high;
  }
  assert_in_range(low, 50, 75);
  assert_in_range(high, 125, 150);
  answer_release(&one);
  answer_release(&two);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_stream_adds_up_to_the_plain_answer),
      cmocka_unit_test(every_stop_reason_is_said_in_the_providers_word),
      cmocka_unit_test(tokens_are_words_and_long_words_are_more),
      cmocka_unit_test(parts_never_cut_a_character),
      cmocka_unit_test(a_pace_is_kept),
      cmocka_unit_test(jitter_is_seeded_and_stays_in_its_share)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
