/*
 * Literal heads and raw answers on a raw socket: dates, quota headers, bytes
 * that no text can hold.
 */
#include "tests/unit/unit.h"

#include "tests/wire/call.h"

#include "base/file.h"

#include <string.h>

/* The server's clock starts at Mon, 01 Dec 2025 00:00:00 GMT. */

static const struct {
  const char *id, *provider, *step, *holds, *lacks;
} heads[] = {
    {"date late", "anthropic",
     "{\"fault\":\"rate_limit\",\"date_skew_s\":3600,\"retry_after\":"
     "\"{{http_date_server:+5}}\"}",
     "date: Mon, 01 Dec 2025 01:00:00 GMT\r\n", "GMT\r\nGMT"},
    {"server date", "anthropic",
     "{\"fault\":\"rate_limit\",\"date_skew_s\":3600,\"retry_after\":"
     "\"{{http_date_server:+5}}\"}",
     "retry-after: Mon, 01 Dec 2025 01:00:05 GMT\r\n", NULL},
    {"true date", "openai",
     "{\"reply\":\"message\",\"date_skew_s\":-60.5,\"headers\":[[\"x-now\","
     "\"{{http_date}}\"]]}",
     "x-now: Mon, 01 Dec 2025 00:00:00 GMT\r\n", NULL},
    {"skewed down", "openai", "{\"reply\":\"message\",\"date_skew_s\":-60.5}",
     "date: Sun, 30 Nov 2025 23:58:59 GMT\r\n", NULL},
    {"no date", "gemini", "{\"reply\":\"message\",\"date\":false}",
     "HTTP/1.1 200 OK\r\n", "date:"},
    {"case, order, doubles", "openai",
     "{\"fault\":\"overloaded\",\"headers\":[[\"X-A\",\"1\"],[\"x-b\",\"2\"],"
     "[\"X-A\",\"3, 4\"],[\"X-Empty\",\"\"]]}",
     "X-A: 1\r\nx-b: 2\r\nX-A: 3, 4\r\nX-Empty:\r\n", NULL},
    {"two bytes of UTF-8", "anthropic",
     "{\"fault\":\"rate_limit\",\"retry_after\":\"\xc2\xb2\"}",
     "retry-after: \xc2\xb2\r\n", NULL},
    {"a byte that is no text", "anthropic",
     "{\"fault\":\"rate_limit\",\"retry_after\":\"{{hex:b2}}\"}",
     "retry-after: \xb2\r\n", NULL},
    {"an old fold", "anthropic",
     "{\"fault\":\"rate_limit\",\"headers\":[[\"x-fold\",\"a{{hex:0d0a20}}"
     "b\"]]}",
     "x-fold: a\r\n b\r\n", NULL},
    {"retry told", "anthropic",
     "{\"fault\":\"overloaded\",\"headers\":[[\"x-should-retry\",\"false\"]]"
     "}",
     "x-should-retry: false\r\n", NULL},
    {"quota on a good answer", "anthropic",
     "{\"reply\":\"message\",\"quota_headers\":{\"requests\":{\"limit\":50,"
     "\"remaining\":0,\"reset_s\":2.5},\"input_tokens\":{\"remaining\":7}}}",
     "anthropic-ratelimit-requests-limit: 50\r\n"
     "anthropic-ratelimit-requests-remaining: 0\r\n"
     "anthropic-ratelimit-requests-reset: 2025-12-01T00:00:03Z\r\n"
     "anthropic-ratelimit-input-tokens-remaining: 7\r\n",
     NULL},
    {"quota, OpenAI's form", "openai-responses",
     "{\"reply\":\"message\",\"quota_headers\":{\"project_tokens\":"
     "{\"remaining\":0,\"reset_s\":361.5}}}",
     "x-ratelimit-remaining-project-tokens: 0\r\n"
     "x-ratelimit-reset-project-tokens: 6m1.5s\r\n",
     NULL},
    {"quota instead of the error's own", "openai",
     "{\"fault\":\"rate_limit\",\"quota_headers\":{\"requests\":"
     "{\"remaining\":33}}}",
     "x-ratelimit-remaining-requests: 33\r\n",
     "x-ratelimit-remaining-requests: 0"},
    {"remaining", "openai",
     "{\"fault\":\"rate_limit\",\"until_s\":4,\"retry_after\":"
     "\"{{remaining}}\",\"headers\":[[\"x-d\",\"{{duration:remaining}}\"]]}",
     "retry-after: 4\r\nx-d: 4s\r\n", NULL},
    {"old dates", "openai",
     "{\"fault\":\"rate_limit\",\"headers\":[[\"x-a\",\"{{rfc850:+61}}\"],"
     "[\"x-b\",\"{{asctime:+61}}\"]]}",
     "x-a: Monday, 01-Dec-25 00:01:01 GMT\r\nx-b: Mon Dec  1 00:01:01 "
     "2025\r\n",
     NULL},
    {"local", "anthropic",
     "{\"fault\":\"usage_limit\",\"headers\":[[\"x-l\","
     "\"{{local:+7200 UTC '%-I%P (%Z)'}}\"]]}",
     "x-l: 2am (UTC)\r\n", NULL}};

