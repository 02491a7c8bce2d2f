/* What tests of other mock servers ask of the admin: bad input is a 400 that
 * says what is known, and each failure is met once. */
#include "tests/unit/unit.h"

#include "base/json.h"
#include "mockserver/endpoint.h"
#include "tests/contract/answer.h"

#include <string.h>

#define PLAIN                                                                  \
  "{\"name\":\"n\",\"why\":\"w\",\"steps\":[],\"after_script\":\"reply\"}"

static void ask(struct bench *b, const char *method, const char *target,
                const char *body, int status, const char *part)
{
  struct answer a;
  char line[32];
  bench_ask(b, method, target, "", body, &a);
  snprintf(line, sizeof line, "HTTP/1.1 %d ", status);
  if (!bytes_starts(buf_bytes(&a.wire), bytes_of(line)) ||
      !strstr(buf_str(&a.wire), part))
    fail_msg("%s %s %s: '%s' wanted: %s", method, target, body, part,
             buf_str(&a.wire));
  assert_true(a.unlogged);
  answer_release(&a);
}

static void bad_errors_are_told_and_not_queued(void **state)
{
  static const struct {
    const char *id, *body, *part;
  } rows[] = {{"no JSON", "status=429", "not JSON"},
              {"nothing", "", "error"},
              {"no object", "[]", "must be an object"},
              {"near word", "{\"statu\":429}", "did you mean 'status'?"},
              {"near word inside", "{\"body\":{\"mesage\":\"x\"}}",
               "did you mean 'message'?"},
              {"too small", "{\"status\":199}", "must be within 200..599"},
              {"too large", "{\"status\":600}", "must be within 200..599"},
              {"a fraction", "{\"status\":499.5}", "whole number"},
              {"a word", "{\"status\":\"429\"}", "whole number"},
              {"a list", "{\"body\":[]}", "must be an object"},
              {"a number for a text", "{\"body\":{\"type\":1}}",
               "\"path\":\"$.body.type\""}};
  struct bench b;
  (void)state;
  bench_open_with(&b, PLAIN, false, true);
  for (size_t i = 0; i < COUNT(rows); i++) {
    ask(&b, "POST", "/__aimock/error", rows[i].body, 400, rows[i].part);
    struct answer a;
    bench_call(&b, "openai", "", false, &a);
    assert_string_equal(a.attempt.what, "200 message");
    answer_release(&a);
  }
  bench_close(&b);
}

static void a_queued_error_meets_one_call_in_its_providers_form(void **state)
{
  static const struct {
    const char *id, *provider, *body, *part;
  } rows[] = {
      {"aimock's own example", "openai",
       "{\"status\":429,\"body\":{\"message\":\"rate limited\","
       "\"type\":\"rate_limit_error\"}}",
       "\"message\":\"rate limited\",\"type\":\"rate_limit_error\""},
      {"a code", "openai",
       "{\"status\":400,\"body\":{\"code\":\"bad_thing\",\"param\":null}}",
       "\"code\":\"bad_thing\""},
      {"for Anthropic", "anthropic",
       "{\"status\":529,\"body\":{\"message\":\"Overloaded\","
       "\"type\":\"overloaded_error\"}}",
       "{\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\","
       "\"message\":\"Overloaded\"}"},
      {"for Gemini", "gemini",
       "{\"status\":503,\"body\":{\"message\":\"gone\"}}", "\"code\": 503"},
      {"the provider's own", "anthropic", "{\"status\":429}",
       "rate_limit_error"},
      {"nothing said", "anthropic", "{}", "HTTP/1.1 500 "},
      {"null is absent", "openai", "{\"status\":null,\"body\":null}",
       "HTTP/1.1 500 "},
      {"no error of the provider's", "gemini", "{\"status\":418}",
       "\"code\": 418"},
      {"a success", "openai", "{\"status\":200}", "HTTP/1.1 200 "},
      {"braces and quotes", "openai",
       "{\"body\":{\"message\":\"a {{epoch}} \\\"b\\\" {\\n\"}}",
       "\"message\":\"a {{epoch}} \\\"b\\\" {\\n\""}};
  struct bench b;
  (void)state;
  bench_open_with(&b, PLAIN, false, true);
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct answer a;
    ask(&b, "POST", "/__aimock/error", rows[i].body, 200, "{\"queued\":true}");
    bench_call(&b, rows[i].provider, "", false, &a);
    if (!strstr(buf_str(&a.wire), rows[i].part) ||
        !strstr(buf_str(&a.wire), "x-faultwire: status; queued\r\n") ||
        !strstr(buf_str(&a.trace), "fault") ||
        strcmp(a.attempt.rule, "queued") != 0 || !a.attempt.injected)
      fail_msg("%s: '%s' wanted: %s", rows[i].id, rows[i].part,
               buf_str(&a.wire));
    answer_release(&a);
    bench_call(&b, rows[i].provider, "", false, &a);
    assert_string_equal(a.attempt.what, "200 message");
    answer_release(&a);
  }
  bench_close(&b);
}

