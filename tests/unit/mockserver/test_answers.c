#include "tests/unit/unit.h"

#include "tests/contract/answer.h"

#include "mockserver/provider/provider.h"

#include <string.h>

static void ask(struct bench *b, const char *provider, const char *step,
                struct answer *ret)
{
  char *text = mem_format("{\"name\":\"n\",\"why\":\"w\",\"provider\":\"%s\","
                          "\"steps\":[%s]}",
                          provider, step);
  bench_open(b, text);
  bench_call(b, provider, "", false, ret);
  free(text);
}

static void ids_depend_on_the_seed_alone(void **state)
{
  struct bench b;
  struct answer first, again, second;
  (void)state;
  bench_open(&b, NULL);
  bench_call(&b, "openai", "", false, &first);
  bench_call(&b, "openai", "", false, &second);
  bench_close(&b);
  bench_open(&b, NULL);
  bench_call(&b, "openai", "", false, &again);
  bench_close(&b);
  assert_true(bytes_equal(buf_bytes(&first.wire), buf_bytes(&again.wire)));
  assert_false(bytes_equal(buf_bytes(&first.wire), buf_bytes(&second.wire)));
  answer_release(&first);
  answer_release(&again);
  answer_release(&second);
}

static void repeated_answers_differ_in_id_and_time_alone(void **state)
{
  struct bench b;
  struct answer first, second, later;
  struct buf one, two;
  (void)state;
  bench_open(&b, "{\"name\":\"n\",\"why\":\"w\",\"steps\":[{\"fault\":"
                 "\"rate_limit\",\"times\":\"always\",\"retry_after\":"
                 "\"{{http_date:+3}}\"}]}");
  bench_call(&b, "anthropic", "", false, &first);
  bench_call(&b, "anthropic", "", false, &second);
  clock_fake_advance(&b.clock, NS_PER_S);
  bench_call(&b, "anthropic", "", false, &later);
  assert_false(bytes_equal(buf_bytes(&first.wire), buf_bytes(&second.wire)));
  answer_normalise(buf_bytes(&first.wire), &one);
  answer_normalise(buf_bytes(&second.wire), &two);
  assert_string_equal(buf_str(&one), buf_str(&two));
  assert_string_equal(buf_str(&first.trace), buf_str(&second.trace));
  assert_string_equal(second.attempt.what, "429 rate_limit_error");
  assert_string_equal(second.attempt.retry_after,
                      "Mon, 01 Dec 2025 00:00:03 GMT");
  assert_true(second.attempt.has_retry_after);
  assert_non_null(strstr(buf_str(&later.wire), "date: Mon, 01 Dec 2025 "
                                               "00:00:01 GMT\r\n"));
  assert_string_equal(later.attempt.retry_after,
                      "Mon, 01 Dec 2025 00:00:04 GMT");
  bench_close(&b);
  buf_release(&one);
  buf_release(&two);
  answer_release(&first);
  answer_release(&second);
  answer_release(&later);
}

static void another_model_or_provider_gets_its_own_answer(void **state)
{
  struct bench b;
  struct answer a;
  (void)state;
  bench_open(&b, "{\"name\":\"n\",\"why\":\"w\",\"steps\":[{\"fault\":"
                 "\"rate_limit\",\"times\":\"always\"}]}");
  bench_ask(&b, "POST", "/v1/messages", "", "{\"model\":\"m1\"}", &a);
  answer_release(&a);
  bench_ask(&b, "POST", "/v1/messages", "", "{\"model\":\"m2\"}", &a);
  assert_non_null(strstr(buf_str(&a.wire), "model: m2"));
  answer_release(&a);
  bench_call(&b, "gemini", "", false, &a);
  assert_non_null(strstr(buf_str(&a.wire), "RESOURCE_EXHAUSTED"));
  answer_release(&a);
  bench_close(&b);
}

