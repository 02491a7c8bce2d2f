/*
 * What clients ask besides generation calls, on a real socket, and steps
 * that harm it.
 */
#include "tests/unit/unit.h"

#include "tests/wire/asker.h"

#include "base/param.h"
#include "mockserver/base64.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

static void models_have_the_form_of_who_asks(void **state)
{
  struct asker a;
  (void)state;
  open_asker(&a, PLAIN_SCENARIO);
  assert_int_equal(ask(&a, "GET /v1/models", OPENAI, ""), 200);
  assert_string_equal(word(&a, "object"), "list");
  assert_int_equal(ask(&a, "GET /run/v1/models", ANTHROPIC, ""), 200);
  assert_string_equal(word(&a, "first_id"), "claude-x");
  assert_int_equal(ask(&a, "GET /v1/models/abc", OPENAI, ""), 200);
  assert_string_equal(word(&a, "id"), "abc");
  assert_string_equal(word(&a, "object"), "model");
  assert_int_equal(ask(&a, "GET /v1/models/abc", ANTHROPIC, ""), 200);
  assert_string_equal(word(&a, "type"), "model");
  assert_int_equal(ask(&a, "GET /v1beta/models/abc?key=k", "", ""), 200);
  assert_string_equal(word(&a, "name"), "models/abc");
  assert_int_equal(ask(&a, "HEAD /", "", ""), 200);
  close_asker(&a);
}

static void tokens_are_those_of_the_header_or_the_estimate(void **state)
{
  struct asker a;
  (void)state;
  open_asker(&a, PLAIN_SCENARIO);
  assert_int_equal(ask(&a, "POST /v1/messages/count_tokens", ANTHROPIC,
                       "{\"a\":\"0123456789012\"}"),
                   200);
  must_say(&a, "{\"input_tokens\":6}");
  assert_int_equal(ask(&a, "POST /v1/messages/count_tokens",
                       "x-faultwire-tokens: input=4711\r\n", "{}"),
                   200);
  must_say(&a, "{\"input_tokens\":4711}");
  assert_int_equal(ask(&a, "POST /v1/models/g:countTokens", "", "{}"), 200);
  must_say(&a, "\"totalTokens\": 1\n");
  close_asker(&a);
}

static double length_of(const cJSON *vector)
{
  double sum = 0;
  const cJSON *n;
  cJSON_ArrayForEach(n, vector)
  {
    sum += n->valuedouble * n->valuedouble;
  }
  return sqrt(sum);
}

static const cJSON *vector(const struct asker *a, int i)
{
  return param_node(cJSON_GetArrayItem(param_node(a->doc.root, "data"), i),
                    "embedding");
}

static void the_same_text_has_the_same_vector(void **state)
{
  struct asker a;
  struct buf raw;
  float first;
  (void)state;
  open_asker(&a, PLAIN_SCENARIO);
  assert_int_equal(ask(&a, "POST /v1/embeddings", OPENAI,
                       "{\"input\":[\"x\",\"y\",\"x\"],\"model\":\"e\","
                       "\"dimensions\":8}"),
                   200);
  assert_int_equal(cJSON_GetArraySize(vector(&a, 0)), 8);
  assert_true(fabs(length_of(vector(&a, 0)) - 1) < 1e-6);
  assert_true(cJSON_Compare(vector(&a, 0), vector(&a, 2), true));
  assert_false(cJSON_Compare(vector(&a, 0), vector(&a, 1), true));
  double number = vector(&a, 0)->child->valuedouble;
  assert_int_equal(ask(&a, "POST /v1/embeddings", OPENAI,
                       "{\"input\":\"x\",\"encoding_format\":\"base64\","
                       "\"dimensions\":8}"),
                   200);
  buf_init(&raw, 64);
  assert_true(base64_decode(bytes_of(vector(&a, 0)->valuestring), &raw));
  assert_int_equal(raw.n, 32);
  memcpy(&first, raw.p, sizeof first);
  assert_true(fabs((double)first - number) < 1e-6);
  buf_release(&raw);
  assert_int_equal(ask(&a, "POST /v1/embeddings", OPENAI, "{}"), 400);
  assert_int_equal(ask(&a, "POST /v1beta/models/e:batchEmbedContents", "",
                       "{\"requests\":[{\"content\":{},"
                       "\"outputDimensionality\":3},{}]}"),
                   200);
  const cJSON *list = param_node(a.doc.root, "embeddings");
  assert_int_equal(cJSON_GetArraySize(list), 2);
  assert_int_equal(
      cJSON_GetArraySize(param_node(cJSON_GetArrayItem(list, 0), "values")), 3);
  close_asker(&a);
}

