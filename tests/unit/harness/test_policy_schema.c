/* The policy: what docs/policy.schema.json says of it, and that without a
 * value whatever needs it is skipped. */
#include "harness/judge.h"
#include "tests/unit/harness/literal.h"
#include "tests/unit/harness/table_schema.h"

#include "base/file.h"

static void the_schema_says_what_the_reader_takes(void **state)
{
  static const char *const others[] = {"$schema", "why", NULL};
  static const char *const none[] = {NULL};
  struct json_doc doc;
  struct diag diag = {0};
  (void)state;
  assert_int_equal(
      json_load(&doc, SOURCE_DIR "/docs/policy.schema.json", &diag), 0);
  const cJSON *breaker =
      param_node(param_node(doc.root, "properties"), "breaker");
  assert_int_equal(schema_differs(doc.root, policy_params, others), 0);
  assert_int_equal(schema_differs(breaker, policy_breaker_params, none), 0);
  json_release(&doc);
}

static void a_policy_may_name_its_schema(void **state)
{
  struct policy p;
  struct diag diag = {0};
  double v = 0;
  char *dir = file_temp_folder("policy", &diag);
  char *path = mem_format("%s/policy.json", dir);
  (void)state;
  assert_int_equal(file_write(path,
                              BYTES("{\"$schema\": \"docs/policy.schema.json\","
                                    " /* as measured */ \"attempts\": 3}"),
                              &diag),
                   0);
  assert_int_equal(policy_load(&p, path, &diag), 0);
  assert_true(policy_number(&p, "attempts", &v));
  policy_release(&p);
  file_remove_tree(dir);
  free(path);
  free(dir);
}

/* --- without a value -------------------------------------------------------
 */

#define RATE_LIMIT "[{\"fault\":\"rate_limit\"},{\"reply\":\"message\"}]"

static const struct att calls[] = {
    {CALL(0, 1, 429), .faulty = true, .retry_after = "2"},
    {CALL(4, 5, 200), .step = 1},
    {.end_s = 0}};
static const struct sta ran[] = {{RAN(0, 6)}, {.exit_s = 0}};

/* The scenario's word with that one expectation and the policy's text; NULL:
 * no policy. */
static void judge_with(const char *expect, const char *policy,
                       struct outcome *ret)
{
  struct literal l;
  struct diag diag = {0};
  size_t n = 0;
  if (literal_init(&l, RATE_LIMIT, "{}", expect, policy, &diag) < 0)
    fail_msg("%s: %s", expect, diag.text);
  literal_fill(&l, calls, ran);
  l.uses[0] = l.uses[1] = 1;
  struct judged *list = judge_checks(&l.e, &n);
  judge_decide(&l.e, list, n, ret);
  free(list);
  literal_release(&l);
}

static void expect_skip(const char *expect, const char *name)
{
  struct outcome o;
  judge_with(expect, NULL, &o);
  if (o.verdict != VERDICT_SKIP || !strstr(o.reason, name))
    fail_msg("%s: %s: %s", expect, verdict_name(o.verdict), o.reason);
}

static void skip_for_each(const struct param *table, const char *prefix)
{
  for (const struct param *p = table; p->name; p++) {
    char *name = mem_format("%s%s", prefix, p->name);
    char *needs = mem_format("{\"check\":\"attempts\",\"exactly\":7,"
                             "\"needs\":[\"%s\"]}",
                             name);
    char *expression = mem_format("{\"check\":\"gap\",\"after\":1,"
                                  "\"at_most\":\"policy.%s\"}",
                                  name);
    if (strcmp(name, "slack") != 0) {
      expect_skip(needs, p->name);
      if (p->type == PARAM_INT || p->type == PARAM_NUMBER)
        expect_skip(expression, p->name);
    }
    free(name);
    free(needs);
    free(expression);
  }
}

static void what_needs_a_value_that_is_not_there_is_skipped(void **state)
{
  (void)state;
  skip_for_each(policy_params, "");
  skip_for_each(policy_breaker_params, "breaker.");
}

static const struct {
  const char *id, *expect, *policy;
  enum verdict verdict;
} expressions[] = {
    {"slack has a default", "\"at_most\":\"retry_after + policy.slack\"", NULL,
     VERDICT_PASS},
    {"a smaller slack counts", "\"at_most\":\"retry_after + policy.slack\"",
     "{\"slack\":0.5}", VERDICT_FAIL},
    {"a value of the policy", "\"at_least\":\"policy.base_s\"",
     "{\"base_s\":2}", VERDICT_PASS},
    {"more than was waited", "\"at_least\":\"policy.base_s * 2\"",
     "{\"base_s\":2}", VERDICT_FAIL},
    {"of the breaker", "\"at_least\":\"policy.breaker.cooldown_s\"",
     "{\"breaker\":{\"opens_after\":1,\"cooldown_s\":4}}", VERDICT_FAIL},
    {"the breaker without it", "\"at_least\":\"policy.breaker.cooldown_s\"",
     "{\"breaker\":{\"opens_after\":1}}", VERDICT_SKIP},
    {"null is absent", "\"at_least\":\"policy.base_s\"", "{\"base_s\":null}",
     VERDICT_SKIP},
};

static void expressions_take_their_numbers_from_the_policy(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(expressions); i++) {
    struct outcome o;
    char *expect =
        mem_format("{\"check\":\"gap\",\"after\":1,%s}", expressions[i].expect);
    judge_with(expect, expressions[i].policy, &o);
    if (o.verdict != expressions[i].verdict)
      fail_msg("%s: %s: %s", expressions[i].id, verdict_name(o.verdict),
               o.reason);
    free(expect);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_schema_says_what_the_reader_takes),
      cmocka_unit_test(a_policy_may_name_its_schema),
      cmocka_unit_test(what_needs_a_value_that_is_not_there_is_skipped),
      cmocka_unit_test(expressions_take_their_numbers_from_the_policy)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
