#include "tests/unit/unit.h"

#include "harness/check/check.h"
#include "harness/sweep.h"

#include "base/json.h"
#include "base/words.h"

#include <string.h>

static struct json_doc schema;

/* `enum` has the words of the table, all and no others. A key without `enum`
 * is checked by who reads it. */
static bool same_words(const cJSON *key, const struct param *p)
{
  const cJSON *list = param_node(key, "enum"), *item = NULL;
  int nwords = 0;
  if (p->type != PARAM_WORD || !list)
    return true;
  while (p->words[nwords])
    nwords++;
  cJSON_ArrayForEach(item, list)
  {
    if (!cJSON_IsString(item) || !words_has(p->words, item->valuestring))
      return false;
  }
  return cJSON_GetArraySize(list) == nwords;
}

/* How many keys of |table| the definition lacks or has with another range or
 * other words. */
static int compare(const cJSON *properties, const struct param *table,
                   const char *where, int *count)
{
  int wrong = 0;
  for (const struct param *p = table; p->name; p++, ++*count) {
    const cJSON *key = param_node(properties, p->name);
    double max = p->max;
    bool ranged = p->type == PARAM_INT || p->type == PARAM_NUMBER;
    if (ranged)
      param_number(key, "maximum", &max);
    if (key && max >= p->max && max <= p->max && same_words(key, p))
      continue;
    fprintf(stderr, "%s.%s: not in the schema, or another range or words\n",
            where, p->name);
    wrong++;
  }
  return wrong;
}

static int compare_check(const struct check *c)
{
  char name[64];
  int count = 0;
  snprintf(name, sizeof name, "check_%s", c->name);
  const cJSON *p = param_node(
      param_node(param_node(schema.root, "$defs"), name), "properties");
  int wrong = compare(p, expect_params, name, &count) +
              compare(p, c->params, name, &count);
  if (cJSON_GetArraySize(p) != count) {
    fprintf(stderr, "%s: the schema has %d keys, the tables %d\n", name,
            cJSON_GetArraySize(p), count);
    wrong++;
  }
  return wrong;
}

static void checks_have_the_same_keys_in_schema_and_tables(void **state)
{
  int wrong = 0;
  (void)state;
  for (size_t i = 0; checks[i]; i++)
    wrong += compare_check(checks[i]);
  assert_int_equal(wrong, 0);
}

static void the_schema_lets_every_check_in(void **state)
{
  const cJSON *expect =
      param_node(param_node(schema.root, "properties"), "expect");
  const cJSON *list = param_node(param_node(expect, "items"), "oneOf");
  int n = 0;
  (void)state;
  while (checks[n])
    n++;
  assert_int_equal(cJSON_GetArraySize(list), n);
}

static void the_client_has_the_same_keys_in_schema_and_table(void **state)
{
  const cJSON *client =
      param_node(param_node(schema.root, "properties"), "client");
  const cJSON *p = param_node(client, "properties");
  int count = 0;
  (void)state;
  assert_int_equal(compare(p, client_params, "client", &count), 0);
  assert_int_equal(cJSON_GetArraySize(p), count);
}

static void the_sweep_has_the_same_keys_in_schema_and_table(void **state)
{
  const cJSON *sweep =
      param_node(param_node(schema.root, "properties"), "sweep");
  const cJSON *p = param_node(sweep, "properties");
  int count = 0;
  (void)state;
  assert_int_equal(compare(p, sweep_params, "sweep", &count), 0);
  assert_int_equal(cJSON_GetArraySize(p), count);
}

static int load(void **state)
{
  struct diag diag = {0};
  (void)state;
  return json_load(&schema, SOURCE_DIR "/docs/scenario.schema.json", &diag);
}

static int release(void **state)
{
  (void)state;
  json_release(&schema);
  return 0;
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(checks_have_the_same_keys_in_schema_and_tables),
      cmocka_unit_test(the_schema_lets_every_check_in),
      cmocka_unit_test(the_sweep_has_the_same_keys_in_schema_and_table),
      cmocka_unit_test(the_client_has_the_same_keys_in_schema_and_table)};
  return cmocka_run_group_tests(tests, load, release);
}