static void a_head_holds_what_is_written(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(heads); i++) {
    struct buf got;
    call_whole(heads[i].provider, heads[i].step, false, &got);
    if (!strstr(buf_str(&got), heads[i].holds) ||
        (heads[i].lacks && strstr(buf_str(&got), heads[i].lacks)))
      fail_msg("%s: %s", heads[i].id, buf_str(&got));
    buf_release(&got);
  }
}

static void a_very_long_header_arrives_whole(void **state)
{
  struct buf got;
  (void)state;
  call_whole("openai",
             "{\"reply\":\"message\",\"headers\":[[\"x\",\"{{pad:200000}}\"]]}",
             false, &got);
  const char *at = strstr(buf_str(&got), "\r\nx: xxx");
  assert_non_null(at);
  assert_int_equal(strspn(at + 5, "x"), 200000);
  buf_release(&got);
}

static void raw_bytes_go_out_as_they_stand(void **state)
{
  static const struct {
    const char *step, *want;
    size_t n;
    int status;
  } rows[] = {
      {"{\"fault\":\"raw\",\"bytes\":\"HTTP/1.1 429 X\\nretry-after 3\\n\\n\"}",
       "HTTP/1.1 429 X\nretry-after 3\n\n", 30, 429},
      {"{\"fault\":\"raw\",\"bytes\":\"{{hex:00ff80}}{{pad:2}}\"}",
       "\0\xff\x80xx", 5, 0},
      {"{\"fault\":\"raw\",\"bytes_base64\":\"SFRUUC8=\"}", "HTTP/", 5, 0},
      {"{\"fault\":\"raw\",\"bytes\":\"\"}", "", 0, 0}};
  (void)state;
  for (const char *const *p = wire_providers; *p; p++)
    for (size_t i = 0; i < COUNT(rows); i++) {
      struct wire_call c;
      call_open(&c, *p, rows[i].step, true, "");
      call_send_pieces(&c, (unsigned)i + 7);
      assert_int_equal(call_collect(&c), WIRE_FIN);
      assert_int_equal(c.got.n, rows[i].n);
      if (c.got.n)
        assert_memory_equal(c.got.p, rows[i].want, rows[i].n);
      wire_stop(&c.w);
      const struct attempt *a = journal_get(c.w.journal, 0);
      assert_int_equal(a->status, rows[i].status);
      assert_true(a->delivered);
      assert_false(a->complete);
      call_close(&c);
    }
}

static void a_file_beside_the_scenario_is_sent(void **state)
{
  struct diag d = {0};
  struct scenario s;
  (void)state;
  char *folder = file_temp_folder("wire", &d);
  char *path = mem_format("%s/s.json", folder);
  char *data = mem_format("%s/answer.bin", folder);
  assert_int_equal(file_write(data, (struct bytes){"a\0b", 3}, &d), 0);
  assert_int_equal(
      file_write(path,
                 BYTES("{\"name\":\"n\",\"why\":\"w\",\"steps\":[{\"fault\":"
                       "\"raw\",\"file\":\"answer.bin\"}]}"),
                 &d),
      0);
  assert_int_equal(scenario_load(&s, path, &d), 0);
  assert_int_equal(s.steps[0].file.n, 3);
  scenario_release(&s);
  assert_int_equal(
      file_write(path,
                 BYTES("{\"name\":\"n\",\"why\":\"w\",\"steps\":[{\"fault\":"
                       "\"raw\",\"file\":\"answr.bin\"}]}"),
                 &d),
      0);
  assert_int_equal(scenario_load(&s, path, &d), -1);
  assert_string_equal(d.path, "$.steps[0].file");
  file_remove_tree(folder);
  free(data);
  free(path);
  free(folder);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_head_holds_what_is_written),
      cmocka_unit_test(a_very_long_header_arrives_whole),
      cmocka_unit_test(raw_bytes_go_out_as_they_stand),
      cmocka_unit_test(a_file_beside_the_scenario_is_sent)};
  return cmocka_run_group_tests_name("wire_head", tests, NULL, NULL);
}
