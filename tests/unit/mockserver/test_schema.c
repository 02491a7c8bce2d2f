#include "tests/unit/unit.h"

#include "mockserver/command/step.h"
#include "mockserver/endpoint_config.h"
#include "mockserver/fault.h"
#include "mockserver/limits.h"
#include "mockserver/port.h"
#include "mockserver/provider/provider.h"
#include "mockserver/scenario_step.h"
#include "mockserver/shape.h"
#include "mockserver/step_head.h"
#include "mockserver/step_talk.h"
#include "mockserver/step_when.h"
#include "mockserver/tape.h"
#include "mockserver/tls_config.h"
#include "mockserver/upstream/pass.h"

#include <string.h>

static struct json_doc schema;

static const cJSON *definition(const char *name)
{
  const cJSON *defs = param_node(schema.root, "$defs");
  return param_node(param_node(defs, name), "properties");
}

/* The schema of one key: there, with the same range and words. */
static int compare_key(const cJSON *properties, const struct param *p,
                       const char *where)
{
  const cJSON *key = param_node(properties, p->name);
  double min = 0, max = 0;
  int words = 0;
  if (!key) {
    fprintf(stderr, "%s.%s is not in the schema\n", where, p->name);
    return 1;
  }
  bool ranged = p->type == PARAM_INT || p->type == PARAM_NUMBER;
  if (ranged &&
      (!param_number(key, "minimum", &min) ||
       !param_number(key, "maximum", &max) || min != p->min || max != p->max)) {
    fprintf(stderr, "%s.%s: range %g..%g\n", where, p->name, min, max);
    return 1;
  }
  while (p->type == PARAM_WORD && p->words[words])
    words++;
  if (words && cJSON_GetArraySize(param_node(key, "enum")) != words) {
    fprintf(stderr, "%s.%s: other words\n", where, p->name);
    return 1;
  }
  return 0;
}

static int compare_table(const cJSON *properties, const struct param *table,
                         const char *where, int *count)
{
  int wrong = 0;
  for (const struct param *p = table; p->name; p++) {
    /* of these a definition has the one that names it */
    if (strcmp(p->name, "fault") == 0 || strcmp(p->name, "reply") == 0)
      continue;
    wrong += compare_key(properties, p, where);
    ++*count;
  }
  return wrong;
}

static int compare_step(const struct fault *f, const char *name)
{
  const cJSON *properties = definition(name);
  int count = 2; /* the key that names it, and `times` */
  const struct param *tables[STEP_TABLES];
  int wrong = 0, n = step_tables_of(f, tables);
  for (int t = 0; t < n; t++)
    wrong += compare_table(properties, tables[t], name, &count);
  if (cJSON_GetArraySize(properties) != count) {
    fprintf(stderr, "%s: the schema has %d keys, the tables %d\n", name,
            cJSON_GetArraySize(properties), count);
    wrong++;
  }
  return wrong;
}

static void steps_have_the_same_keys_in_schema_and_tables(void **state)
{
  (void)state;
  int wrong = compare_step(fault_find("none"), "reply");
  for (const struct fault *const *f = faults; *f; f++) {
    char name[64];
    snprintf(name, sizeof name, "fault_%s", (*f)->name);
    wrong += compare_step(*f, name);
  }
  assert_int_equal(wrong, 0);
}

static void wire_objects_have_the_same_keys_in_schema_and_tables(void **state)
{
  (void)state;
  static const struct {
    const char *name;
    const struct param *params;
  } rows[] = {{"barrier", barrier_params},
              {"quota", quota_params},
              {"interim", interim_params},
              {"split", split_params},
              {"port_change", port_params}};
  for (size_t i = 0; i < COUNT(rows); i++) {
    int count = 0;
    const cJSON *properties = definition(rows[i].name);
    assert_int_equal(
        compare_table(properties, rows[i].params, rows[i].name, &count), 0);
    assert_int_equal(cJSON_GetArraySize(properties), count);
  }
}

static void tls_has_the_same_keys_in_schema_and_table(void **state)
{
  (void)state;
  const cJSON *top = param_node(schema.root, "properties");
  const cJSON *forms = param_node(param_node(top, "tls"), "oneOf");
  const cJSON *keys = param_node(cJSON_GetArrayItem(forms, 1), "properties");
  const cJSON *fault = definition("tls_fault");
  int count = 0, of_fault = 1; /* `fault`, which names the kind */
  assert_int_equal(compare_table(keys, tls_params, "tls", &count), 0);
  assert_int_equal(cJSON_GetArraySize(keys), count);
  assert_int_equal(
      compare_table(fault, tls_fault_params, "tls_fault", &of_fault), 0);
  assert_int_equal(cJSON_GetArraySize(fault), of_fault);
  const cJSON *kinds = param_node(param_node(fault, "fault"), "enum");
  int n = 0;
  for (; tls_kinds[n].name; n++)
    assert_string_equal(cJSON_GetArrayItem(kinds, n)->valuestring,
                        tls_kinds[n].name);
  assert_int_equal(cJSON_GetArraySize(kinds), n);
}

