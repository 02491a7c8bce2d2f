/*
 * Bodies made into what they should not be: coded, told or not, cut, of
 * another type, spoiled.
 */
#include "tests/unit/unit.h"

#include "tests/contract/answer.h"

#include "mockserver/step_body.h"

#include <string.h>
#include <zlib.h>

static void ask(const char *provider, const char *step, const char *headers,
                bool stream, struct answer *ret)
{
  struct bench b;
  char *json = mem_format("{\"name\":\"n\",\"why\":\"w\",\"provider\":\"%s\","
                          "\"steps\":[%s]}",
                          provider, step);
  char *target = call_target(provider, "", stream);
  char *body = call_body(provider, stream);
  bench_open(&b, json);
  bench_ask(&b, "POST", target, headers, body, ret);
  bench_close(&b);
  free(json);
  free(target);
  free(body);
}

static bool has(const struct answer *a, const char *text)
{
  return bytes_find(buf_bytes(&a->wire), bytes_of(text)) >= 0;
}

/* What gzip readers make of the body; false: it has no end. */
static bool gunzip(const struct answer *a, struct buf *ret)
{
  static unsigned char out[1 << 20];
  struct buf body;
  z_stream z = {0};
  answer_unchunk(a, &body);
  inflateInit2(&z, 15 + 16);
  memcpy(&z.next_in, &body.p, sizeof body.p);
  z.avail_in = (uInt)body.n;
  z.next_out = out;
  z.avail_out = sizeof out;
  int rc = inflate(&z, Z_SYNC_FLUSH);
  buf_init(ret, sizeof out);
  buf_add(ret, out, sizeof out - z.avail_out);
  inflateEnd(&z);
  buf_release(&body);
  return rc == Z_STREAM_END;
}

struct mode_row {
  const char *mode, *accept;
  bool told, done;
};

static const struct mode_row modes[] = {
    {"always", "", true, true},
    {"when_accepted", "", false, false},
    {"when_accepted", "accept-encoding: br, gzip\n", true, true},
    {"when_accepted", "accept-encoding: gzip;q=0\n", false, false},
    {"header_only", "", true, false},
    {"body_only", "", false, true}};

static void a_coding_is_told_and_done_as_asked(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(modes); i++)
    for (int stream = 0; stream < 2; stream++) {
      struct answer a;
      struct buf plain;
      char *step = mem_format("{\"reply\":\"message\",\"encoding\":\"gzip\","
                              "\"encoding_mode\":\"%s\"}",
                              modes[i].mode);
      ask("anthropic", step, modes[i].accept, stream, &a);
      assert_int_equal(has(&a, "\r\ncontent-encoding: gzip\r\n"),
                       modes[i].told);
      assert_int_equal(gunzip(&a, &plain), modes[i].done);
      assert_int_equal(has(&a, "Hello"), !modes[i].done);
      if (modes[i].done)
        assert_non_null(strstr(buf_str(&plain), "Hello"));
      buf_release(&plain);
      answer_release(&a);
      free(step);
    }
}

static void what_a_client_accepts_is_read_as_rfc_9110_says(void **state)
{
  static const struct {
    const char *accept;
    bool gzip;
  } rows[] = {{"gzip", true},
              {"GZIP", true},
              {"br;q=1.0, gzip", true},
              {"gzip; q=0.5", true},
              {"gzip;q=0", false},
              {"gzip;q=0.000", false},
              {"*", true},
              {"*;q=0", false},
              {"gzip;q=0, *", false},
              {"identity", false},
              {"xgzip", false},
              {",, gzip ,", true},
              {"", false}};
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++)
    if (step_accepts(bytes_of(rows[i].accept), "gzip") != rows[i].gzip)
      fail_msg("'%s'", rows[i].accept);
}