static void errors_come_in_their_order_and_a_reset_forgets_them(void **state)
{
  static const int statuses[] = {429, 503};
  struct bench b;
  struct answer a;
  (void)state;
  bench_open_with(&b, PLAIN, false, true);
  for (int i = 0; i < 4; i++)
    ask(&b, "POST", "/__aimock/error",
        i % 2 ? "{\"status\":503}" : "{\"status\":429}", 200, "queued");
  bench_ask(&b, "GET", "/v1/models", "", "", &a); /* no call of a model */
  assert_string_equal(a.attempt.rule, "side");
  answer_release(&a);
  for (int i = 0; i < 2; i++) {
    bench_call(&b, "anthropic", "", false, &a);
    assert_int_equal(a.attempt.status, statuses[i]);
    answer_release(&a);
  }
  ask(&b, "POST", "/__aimock/reset", "", 200, "{\"reset\":true}");
  bench_call(&b, "anthropic", "", false, &a);
  assert_int_equal(a.attempt.status, 200);
  answer_release(&a);
  bench_close(&b);
}

static void bad_retry_tests_are_told(void **state)
{
  static const struct {
    const char *id, *body, *part;
  } rows[] = {
      {"no instructions", "{}", "instructions is not defined"},
      {"none of them", "{\"instructions\":{}}", "is not defined"},
      {"near word", "{\"instruction\":{}}", "did you mean 'instructions'?"},
      {"an operation of Cloud Storage",
       "{\"instructions\":{\"storage.buckets.list\":[\"return-503\"]}}",
       "no operation is called 'storage.buckets.list'"},
      {"near operation",
       "{\"instructions\":{\"messages.creat\":[\"return-503\"]}}",
       "did you mean 'messages.create'?"},
      {"near failure",
       "{\"instructions\":{\"generate\":[\"return-broken-strean\"]}}",
       "did you mean 'return-broken-stream'?"},
      {"no failure", "{\"instructions\":{\"generate\":[]}}", "needs 1 to"},
      {"no list", "{\"instructions\":{\"generate\":\"return-503\"}}",
       "must be an array"},
      {"the second is wrong",
       "{\"instructions\":{\"generate\":[\"return-503\",\"return-99\"]}}",
       "$.instructions.generate[1]"},
      {"an upload",
       "{\"instructions\":{\"generate\":[\"return-503-after-256K\"]}}",
       "is about uploads"},
      {"gRPC alone",
       "{\"instructions\":{\"generate\":[\"redirect-send-token-x\"]}}",
       "is about gRPC"},
      {"by gRPC",
       "{\"instructions\":{\"generate\":[\"return-503\"]},"
       "\"transport\":\"GRPC\"}",
       "must be \\\"HTTP\\\""},
      {"no JSON", "x", "not JSON"}};
  struct bench b;
  (void)state;
  bench_open_with(&b, PLAIN, false, true);
  for (size_t i = 0; i < COUNT(rows); i++)
    ask(&b, "POST", "/retry_test", rows[i].body, 400, rows[i].part);
  ask(&b, "GET", "/retry_tests", "", 200, "{\"retry_test\":[]}");
  ask(&b, "GET", "/retry_test/1d05", "", 404, "1d05 does not exist");
  ask(&b, "DELETE", "/retry_test/1d05", "", 404, "1d05 does not exist");
  ask(&b, "PUT", "/retry_test/1d05", "", 405, "takes GET or DELETE");
  bench_close(&b);
}

/* The id of the test that was made; the caller frees. */
static char *make_test(struct bench *b, const char *instructions)
{
  struct answer a;
  struct json_doc doc;
  struct diag diag = {0};
  char *body =
      mem_format("{\"instructions\":%s,\"transport\":\"HTTP\"}", instructions);
  bench_ask(b, "POST", "/retry_test", "", body, &a);
  assert_int_equal(json_parse(&doc, "test", answer_body(&a), &diag), 0);
  const cJSON *id = cJSON_GetObjectItem(doc.root, "id");
  assert_true(cJSON_IsString(id) && strlen(id->valuestring) == 32);
  assert_true(cJSON_IsFalse(cJSON_GetObjectItem(doc.root, "completed")));
  char *kept = mem_strdup(id->valuestring);
  json_release(&doc);
  answer_release(&a);
  free(body);
  return kept;
}

/* A call of the test; its trace and what happened must hold `part`. The bench
 * runs no plan, so delivery is told here. */
static void call_of(struct bench *b, const char *id, const char *provider,
                    bool delivered, const char *part)
{
  struct answer a;
  char *headers = mem_format("x-retry-test-id: %s\n", id);
  char *target = call_target(provider, "", false);
  char *body = call_body(provider, false);
  bench_ask(b, "POST", target, headers, body, &a);
  if (!strstr(buf_str(&a.wire), part) && !strstr(buf_str(&a.trace), part))
    fail_msg("'%s' wanted: %s %s", part, buf_str(&a.wire), buf_str(&a.trace));
  a.attempt.delivered = delivered;
  server_ended(b->server, &a.attempt);
  answer_release(&a);
  free(headers);
  free(target);
  free(body);
}

