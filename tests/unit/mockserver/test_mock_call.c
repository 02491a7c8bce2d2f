#include "tests/unit/unit.h"

#include "mockserver/call.h"

#include <string.h>

static void read_call(const char *method, const char *target,
                      const struct header *h, size_t n, const char *body,
                      struct call *ret)
{
  struct request r = {.method = bytes_of(method),
                      .target = bytes_of(target),
                      .version = BYTES("HTTP/1.1"),
                      .headers = h,
                      .nheaders = n,
                      .body = bytes_of(body)};
  call_read(ret, &r);
}

static const struct {
  const char *id, *method, *target, *body;
  const char *provider; /* NULL: not known */
  enum endpoint endpoint;
  const char *lane, *model;
  bool stream;
} paths[] = {
    {"anthropic", "POST", "/v1/messages?beta=true",
     "{\"model\":\"claude-x\",\"stream\":true}", "anthropic", ENDPOINT_GENERATE,
     "", "claude-x", true},
    {"no v1 (vercel)", "POST", "/messages", "{\"model\":\"m\"}", "anthropic",
     ENDPOINT_GENERATE, "", "m", false},
    {"lane by path", "POST", "/run-1/v1/messages", "{\"stream\": true }",
     "anthropic", ENDPOINT_GENERATE, "run-1", "", true},
    {"lane without v1", "POST", "/a/messages", "{}", "anthropic",
     ENDPOINT_GENERATE, "a", "", false},
    {"two segments", "POST", "/a/b/v1/messages", "{}", "anthropic",
     ENDPOINT_GENERATE, "a/b", "", false},
    {"lane by key in the query", "POST",
     "/v1beta/models/g:generateContent?key=a-lane-q&alt=json", "{}", "gemini",
     ENDPOINT_GENERATE, "q", "g", false},
    {"count", "POST", "/v1/messages/count_tokens", "{}", "anthropic",
     ENDPOINT_COUNT, "", "", false},
    {"chat", "POST", "/v1/chat/completions", "{\"stream\":false}", "openai",
     ENDPOINT_GENERATE, "", "", false},
    {"chat, lane", "POST", "/L/v1/chat/completions", "{}", "openai",
     ENDPOINT_GENERATE, "L", "", false},
    {"responses", "POST", "/v1/responses", "{\"stream\":true}",
     "openai-responses", ENDPOINT_GENERATE, "", "", true},
    {"gemini v1beta", "POST", "/v1beta/models/gemini-x:generateContent", "{}",
     "gemini", ENDPOINT_GENERATE, "", "gemini-x", false},
    {"gemini v1 stream", "POST",
     "/v1/models/gemini-x:streamGenerateContent?alt=sse", "{}", "gemini",
     ENDPOINT_GENERATE, "", "gemini-x", true},
    {"gemini lane", "POST", "/r/v1beta/models/g:countTokens", "{}", "gemini",
     ENDPOINT_COUNT, "r", "g", false},
    {"gemini no model", "POST", "/v1beta/models/:generateContent", "{}",
     "gemini", ENDPOINT_UNKNOWN, "", "", false},
    {"models", "GET", "/v1/models", "", "openai", ENDPOINT_MODELS, "", "",
     false},
    {"models by POST", "POST", "/v1/models", "", "openai", ENDPOINT_UNKNOWN, "",
     "", false},
    {"GET of a call", "GET", "/v1/messages", "", "anthropic", ENDPOINT_UNKNOWN,
     "", "", false},
    {"HEAD", "HEAD", "/", "", NULL, ENDPOINT_HEAD, "", "", false},
    {"OPTIONS", "OPTIONS", "/v1/messages", "", "anthropic", ENDPOINT_OPTIONS,
     "", "", false},
    {"unknown", "POST", "/v2/nothing", "{}", NULL, ENDPOINT_UNKNOWN, "", "",
     false},
    {"admin", "GET", "/__admin/health", "", NULL, ENDPOINT_ADMIN, "", "",
     false},
    {"longer name is no end", "POST", "/v1/messagesx", "{}", NULL,
     ENDPOINT_UNKNOWN, "", "", false},
    {"model in a nested object", "POST", "/v1/messages",
     "{\"metadata\":{\"model\":\"no\",\"stream\":true},\"model\":\"yes\"}",
     "anthropic", ENDPOINT_GENERATE, "", "yes", false},
    {"model as text of a message", "POST", "/v1/messages",
     "{\"system\":\"say \\\"model\\\":\\\"no\\\"\",\"model\":\"yes\"}",
     "anthropic", ENDPOINT_GENERATE, "", "yes", false},
    {"cut body", "POST", "/v1/messages", "{\"model\":\"cla", "anthropic",
     ENDPOINT_GENERATE, "", "", false},
    {"body that ends in a backslash", "POST", "/v1/messages",
     "{\"model\":\"cla\\", "anthropic", ENDPOINT_GENERATE, "", "", false},
    {"no JSON", "POST", "/v1/messages", "model=x", "anthropic",
     ENDPOINT_GENERATE, "", "", false},
    {"a model that would break JSON", "POST", "/v1/messages",
     "{\"model\":\"a\\\"b\"}", "anthropic", ENDPOINT_GENERATE, "", "a__b",
     false}};