static void milliseconds_are_never_kept(void **state)
{
  struct bench b;
  struct answer a;
  (void)state;
  bench_open(&b, "{\"name\":\"n\",\"why\":\"w\",\"steps\":[{\"fault\":"
                 "\"rate_limit\",\"times\":\"always\",\"retry_after\":"
                 "\"{{epoch_ms}}\"}]}");
  bench_call(&b, "openai", "", false, &a);
  answer_release(&a);
  clock_fake_advance(&b.clock, NS_PER_MS);
  bench_call(&b, "openai", "", false, &a);
  assert_string_equal(a.attempt.retry_after, "1764547200001");
  answer_release(&a);
  bench_close(&b);
}

static void http_1_0_and_close_get_no_chunks_and_a_fin(void **state)
{
  struct bench b;
  struct answer a;
  (void)state;
  bench_open(&b, NULL);
  bench_ask(&b, "POST", "/v1/messages", "Connection: close\n",
            "{\"stream\":true}", &a);
  assert_non_null(strstr(buf_str(&a.wire), "\r\nconnection: close\r\n"));
  assert_non_null(strstr(buf_str(&a.trace), "complete fin"));
  answer_release(&a);
  bench_close(&b);
}

static void gemini_without_sse_streams_one_array(void **state)
{
  struct bench b;
  struct answer a;
  struct buf body;
  (void)state;
  bench_open(&b, NULL);
  bench_ask(&b, "POST", "/v1beta/models/g:streamGenerateContent", "", "{}", &a);
  answer_unchunk(&a, &body);
  cJSON *array = cJSON_ParseWithLength(body.p, body.n);
  assert_true(cJSON_IsArray(array));
  assert_int_equal(cJSON_GetArraySize(array), 3);
  assert_non_null(strstr(body.p, "},\r\n{"));
  assert_string_equal(body.p + body.n - 4, "}\r\n]");
  cJSON_Delete(array);
  buf_release(&body);
  answer_release(&a);
  bench_close(&b);
}

static void chat_tells_usage_only_when_asked(void **state)
{
  struct bench b;
  struct answer a;
  (void)state;
  bench_open(&b, NULL);
  bench_ask(&b, "POST", "/v1/chat/completions", "",
            "{\"stream\":true,\"stream_options\":{\"include_usage\":true}}",
            &a);
  assert_non_null(strstr(buf_str(&a.wire),
                         "\"choices\":[],\"usage\":{\"prompt_tokens\":14,"
                         "\"completion_tokens\":3,\"total_tokens\":17}"));
  answer_release(&a);
  bench_call(&b, "openai", "", true, &a);
  assert_null(strstr(buf_str(&a.wire), "usage"));
  answer_release(&a);
  bench_close(&b);
}

static void every_json_answer_is_json(void **state)
{
  (void)state;
  for (const struct provider *const *p = providers; *p; p++)
    for (const struct provider_error *e = (*p)->errors; e->name; e++) {
      struct bench b;
      struct answer a;
      char step[128];
      snprintf(step, sizeof step, "{\"fault\":\"status\",\"error\":\"%s\"}",
               e->name);
      ask(&b, (*p)->name, step, &a);
      struct bytes body = answer_body(&a);
      cJSON *json = cJSON_ParseWithLength(body.p, body.n);
      if (!json)
        fail_msg("%s %s: %.*s", (*p)->name, e->name, (int)body.n, body.p);
      cJSON_Delete(json);
      answer_release(&a);
      bench_close(&b);
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ids_depend_on_the_seed_alone),
      cmocka_unit_test(repeated_answers_differ_in_id_and_time_alone),
      cmocka_unit_test(another_model_or_provider_gets_its_own_answer),
      cmocka_unit_test(milliseconds_are_never_kept),
      cmocka_unit_test(http_1_0_and_close_get_no_chunks_and_a_fin),
      cmocka_unit_test(gemini_without_sse_streams_one_array),
      cmocka_unit_test(chat_tells_usage_only_when_asked),
      cmocka_unit_test(every_json_answer_is_json)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