static void a_clean_end_finishes_the_coding_a_cut_does_not(void **state)
{
  static const struct {
    const char *ending;
    bool whole;
  } rows[] = {{"clean", true},
              {"dirty", false},
              {"eof", false},
              {"rst", false},
              {"hold", false}};
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct answer a;
    struct buf plain;
    char *step = mem_format("{\"fault\":\"stream\",\"encoding\":\"gzip\","
                            "\"events\":[\"start\",{\"delta\":\"Hel\"}],"
                            "\"ending\":\"%s\"}",
                            rows[i].ending);
    ask("anthropic", step, "", true, &a);
    if (gunzip(&a, &plain) != rows[i].whole)
      fail_msg("%s", rows[i].ending);
    assert_non_null(strstr(buf_str(&plain), "\"text\":\"Hel\""));
    buf_release(&plain);
    answer_release(&a);
    free(step);
  }
}

static void a_cut_body_has_the_length_that_is_told(void **state)
{
  struct answer a;
  (void)state;
  ask("openai", "{\"fault\":\"overloaded\",\"body_bytes\":10}", "", false, &a);
  assert_true(has(&a, "content-length: 10\r\n"));
  assert_int_equal(answer_body(&a).n, 10);
  answer_release(&a);
  ask("openai", "{\"reply\":\"message\",\"body_bytes\":10}", "", true, &a);
  assert_true(has(&a, "\r\n\r\na\r\ndata: {\"id\r\n0\r\n\r\n"));
  assert_null(strstr(buf_str(&a.trace), "terminal"));
  answer_release(&a);
}

static void the_type_is_what_the_step_says(void **state)
{
  struct answer a;
  (void)state;
  ask("openai", "{\"reply\":\"message\",\"content_type\":\"text/html\"}", "",
      true, &a);
  assert_true(has(&a, "content-type: text/html\r\n"));
  assert_false(has(&a, "event-stream"));
  answer_release(&a);
  ask("gemini", "{\"fault\":\"overloaded\",\"content_type\":null}", "", false,
      &a);
  assert_false(has(&a, "content-type"));
  answer_release(&a);
}

struct bad_row {
  const char *keys, *head, *body;
};

static const struct bad_row bad[] = {
    {"\"how\":\"empty\"", "content-length: 0\r\n", ""},
    {"\"how\":\"truncated\",\"at_byte\":6", "application/json\r\n", "{\"id\":"},
    {"\"how\":\"array\"", "application/json\r\n", "[{\"id\":"},
    {"\"how\":\"null_fields\"", "application/json\r\n", "{\"id\":null,"},
    {"\"how\":\"null_fields\",\"fields\":[\"choices.0.message\"]",
     "application/json\r\n",
     "{\"id\":\"chatcmpl-PLACEHOLDER\",\"object\":\"chat.completion\","
     "\"created\":1764547200,\"model\":\"gpt-x\",\"choices\":[{\"index\":0,"
     "\"message\":null,"},
    {"\"how\":\"html\",\"status\":502", "HTTP/1.1 502 Bad Gateway\r\n",
     "<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n"},
    {"\"how\":\"text\",\"status\":520", "text/plain; charset=utf-8\r\n",
     "error code: 520"}};

static void spoiled_bodies_are_as_described(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(bad); i++)
    for (int stream = 0; stream < 2; stream++) {
      struct answer a;
      struct buf body;
      char *step = mem_format("{\"fault\":\"bad_body\",%s}", bad[i].keys);
      ask("openai", step, "", stream, &a);
      answer_normalise(answer_body(&a), &body);
      if (!has(&a, bad[i].head) ||
          !bytes_starts(buf_bytes(&body), bytes_of(bad[i].body)))
        fail_msg("%s: %s", step, buf_str(&a.wire));
      assert_string_equal(buf_str(&a.trace), "send head fault complete keep");
      buf_release(&body);
      answer_release(&a);
      free(step);
    }
}

static void no_parser_takes_what_is_no_json(void **state)
{
  struct answer a;
  (void)state;
  ask("openai", "{\"fault\":\"bad_body\",\"how\":\"not_json\"}", "", false, &a);
  char *text = bytes_dup(answer_body(&a));
  assert_null(cJSON_ParseWithOpts(text, NULL, true));
  free(text);
  answer_release(&a);
}

