#include "tests/unit/unit.h"

#include "mockserver/fault.h"
#include "mockserver/provider/provider.h"
#include "mockserver/scenario_step.h"

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
  int wrong = compare_table(properties, step_params, name, &count) +
              compare_table(properties, f->params, name, &count);
  if (f->has_reply)
    wrong += compare_table(properties, reply_params, name, &count);
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
      cmocka_unit_test(every_provider_is_in_the_schema)};
  struct diag diag = {0};
  if (json_load(&schema, SOURCE_DIR "/docs/scenario.schema.json", &diag) < 0)
    return 1;
  int rc = cmocka_run_group_tests(tests, NULL, NULL);
  json_release(&schema);
  return rc;
}
