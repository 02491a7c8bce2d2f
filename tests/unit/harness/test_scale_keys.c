/* Every parameter of every table is in keys.def, with a unit that fits. */
#include "tests/unit/unit.h"

#include "harness/check/check.h"
#include "harness/policy.h"
#include "harness/scale/keys.h"
#include "harness/spec.h"

#include "base/json.h"
#include "mockserver/command/step.h"
#include "mockserver/endpoint_config.h"
#include "mockserver/fault.h"
#include "mockserver/limits.h"
#include "mockserver/port.h"
#include "mockserver/reply_step.h"
#include "mockserver/scenario_step.h"
#include "mockserver/shape.h"
#include "mockserver/step_head.h"
#include "mockserver/step_when.h"
#include "mockserver/tape.h"
#include "mockserver/tls_config.h"
#include "mockserver/upstream/pass.h"

#include <stdio.h>
#include <string.h>

static bool ends_with(const char *text, const char *end)
{
  size_t n = strlen(text), m = strlen(end);
  return n >= m && strcmp(text + n - m, end) == 0;
}

/* How many parameters of a table are missing, or are called a time and taken
 * for none. */
static int wrong_in(const char *place, const struct param *table)
{
  int wrong = 0;
  for (const struct param *p = table; p->name; p++) {
    const struct scale_key *k = scale_key_find(place, p->name);
    bool unit = ends_with(p->name, "_s") || ends_with(p->name, "_ms");
    bool seconds = p->type != PARAM_VALUE && p->type != PARAM_OBJECT &&
                   p->summary && strstr(p->summary, "seconds") != NULL;
    bool number = p->type == PARAM_INT || p->type == PARAM_NUMBER ||
                  p->type == PARAM_EXPR || p->type == PARAM_LITERAL;
    bool time = k && scale_kind_is_time(k->kind);
    if (k && (time || !(unit || (seconds && number))))
      continue;
    fprintf(stderr, "%s.%s: %s\n", place, p->name,
            k ? "by its name or summary a time, not in keys.def"
              : "not in harness/scale/keys.def");
    wrong++;
  }
  return wrong;
}

static void every_key_of_a_step_is_known(void **state)
{
  int wrong = 0;
  (void)state;
  for (int i = 0; step_tables[i]; i++)
    wrong += wrong_in("step", step_tables[i]);
  for (const struct fault *const *f = faults; *f; f++)
    wrong += wrong_in("step", (*f)->params);
  wrong += wrong_in("step", reply_params);
  wrong += wrong_in("step", pass_params);
  wrong += wrong_in("command", command_params);
  wrong += wrong_in("command", when_params);
  assert_int_equal(wrong, 0);
}

static void every_key_inside_of_a_step_is_known(void **state)
{
  int wrong =
      wrong_in("barrier", barrier_params) + wrong_in("split", split_params) +
      wrong_in("interim", interim_params) + wrong_in("quota", quota_params) +
      wrong_in("event", tape_extras) + wrong_in("piece", command_piece_params);
  (void)state;
  for (int i = 0; i < TAPE_KINDS; i++)
    wrong += wrong_in("event", tape_words[i].params);
  assert_int_equal(wrong, 0);
}

static void every_key_beside_the_steps_is_known(void **state)
{
  (void)state;
  assert_int_equal(wrong_in("port", port_params) + wrong_in("tls", tls_params) +
                       wrong_in("tls_fault", tls_fault_params) +
                       wrong_in("limits", limits_params) +
                       wrong_in("bucket", limit_bucket_params) +
                       wrong_in("endpoints", endpoint_params) +
                       wrong_in("client", client_params),
                   0);
}

static void every_key_of_a_check_is_known(void **state)
{
  int wrong = wrong_in("expect", expect_params);
  (void)state;
  for (const struct check *const *c = checks; *c; c++) {
    char place[80];
    snprintf(place, sizeof place, "expect/%s", (*c)->name);
    wrong += wrong_in(place, (*c)->params);
  }
  assert_int_equal(wrong, 0);
}

static void every_name_of_a_policy_is_known(void **state)
{
  int wrong = wrong_in("policy", policy_params);
  (void)state;
  for (const struct param *p = policy_breaker_params; p->name; p++) {
    char name[80];
    snprintf(name, sizeof name, "breaker.%s", p->name);
    if (!scale_key_find("policy", name))
      wrong++;
  }
  assert_int_equal(wrong, 0);
}

/* The top of a scenario has no table that can be walked, but a schema. */
static void every_key_of_the_top_is_known(void **state)
{
  struct json_doc doc;
  struct diag diag = {0};
  int wrong = 0;
  const cJSON *key = NULL;
  (void)state;
  assert_int_equal(
      json_load(&doc, SOURCE_DIR "/docs/scenario.schema.json", &diag), 0);
  cJSON_ArrayForEach(key, json_member(doc.root, "properties"))
  {
    if (scale_key_find("top", key->string))
      continue;
    fprintf(stderr, "%s: not in harness/scale/keys.def\n", key->string);
    wrong++;
  }
  json_release(&doc);
  assert_int_equal(wrong, 0);
}

static bool in_table(const struct param *table, const char *name)
{
  for (; table->name; table++)
    if (strcmp(table->name, name) == 0)
      return true;
  return false;
}

/* A row that names nothing would be one that was forgotten. */
static void every_row_of_a_check_names_one_of_its_keys(void **state)
{
  (void)state;
  for (const struct scale_key *k = scale_keys; k->key; k++) {
    if (strncmp(k->place, "expect/", 7) != 0)
      continue;
    const struct check *c = check_find(k->place + 7);
    if (!c || !in_table(c->params, k->key))
      fail_msg("%s has no '%s'", k->place, k->key);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_key_of_a_step_is_known),
      cmocka_unit_test(every_key_inside_of_a_step_is_known),
      cmocka_unit_test(every_key_beside_the_steps_is_known),
      cmocka_unit_test(every_key_of_a_check_is_known),
      cmocka_unit_test(every_name_of_a_policy_is_known),
      cmocka_unit_test(every_key_of_the_top_is_known),
      cmocka_unit_test(every_row_of_a_check_names_one_of_its_keys),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
