/*
 * table_schema.h - whether a published JSON Schema says the same as the table
 * of a reader: keys, types, ranges, words, what is required.
 */
#ifndef TESTS_UNIT_HARNESS_TABLE_SCHEMA_H
#define TESTS_UNIT_HARNESS_TABLE_SCHEMA_H

#include "base/param.h"
#include "base/words.h"
#include "tests/unit/unit.h"

#include <string.h>

static inline const char *schema_word_of(enum param_type type)
{
  switch (type) {
  case PARAM_INT:
    return "integer";
  case PARAM_NUMBER:
    return "number";
  case PARAM_BOOL:
    return "boolean";
  case PARAM_STRINGS:
    return "array";
  case PARAM_OBJECT:
    return "object";
  default:
    return "string";
  }
}

static inline bool schema_has_text(const cJSON *list, const char *text)
{
  const cJSON *item = NULL;
  cJSON_ArrayForEach(item, list)
  {
    if (cJSON_IsString(item) && strcmp(item->valuestring, text) == 0)
      return true;
  }
  return false;
}

/* "type" is the word, or a list that holds it. */
static inline bool schema_same_type(const cJSON *key, const struct param *p)
{
  const cJSON *type = param_node(key, "type");
  const char *word = schema_word_of(p->type);
  return cJSON_IsString(type) ? strcmp(type->valuestring, word) == 0
                              : schema_has_text(type, word);
}

static inline bool schema_same_number(const cJSON *key, const char *name,
                                      double wanted)
{
  const cJSON *node = param_node(key, name);
  return cJSON_IsNumber(node) && !(node->valuedouble < wanted) &&
         !(node->valuedouble > wanted);
}

static inline bool schema_same_words(const cJSON *key, const struct param *p)
{
  const cJSON *list = param_node(key, "enum"), *item = NULL;
  for (const char *const *word = p->words; *word; word++)
    if (!schema_has_text(list, *word))
      return false;
  cJSON_ArrayForEach(item, list)
  {
    if (cJSON_IsString(item) && !words_has(p->words, item->valuestring))
      return false;
  }
  return true;
}

static inline bool schema_same_key(const cJSON *key, const struct param *p)
{
  bool ranged = p->type == PARAM_INT || p->type == PARAM_NUMBER;
  return key && schema_same_type(key, p) &&
         (!ranged || (schema_same_number(key, "minimum", p->min) &&
                      schema_same_number(key, "maximum", p->max))) &&
         (p->type != PARAM_WORD || schema_same_words(key, p));
}

/* How often an object's schema and its table differ; `others` are keys of the
 * schema that no table has. */
static inline int schema_differs(const cJSON *object, const struct param *table,
                                 const char *const *others)
{
  const cJSON *properties = param_node(object, "properties"), *key = NULL;
  const cJSON *required = param_node(object, "required");
  int wrong = 0;
  for (const struct param *p = table; p->name; p++) {
    bool same = schema_same_key(param_node(properties, p->name), p) &&
                schema_has_text(required, p->name) == p->required;
    if (!same)
      fprintf(stderr, "%s: not in the schema, or otherwise\n", p->name);
    wrong += !same;
  }
  cJSON_ArrayForEach(key, properties)
  {
    bool known = words_has(others, key->string);
    for (const struct param *p = table; p->name && !known; p++)
      known = strcmp(p->name, key->string) == 0;
    if (!known)
      fprintf(stderr, "%s: in the schema alone\n", key->string);
    wrong += !known;
  }
  return wrong + !cJSON_IsFalse(param_node(object, "additionalProperties"));
}

#endif