static void paths_say_provider_lane_and_endpoint(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(paths); i++) {
    struct call c;
    read_call(paths[i].method, paths[i].target, NULL, 0, paths[i].body, &c);
    const char *provider = c.provider ? c.provider->name : "";
    const char *want = paths[i].provider ? paths[i].provider : "";
    bool gone = paths[i].endpoint == ENDPOINT_UNKNOWN && !c.provider;
    if ((!gone && strcmp(provider, want) != 0) ||
        c.endpoint != paths[i].endpoint || strcmp(c.lane, paths[i].lane) != 0 ||
        strcmp(c.model, paths[i].model) != 0 || c.stream != paths[i].stream)
      fail_msg("%s: provider '%s' endpoint %d lane '%s' model '%s' stream %d",
               paths[i].id, provider, (int)c.endpoint, c.lane, c.model,
               c.stream);
  }
}

#define H(name, value)                                                         \
  {                                                                            \
    {name, sizeof name - 1},                                                   \
    {                                                                          \
      value, sizeof value - 1                                                  \
    }                                                                          \
  }

static void lane_comes_from_path_then_header_then_key(void **state)
{
  static const struct header key[] = {H("X-Api-Key", "sk-x-lane-k")};
  static const struct header bearer[] = {
      H("Authorization", "Bearer sk-x-lane-b")};
  static const struct header both[] = {H("x-api-key", "sk-x-lane-k"),
                                       H("X-Faultwire-Lane", "h")};
  struct call c;
  (void)state;
  read_call("POST", "/v1/messages", key, 1, "{}", &c);
  assert_string_equal(c.lane, "k");
  read_call("POST", "/v1/messages", bearer, 1, "{}", &c);
  assert_string_equal(c.lane, "b");
  read_call("POST", "/v1/messages", both, 2, "{}", &c);
  assert_string_equal(c.lane, "h");
  read_call("POST", "/p/v1/messages", both, 2, "{}", &c);
  assert_string_equal(c.lane, "p");
}

static void retry_header_and_idempotency_key_are_read(void **state)
{
  static const struct header h[] = {H("X-Stainless-Retry-Count", "2"),
                                    H("Idempotency-Key", "abc")};
  static const struct header odd[] = {H("x-stainless-retry-count", "two")};
  struct call c;
  (void)state;
  read_call("POST", "/v1/messages", h, 2, "{}", &c);
  assert_int_equal(c.retry_count, 2);
  assert_string_equal(c.idempotency_key, "abc");
  read_call("POST", "/v1/messages", odd, 1, "{}", &c);
  assert_int_equal(c.retry_count, -1);
  read_call("POST", "/v1/messages", NULL, 0, "{}", &c);
  assert_int_equal(c.retry_count, -1);
  assert_string_equal(c.idempotency_key, "");
}

static void websocket_upgrade_is_no_call(void **state)
{
  static const struct header h[] = {H("Connection", "Upgrade"),
                                    H("Upgrade", "websocket")};
  struct call c;
  (void)state;
  read_call("GET", "/v1/responses", h, 2, "", &c);
  assert_int_equal(c.endpoint, ENDPOINT_UPGRADE);
  assert_string_equal(c.provider->name, "openai-responses");
}

static void model_list_takes_the_form_of_the_client(void **state)
{
  static const struct header a[] = {H("anthropic-version", "2023-06-01")};
  static const struct header g[] = {H("x-goog-api-key", "k")};
  struct call c;
  (void)state;
  read_call("GET", "/v1/models", a, 1, "", &c);
  assert_string_equal(c.provider->name, "anthropic");
  read_call("GET", "/v1/models", g, 1, "", &c);
  assert_string_equal(c.provider->name, "gemini");
}

static void usage_chunk_and_array_form_are_asked_for(void **state)
{
  struct call c;
  (void)state;
  read_call("POST", "/v1/chat/completions", NULL, 0,
            "{\"stream\":true,\"stream_options\":{\"include_usage\":true}}",
            &c);
  assert_true(c.with_usage);
  read_call("POST", "/v1beta/models/g:streamGenerateContent", NULL, 0, "{}",
            &c);
  assert_true(c.stream);
  assert_true(c.as_array);
}

static void a_lane_too_long_is_cut_not_spilled(void **state)
{
  char target[400];
  struct call c;
  (void)state;
  memset(target, 'l', sizeof target);
  target[0] = '/';
  memcpy(target + 300, "/v1/messages", 13);
  read_call("POST", target, NULL, 0, "{}", &c);
  assert_int_equal(strlen(c.lane), sizeof c.lane - 1);
}

static void scan_reads_the_top_level_only(void **state)
{
  struct bytes v;
  (void)state;
  assert_true(
      call_scan(BYTES(" { \"a\" : [1,{\"b\":2}] , \"b\" : 3 }"), "b", &v));
  assert_true(bytes_equal(v, BYTES("3")));
  assert_false(call_scan(BYTES("[1]"), "b", &v));
  assert_false(call_scan((struct bytes){NULL, 0}, "b", &v));
  assert_false(call_scan(BYTES("{\"a\":{\"b\":1"), "b", &v));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(paths_say_provider_lane_and_endpoint),
      cmocka_unit_test(lane_comes_from_path_then_header_then_key),
      cmocka_unit_test(retry_header_and_idempotency_key_are_read),
      cmocka_unit_test(websocket_upgrade_is_no_call),
      cmocka_unit_test(model_list_takes_the_form_of_the_client),
      cmocka_unit_test(usage_chunk_and_array_form_are_asked_for),
      cmocka_unit_test(a_lane_too_long_is_cut_not_spilled),
      cmocka_unit_test(scan_reads_the_top_level_only)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