static void probes_of_agents_are_answered(void **state)
{
  static const char *const lines[] = {"GET /api/hello",
                                      "POST /api/event_logging/batch",
                                      "GET /run/api/claude_cli/bootstrap",
                                      "GET /api/oauth/usage",
                                      "POST /v1/oauth/token",
                                      "GET /api/codex/usage"};
  struct asker a;
  (void)state;
  open_asker(&a, PLAIN_SCENARIO);
  for (size_t i = 0; i < COUNT(lines); i++) {
    assert_int_equal(ask(&a, lines[i], "", "{}"), 200);
    assert_non_null(a.doc.root);
  }
  wire_stop(&a.w);
  for (size_t i = 0; i < journal_count(a.w.journal); i++)
    assert_int_equal(journal_get(a.w.journal, i)->cls, ATTEMPT_SIDE);
  close_asker(&a);
}

static void a_step_for_an_endpoint_takes_it_and_nothing_else(void **state)
{
  struct asker a;
  (void)state;
  open_asker(&a, "{\"name\":\"n\",\"why\":\"w\",\"provider\":\"anthropic\","
                 "\"after_script\":\"reply\",\"steps\":["
                 "{\"fault\":\"rate_limit\",\"retry_after\":\"7\","
                 "\"match\":{\"endpoint\":\"batches.*\"},\"times\":2},"
                 "{\"fault\":\"stream_cut\","
                 "\"match\":{\"endpoint\":\"count_tokens\"}},"
                 "{\"fault\":\"stall\",\"where\":\"after_headers\","
                 "\"for_s\":2,\"match\":{\"endpoint\":\"models.list\"}},"
                 "{\"fault\":\"overloaded\"}]}");
  assert_int_equal(ask(&a, "POST /v1/messages/count_tokens", "", "{}"), 200);
  must_say(&a, "{\"input_tokens\":1}");
  assert_int_equal(ask(&a, "POST /v1/messages/batches", "", "{}"), 429);
  must_say(&a, "\r\nretry-after: 7\r\n");
  must_say(&a, "\r\nx-faultwire: rate_limit; step=0\r\n");
  assert_int_equal(ask(&a, "GET /v1/messages/batches", "", ""), 429);
  /* the refused one has left nothing behind */
  assert_int_equal(ask(&a, "GET /v1/messages/batches", "", ""), 200);
  must_say(&a, "{\"data\":[],");
  int fd = wire_connect(&a.w);
  wire_send(fd, "GET /v1/models HTTP/1.1\r\nHost: x\r\n" ANTHROPIC "\r\n");
  wire_sync(&a.w);
  buf_reset(&a.got);
  wire_take(fd, &a.got);
  assert_int_equal(body_of(&a).n, 0);
  wire_advance(&a.w, 2000);
  wire_take(fd, &a.got);
  must_say(&a, "\"first_id\":\"claude-x\"");
  close(fd);
  assert_int_equal(ask(&a, "POST /v1/messages", "", "{}"), 529);
  wire_stop(&a.w);
  const struct attempt *t = journal_get(a.w.journal, 0);
  assert_int_equal(t->cls, ATTEMPT_CALL);
  assert_string_equal(t->rule, "non_stream");
  t = journal_get(a.w.journal, 1);
  assert_true(t->cls == ATTEMPT_CALL && t->delivered && t->step == 0);
  close_asker(&a);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(models_have_the_form_of_who_asks),
      cmocka_unit_test(tokens_are_those_of_the_header_or_the_estimate),
      cmocka_unit_test(the_same_text_has_the_same_vector),
      cmocka_unit_test(probes_of_agents_are_answered),
      cmocka_unit_test(a_step_for_an_endpoint_takes_it_and_nothing_else)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
