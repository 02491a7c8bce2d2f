/*
 * schema.h - a document against a JSON Schema, as far as
 * docs/report.schema.json goes: $ref to definitions, type, enum, required,
 * properties, additionalProperties false, items (one or one each), minItems,
 * maxItems, minimum, maximum. A word the schema
 * uses and this file does not know is a failure, never ignored.
 */
#ifndef TESTS_UNIT_HARNESS_SCHEMA_H
#define TESTS_UNIT_HARNESS_SCHEMA_H

#include "base/param.h"
#include "base/words.h"
#include "tests/unit/unit.h"

#include <math.h>
#include <string.h>

static inline bool schema_type(const cJSON *v, const char *type)
{
  double d = cJSON_IsNumber(v) ? v->valuedouble : 0;
  return (strcmp(type, "object") == 0 && cJSON_IsObject(v)) ||
         (strcmp(type, "array") == 0 && cJSON_IsArray(v)) ||
         (strcmp(type, "string") == 0 && cJSON_IsString(v)) ||
         (strcmp(type, "boolean") == 0 && cJSON_IsBool(v)) ||
         (strcmp(type, "number") == 0 && cJSON_IsNumber(v)) ||
         (strcmp(type, "integer") == 0 && cJSON_IsNumber(v) && d == floor(d));
}

static inline void schema_known_words(const cJSON *schema)
{
  static const char *const known[] = {"$schema",
                                      "title",
                                      "description",
                                      "definitions",
                                      "$ref",
                                      "type",
                                      "enum",
                                      "required",
                                      "items",
                                      "properties",
                                      "additionalProperties",
                                      "minItems",
                                      "maxItems",
                                      "minimum",
                                      "maximum",
                                      NULL};
  const cJSON *word = NULL;
  cJSON_ArrayForEach(word, schema)
  {
    if (!words_has(known, word->string))
      fail_msg("the schema says '%s', which is not checked", word->string);
  }
}

static inline void schema_limits(const cJSON *schema, const cJSON *v,
                                 const char *at)
{
  double n = 0;
  if (param_number(schema, "minimum", &n) && v->valuedouble < n)
    fail_msg("%s is below %g", at, n);
  if (param_number(schema, "maximum", &n) && v->valuedouble > n)
    fail_msg("%s is over %g", at, n);
  if (param_number(schema, "minItems", &n) && cJSON_GetArraySize(v) < n)
    fail_msg("%s has fewer than %g items", at, n);
  if (param_number(schema, "maxItems", &n) && cJSON_GetArraySize(v) > n)
    fail_msg("%s has more than %g items", at, n);
}

/* Type and enum of one value. */
static inline void schema_scalar(const cJSON *schema, const cJSON *v,
                                 const char *at)
{
  const cJSON *list = param_node(schema, "enum"), *item = NULL;
  const char *type = NULL;
  bool found = !list;
  if (param_string(schema, "type", &type) && !schema_type(v, type))
    fail_msg("%s is no %s", at, type);
  cJSON_ArrayForEach(item, list) found |= cJSON_Compare(item, v, true) != 0;
  if (!found)
    fail_msg("%s is none of the enum", at);
  schema_limits(schema, v, at);
}

static inline void schema_check(const cJSON *root, const cJSON *schema,
                                const cJSON *v, const char *at);

static inline void schema_members(const cJSON *root, const cJSON *schema,
                                  const cJSON *v, const char *at)
{
  const cJSON *properties = param_node(schema, "properties"), *item = NULL;
  const cJSON *items = param_node(schema, "items");
  const cJSON *each = cJSON_IsArray(items) ? items->child : NULL;
  cJSON_ArrayForEach(item, param_node(schema, "required"))
  {
    if (!param_has(v, item->valuestring))
      fail_msg("%s has no '%s'", at, item->valuestring);
  }
  cJSON_ArrayForEach(item, v)
  {
    const cJSON *sub = item->string ? param_node(properties, item->string)
                       : cJSON_IsArray(items) ? each
                                              : items;
    each = each ? each->next : NULL;
    if (sub)
      schema_check(root, sub, item, item->string ? item->string : at);
    else if (param_has(schema, "additionalProperties"))
      fail_msg("%s may not have '%s'", at, item->string);
  }
}

static inline void schema_check(const cJSON *root, const cJSON *schema,
                                const cJSON *v, const char *at)
{
  const char *ref = NULL;
  static const char prefix[] = "#/definitions/";
  schema_known_words(schema);
  if (param_string(schema, "$ref", &ref)) {
    assert_int_equal(strncmp(ref, prefix, sizeof prefix - 1), 0);
    schema =
        param_node(param_node(root, "definitions"), ref + sizeof prefix - 1);
    assert_non_null(schema);
  }
  schema_scalar(schema, v, at);
  schema_members(root, schema, v, at);
}

#endif
