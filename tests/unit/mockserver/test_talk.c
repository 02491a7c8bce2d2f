#include "tests/unit/unit.h"

#include "tests/contract/answer.h"

#include "mockserver/provider/provider.h"

#include <string.h>

struct row {
  const char *id, *provider, *request;
  const char *user, *result, *results;
  int turns;
  bool after;
};

static const struct row rows[] = {
    {"a text", "anthropic",
     "{\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}", "hi", "", "", 0,
     false},
    {"blocks and a result", "anthropic",
     "{\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"text\","
     "\"text\":\"do \"},{\"type\":\"text\",\"text\":\"it\"}]},{\"role\":"
     "\"assistant\",\"content\":[{\"type\":\"tool_use\",\"id\":\"t1\"}]},"
     "{\"role\":\"user\",\"content\":[{\"type\":\"tool_result\","
     "\"tool_use_id\":\"t1\",\"content\":\"done\"}]}]}",
     "do it", "done", "t1 ", 1, true},
    {"a result is over once the model has answered", "anthropic",
     "{\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":"
     "\"tool_result\",\"tool_use_id\":\"t1\",\"content\":[{\"type\":\"text\","
     "\"text\":\"r\"}]}]},{\"role\":\"assistant\",\"content\":\"x\"},"
     "{\"role\":\"user\",\"content\":\"next\"}]}",
     "next", "r", "t1 ", 1, false},
    {"the role tool", "openai",
     "{\"messages\":[{\"role\":\"system\",\"content\":\"s\"},{\"role\":"
     "\"user\",\"content\":\"q\"},{\"role\":\"assistant\",\"tool_calls\":[]},"
     "{\"role\":\"tool\",\"tool_call_id\":\"c1\",\"content\":\"a\"},{\"role\":"
     "\"tool\",\"tool_call_id\":\"c2\",\"content\":\"b\"}]}",
     "q", "b", "c1 c2 ", 1, true},
    {"input as a text", "openai-responses", "{\"input\":\"q\"}", "q", "", "", 0,
     false},
    {"items of one answer are one turn", "openai-responses",
     "{\"input\":[{\"role\":\"user\",\"content\":[{\"type\":\"input_text\","
     "\"text\":\"q\"}]},{\"type\":\"reasoning\"},{\"type\":\"function_call\","
     "\"call_id\":\"c1\"},{\"type\":\"function_call_output\",\"call_id\":"
     "\"c1\",\"output\":\"r\"}]}",
     "q", "r", "c1 ", 1, true},
    {"functionResponse", "gemini",
     "{\"contents\":[{\"role\":\"user\",\"parts\":[{\"text\":\"q\"}]},"
     "{\"role\":\"model\",\"parts\":[{\"functionCall\":{\"name\":\"ls\"}}]},"
     "{\"role\":\"user\",\"parts\":[{\"functionResponse\":{\"name\":\"ls\","
     "\"response\":{\"out\":\"r\"}}}]}]}",
     "q", "{\"out\":\"r\"}", "ls ", 1, true},
    {"without a role", "gemini",
     "{\"contents\":[{\"parts\":[{\"text\":"
     "\"q\"}]}]}",
     "q", "", "", 0, false},
    {"what is neither text nor result ends the results", "anthropic",
     "{\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":"
     "\"tool_result\",\"tool_use_id\":\"t1\"}]},{\"role\":\"user\","
     "\"content\":[{\"type\":\"image\"}]}]}",
     "", "", "t1 ", 0, false},
    {"another shape", "openai", "{\"messages\":{\"role\":5}}", "", "", "", 0,
     false},
    {"members of no type", "anthropic",
     "{\"messages\":[1,\"x\",null,{\"role\":\"user\",\"content\":[1,{}]}]}", "",
     "", "", 0, false}};

static void each_provider_is_read_in_its_own_form(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    const struct row *r = &rows[i];
    struct talk t;
    struct buf ids;
    cJSON *json = cJSON_Parse(r->request);
    assert_non_null(json);
    talk_init(&t);
    provider_find(r->provider)->talk(json, &t);
    buf_init(&ids, 4096);
    for (size_t k = 0; k < t.nresults; k++)
      buf_addf(&ids, "%s ", t.results[k]);
    if (strcmp(buf_str(&t.user), r->user) != 0 ||
        strcmp(buf_str(&t.result), r->result) != 0 ||
        strcmp(buf_str(&ids), r->results) != 0 || t.turns != r->turns ||
        t.ends_with_result != r->after)
      fail_msg("%s: '%s' '%s' '%s' %d %d", r->id, buf_str(&t.user),
               buf_str(&t.result), buf_str(&ids), t.turns, t.ends_with_result);
    buf_release(&ids);
    talk_release(&t);
    cJSON_Delete(json);
  }
}

static const char loop[] =
    "{\"name\":\"n\",\"why\":\"w\",\"provider\":\"anthropic\",\"steps\":["
    "{\"reply\":\"message\",\"times\":\"always\",\"match\":{\"messages\":"
    "{\"turns\":0,\"contains\":\"list\"}},\"blocks\":[{\"tool\":{\"name\":"
    "\"ls\",\"id\":\"t1\"}}]},"
    "{\"reply\":\"message\",\"times\":\"always\",\"match\":{\"messages\":"
    "{\"after_tool_result\":true,\"tool_result\":\"t*\","
    "\"tool_result_contains\":\"file\"}},\"text\":\"One file.\"},"
    "{\"reply\":\"message\",\"text\":\"other\"}]}";

static const struct {
  const char *body, *answer;
} calls[] = {
    {"{\"messages\":[{\"role\":\"user\",\"content\":\"please list\"}]}",
     "\"id\":\"t1\",\"name\":\"ls\""},
    {"{\"messages\":[{\"role\":\"user\",\"content\":\"please list\"},"
     "{\"role\":\"assistant\",\"content\":[]},{\"role\":\"user\",\"content\":["
     "{\"type\":\"tool_result\",\"tool_use_id\":\"t1\",\"content\":"
     "\"a file\"}]}]}",
     "One file."},
    {"{\"messages\":[{\"role\":\"user\",\"content\":\"please list\"},"
     "{\"role\":\"assistant\",\"content\":[]},{\"role\":\"user\",\"content\":["
     "{\"type\":\"tool_result\",\"tool_use_id\":\"x1\",\"content\":"
     "\"a file\"}]}]}",
     "\"other\""},
    {"no JSON", "\"other\""}};

static void the_loop_of_an_agent_can_be_scripted(void **state)
{
  struct bench b;
  (void)state;
  bench_open(&b, loop);
  for (size_t i = 0; i < COUNT(calls); i++) {
    struct answer a;
    bench_ask(&b, "POST", "/v1/messages", "", calls[i].body, &a);
    if (!strstr(buf_str(&a.wire), calls[i].answer))
      fail_msg("call %zu: %s", i, buf_str(&a.wire));
    answer_release(&a);
  }
  bench_close(&b);
}

static void more_results_than_are_kept_do_no_harm(void **state)
{
  struct talk t;
  (void)state;
  talk_init(&t);
  for (int i = 0; i < 2 * TALK_MAX_RESULTS; i++)
    talk_result(&t, "id", "text");
  assert_int_equal(t.nresults, TALK_MAX_RESULTS);
  talk_release(&t);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_provider_is_read_in_its_own_form),
      cmocka_unit_test(the_loop_of_an_agent_can_be_scripted),
      cmocka_unit_test(more_results_than_are_kept_do_no_harm)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