static void a_retry_test_counts_what_went_out(void **state)
{
  struct bench b;
  (void)state;
  bench_open_with(&b, PLAIN, false, true);
  char *id =
      make_test(&b, "{\"messages.create\":[\"return-503\",\"return-reset-"
                    "connection\"],\"generate\":[\"return-429\"]}");
  char *target = mem_format("/retry_test/%s", id);
  ask(&b, "GET", target, "", 200,
      "\"instructions\":{\"messages.create\":[\"return-503\","
      "\"return-reset-connection\"],\"generate\":[\"return-429\"]},"
      "\"completed\":false,\"transport\":\"HTTP\"}");
  call_of(&b, id, "anthropic", true, "x-faultwire: status; retry_test");
  ask(&b, "GET", target, "", 200,
      "{\"messages.create\":[\"return-reset-connection\"],");
  call_of(&b, id, "openai", true, "HTTP/1.1 429 ");
  call_of(&b, id, "openai", false, "HTTP/1.1 200 ");
  ask(&b, "GET", target, "", 200, "\"completed\":false");
  call_of(&b, id, "anthropic", true, "rst");
  ask(&b, "GET", target, "", 200,
      "{\"messages.create\":[],\"generate\":[]},\"completed\":true");
  call_of(&b, id, "anthropic", false, "HTTP/1.1 200 ");
  ask(&b, "DELETE", target, "", 200, "Deleted ");
  call_of(&b, id, "anthropic", false, "does not exist");
  free(target);
  free(id);
  bench_close(&b);
}

static void what_was_taken_and_did_not_go_out_is_no_completion(void **state)
{
  struct bench b;
  (void)state;
  bench_open_with(&b, PLAIN, false, true);
  char *id = make_test(&b, "{\"generate\":[\"stall-for-10s-after-1K\"]}");
  char *target = mem_format("/retry_test/%s", id);
  call_of(&b, id, "gemini", false, "delay:10000");
  ask(&b, "GET", target, "", 200, "\"completed\":false");
  ask(&b, "GET", target, "", 200, "\"undelivered\":1");
  ask(&b, "GET", "/_llmock/verdict", "", 200, "fault_not_consumed");
  free(target);
  free(id);
  bench_close(&b);
}

static void every_failure_of_the_testbench_is_what_it_says(void **state)
{
  static const struct {
    const char *failure, *part;
  } rows[] = {{"return-408", "HTTP/1.1 408 "},
              {"return-504", "HTTP/1.1 504 "},
              {"return-reset-connection", "rst"},
              {"return-broken-stream", "fin"},
              {"return-broken-stream-after-2K", "fin"},
              {"stall-for-1s-after-0K", "delay:1000"},
              {"overloaded", "HTTP/1.1 529 "}, /* and faultwire's own */
              {"hang", "stall"}};
  struct bench b;
  (void)state;
  bench_open_with(&b, PLAIN, false, true);
  for (size_t i = 0; i < COUNT(rows); i++) {
    char *list = mem_format("{\"generate\":[\"%s\"]}", rows[i].failure);
    char *id = make_test(&b, list);
    call_of(&b, id, "anthropic", true, rows[i].part);
    free(list);
    free(id);
  }
  bench_close(&b);
}

static void a_verdict_of_nothing_is_no_pass(void **state)
{
  struct bench b;
  (void)state;
  bench_open_with(&b, PLAIN, false, true);
  ask(&b, "GET", "/_llmock/verdict", "", 200,
      "{\"passed\":false,\"verdict\":\"inconclusive\",\"calls\":0,"
      "\"attempts\":0,\"faults_injected\":0,\"errors\":0,\"warnings\":0,"
      "\"reasons\":[\"no_request: ");
  ask(&b, "GET", "/_llmock/verdict?format=text", "", 200, "INCONCLUSIVE");
  ask(&b, "GET", "/__admin/verdikt", "", 404, "did you mean 'verdict'?");
  bench_close(&b);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bad_errors_are_told_and_not_queued),
      cmocka_unit_test(a_queued_error_meets_one_call_in_its_providers_form),
      cmocka_unit_test(errors_come_in_their_order_and_a_reset_forgets_them),
      cmocka_unit_test(bad_retry_tests_are_told),
      cmocka_unit_test(a_retry_test_counts_what_went_out),
      cmocka_unit_test(what_was_taken_and_did_not_go_out_is_no_completion),
      cmocka_unit_test(every_failure_of_the_testbench_is_what_it_says),
      cmocka_unit_test(a_verdict_of_nothing_is_no_pass)};
  return cmocka_run_group_tests_name("admin_peer", tests, NULL, NULL);
}