static void limits_have_the_same_keys_in_schema_and_tables(void **state)
{
  (void)state;
  const cJSON *top = param_node(schema.root, "properties");
  const cJSON *limits = param_node(param_node(top, "limits"), "properties");
  const cJSON *endpoints =
      param_node(param_node(top, "endpoints"), "properties");
  int keys = 1, buckets = 0, others = 0; /* buckets */
  int wrong = compare_table(limits, limits_params, "limits", &keys) +
              compare_table(definition("limit_bucket"), limit_bucket_params,
                            "buckets", &buckets) +
              compare_table(endpoints, endpoint_params, "endpoints", &others);
  assert_int_equal(wrong, 0);
  assert_int_equal(cJSON_GetArraySize(limits), keys);
  assert_int_equal(cJSON_GetArraySize(definition("limit_bucket")), buckets);
  assert_int_equal(cJSON_GetArraySize(endpoints), others);
}

static void commands_have_the_same_keys_in_schema_and_tables(void **state)
{
  (void)state;
  const cJSON *step = definition("command");
  const cJSON *match = param_node(param_node(step, "match"), "properties");
  const cJSON *piece = definition("command_piece");
  int keys = 3, pieces = 0, matches = 0; /* reply, pieces, times; none */
  int wrong = compare_table(step, command_params, "command", &keys) +
              compare_table(piece, command_piece_params, "piece", &pieces) +
              compare_table(match, command_match_params, "match", &matches);
  wrong += compare_table(step, when_params, "command", &keys);
  assert_int_equal(wrong, 0);
  assert_int_equal(cJSON_GetArraySize(step), keys);
  assert_int_equal(cJSON_GetArraySize(piece), pieces);
  assert_int_equal(cJSON_GetArraySize(match), matches);
}

static void a_pass_has_the_same_keys_in_schema_and_table(void **state)
{
  (void)state;
  const cJSON *step = definition("pass");
  int keys = 1; /* times */
  int wrong = compare_table(step, pass_params, "pass", &keys) +
              compare_table(step, when_params, "pass", &keys);
  assert_int_equal(wrong, 0);
  assert_int_equal(cJSON_GetArraySize(step), keys);
}

static void inner_objects_have_the_same_keys_in_schema_and_tables(void **state)
{
  (void)state;
  const cJSON *match = param_node(definition("reply"), "match");
  const cJSON *messages =
      param_node(param_node(match, "properties"), "messages");
  int talk = 0, block = 0, tool = 0;
  int wrong =
      compare_table(param_node(messages, "properties"), talk_params, "messages",
                    &talk) +
      compare_table(definition("block"), block_params, "block", &block) +
      compare_table(definition("tool"), tool_params, "tool", &tool);
  assert_int_equal(wrong, 0);
  assert_int_equal(cJSON_GetArraySize(param_node(messages, "properties")),
                   talk);
  assert_int_equal(cJSON_GetArraySize(definition("block")), block);
  assert_int_equal(cJSON_GetArraySize(definition("tool")), tool);
}

/* `event` is a word alone or an object; the latter is the second. */
static void events_have_the_same_keys_in_schema_and_tables(void **state)
{
  (void)state;
  const cJSON *event = param_node(param_node(schema.root, "$defs"), "event");
  const cJSON *forms = param_node(event, "oneOf");
  const cJSON *bare = param_node(cJSON_GetArrayItem(forms, 0), "enum");
  const cJSON *keys = param_node(cJSON_GetArrayItem(forms, 1), "properties");
  int wrong = 0, count = 0, nbare = 0;
  for (int k = 0; k < TAPE_KINDS; k++) {
    wrong += compare_table(keys, tape_words[k].params, "event", &count);
    nbare += tape_words[k].bare;
  }
  wrong += compare_table(keys, tape_extras, "event", &count);
  assert_int_equal(wrong, 0);
  /* `data` is a word and goes with `unknown` too */
  assert_int_equal(cJSON_GetArraySize(keys), count - 1);
  assert_int_equal(cJSON_GetArraySize(bare), nbare);
}

static void every_provider_is_in_the_schema(void **state)
{
  (void)state;
  const cJSON *top = param_node(schema.root, "properties");
  const cJSON *words = param_node(param_node(top, "provider"), "enum");
  int n = 1; /* any */
  for (const struct provider *const *p = providers; *p; p++, n++) {
    const cJSON *word = cJSON_GetArrayItem(words, n);
    assert_non_null(word);
    assert_string_equal(word->valuestring, (*p)->name);
  }
  assert_int_equal(cJSON_GetArraySize(words), n);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(steps_have_the_same_keys_in_schema_and_tables),
      cmocka_unit_test(wire_objects_have_the_same_keys_in_schema_and_tables),
      cmocka_unit_test(tls_has_the_same_keys_in_schema_and_table),
      cmocka_unit_test(limits_have_the_same_keys_in_schema_and_tables),
      cmocka_unit_test(commands_have_the_same_keys_in_schema_and_tables),
      cmocka_unit_test(a_pass_has_the_same_keys_in_schema_and_table),
      cmocka_unit_test(inner_objects_have_the_same_keys_in_schema_and_tables),
      cmocka_unit_test(events_have_the_same_keys_in_schema_and_tables),
      cmocka_unit_test(every_provider_is_in_the_schema)};
  struct diag diag = {0};
  if (json_load(&schema, SOURCE_DIR "/docs/scenario.schema.json", &diag) < 0)
    return 1;
  int rc = cmocka_run_group_tests(tests, NULL, NULL);
  json_release(&schema);
  return rc;
}