static void repeats_of_a_coded_error_have_ids_of_their_own(void **state)
{
  struct bench b;
  struct answer one, two;
  struct buf first, second;
  (void)state;
  bench_open(&b, "{\"name\":\"n\",\"why\":\"w\",\"steps\":[{\"fault\":"
                 "\"overloaded\",\"encoding\":\"gzip\",\"times\":2}]}");
  bench_call(&b, "anthropic", "", false, &one);
  bench_call(&b, "anthropic", "", false, &two);
  gunzip(&one, &first);
  gunzip(&two, &second);
  assert_non_null(strstr(buf_str(&first), "\"request_id\":\"req_01"));
  assert_string_not_equal(buf_str(&first), buf_str(&second));
  buf_release(&first);
  buf_release(&second);
  answer_release(&one);
  answer_release(&two);
  bench_close(&b);
}

static const struct {
  const char *step, *says;
} refusals[] = {
    {"{\"reply\":\"message\",\"encoding\":\"gzp\"}", "did you mean 'gzip'?"},
    {"{\"reply\":\"message\",\"encoding_mode\":\"always\"}",
     "needs 'encoding'"},
    {"{\"reply\":\"message\",\"content_type\":\"a\\nb\"}", "line break"},
    {"{\"reply\":\"message\",\"encoding\":\"br\",\"chunks\":1000000}",
     "at most 20000"},
    {"{\"fault\":\"stall\",\"where\":\"after_event\",\"pings\":1,"
     "\"encoding\":\"br\"}",
     "cannot be coded"},
    {"{\"fault\":\"bad_body\"}", "'how' is missing"},
    {"{\"fault\":\"bad_body\",\"how\":\"emtpy\"}", "did you mean 'empty'?"},
    {"{\"fault\":\"bad_body\",\"how\":\"empty\",\"at_byte\":1}",
     "needs \"how\": \"truncated\""},
    {"{\"reply\":\"message\",\"blocks\":[{\"txt\":\"x\"}]}",
     "did you mean 'text'?"},
    {"{\"reply\":\"message\",\"blocks\":[{}]}", "needs exactly one of"},
    {"{\"reply\":\"message\",\"blocks\":[],\"text\":\"x\"}",
     "'text' and 'blocks' exclude each other"},
    {"{\"reply\":\"message\",\"blocks\":[{\"tool\":{\"arguments\":\"{\"}}]}",
     "is no JSON object"},
    {"{\"reply\":\"message\",\"stop\":\"end\"}", "stop"},
    {"{\"reply\":\"message\",\"tokens_per_s\":5,\"gap_ms\":5}",
     "exclude each other"},
    {"{\"reply\":\"message\",\"jitter\":0.5}", "there is no pause"},
    {"{\"reply\":\"message\",\"match\":{\"messages\":{\"turn\":1}}}",
     "did you mean 'turns'?"}};

static void wrong_keys_are_told_where_and_what(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(refusals); i++) {
    struct diag diag = {0};
    struct scenario s = {0};
    char text[2048];
    char *json = mem_format("{\"name\":\"n\",\"why\":\"w\",\"steps\":[%s]}",
                            refusals[i].step);
    if (scenario_parse(&s, "t.json", bytes_of(json), &diag) == 0)
      fail_msg("%s is taken", refusals[i].step);
    diag_format(&diag, text, sizeof text);
    if (!strstr(text, refusals[i].says) || !strstr(text, "t.json:1:"))
      fail_msg("%s: %s", refusals[i].step, text);
    free(json);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_coding_is_told_and_done_as_asked),
      cmocka_unit_test(what_a_client_accepts_is_read_as_rfc_9110_says),
      cmocka_unit_test(a_clean_end_finishes_the_coding_a_cut_does_not),
      cmocka_unit_test(a_cut_body_has_the_length_that_is_told),
      cmocka_unit_test(the_type_is_what_the_step_says),
      cmocka_unit_test(spoiled_bodies_are_as_described),
      cmocka_unit_test(no_parser_takes_what_is_no_json),
      cmocka_unit_test(repeats_of_a_coded_error_have_ids_of_their_own),
      cmocka_unit_test(wrong_keys_are_told_where_and_what)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
