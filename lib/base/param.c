#include "base/param.h"

#include "base/number.h"
#include "base/words.h"

#include <math.h>
#include <string.h>

enum { MAX_KEYS = 96 };

static const struct param *find(const struct param *const *tables, int ntables,
                                const char *key)
{
  for (int t = 0; t < ntables; t++)
    for (const struct param *p = tables[t]; p && p->name; p++)
      if (p->name[0] == key[0] && strcmp(p->name, key) == 0)
        return p;
  return NULL;
}

static int unknown_key(const struct jval *v, const struct param *const *tables,
                       int ntables, const char *const *others,
                       struct diag *diag)
{
  const char *known[MAX_KEYS + 1];
  char hint[512];
  int n = 0;
  for (int t = 0; t < ntables; t++)
    for (const struct param *p = tables[t]; p && p->name && n < MAX_KEYS; p++)
      known[n++] = p->name;
  for (const char *const *o = others; o && *o && n < MAX_KEYS; o++)
    known[n++] = *o;
  known[n] = NULL;
  words_hint(v->key, known, hint, sizeof hint);
  return jval_key_error(v, diag, "unknown key '%s'%s", v->key, hint);
}

static int check_word(const struct jval *v, const struct param *p,
                      struct diag *diag)
{
  const char *s = NULL;
  char hint[512];
  if (jval_string(v, &s, diag) < 0)
    return -1;
  if (words_has(p->words, s))
    return 0;
  words_hint(s, p->words, hint, sizeof hint);
  return jval_error(v, diag, "unknown word '%s'%s", s, hint);
}

static int check_pair(const struct jval *v, struct diag *diag)
{
  const char *s = NULL;
  if (jval_array(v, diag) < 0)
    return -1;
  if (jval_count(v) != 2)
    return jval_error(v, diag, "must be a pair [name, value]");
  for (int i = 0; i < 2; i++) {
    struct jval item = jval_item(v, i);
    if (jval_string(&item, &s, diag) < 0)
      return -1;
  }
  return 0;
}

static int check_items(const struct jval *v, const struct param *p,
                       struct diag *diag)
{
  if (jval_array(v, diag) < 0)
    return -1;
  for (int i = 0; i < jval_count(v); i++) {
    struct jval item = jval_item(v, i);
    const char *s = NULL;
    int64_t n = 0;
    int rc = p->type == PARAM_STRINGS ? jval_string(&item, &s, diag)
             : p->type == PARAM_INTS
                 ? jval_int(&item, (int64_t)p->min, (int64_t)p->max, &n, diag)
                 : check_pair(&item, diag);
    if (rc < 0)
      return -1;
  }
  return 0;
}

static int check_scalar(const struct jval *v, struct diag *diag, bool null_ok)
{
  if (cJSON_IsString(v->node) || cJSON_IsNumber(v->node) ||
      (null_ok && cJSON_IsNull(v->node)))
    return 0;
  return jval_error(v, diag, "must be a string or a number%s",
                    null_ok ? " or null" : "");
}

/* 3, "3", "2-5" or "4+". */
static bool read_range(const cJSON *node, int64_t *ret_first, int64_t *ret_last)
{
  uint64_t first = 0, last = 0;
  if (cJSON_IsNumber(node)) {
    /* up to 2^53 a double is a whole number exactly */
    if (fabs(node->valuedouble) > 9007199254740992.0)
      return false;
    *ret_first = *ret_last = (int64_t)node->valuedouble;
    return node->valuedouble == (double)*ret_first;
  }
  if (!cJSON_IsString(node))
    return false;
  struct bytes s = bytes_of(node->valuestring);
  if (number_take_u64(&s, INT64_MAX, &first) != NUMBER_OK)
    return false;
  last = first;
  if (bytes_equal(s, BYTES("+")))
    last = INT64_MAX;
  else if (s.n && (*s.p != '-' || number_u64((struct bytes){s.p + 1, s.n - 1},
                                             INT64_MAX, &last) != NUMBER_OK))
    return false;
  *ret_first = (int64_t)first;
  *ret_last = (int64_t)last;
  return true;
}

static int check_range(const struct jval *v, const struct param *p,
                       struct diag *diag)
{
  int64_t first = 0, last = 0;
  if (!read_range(v->node, &first, &last))
    return jval_error(v, diag, "must be a whole number, \"a-b\" or \"n+\"");
  if (first > last)
    return jval_error(v, diag, "ends before it begins");
  if ((double)first < p->min || (last != INT64_MAX && (double)last > p->max))
    return jval_error(v, diag, "is out of range %.15g..%.15g", p->min, p->max);
  return 0;
}

static int check_value(const struct jval *v, const struct param *p,
                       struct diag *diag)
{
  const char *s = NULL;
  int64_t i = 0;
  double d = 0;
  bool b = false;
  switch (p->type) {
  case PARAM_INT:
    return jval_int(v, (int64_t)p->min, (int64_t)p->max, &i, diag);
  case PARAM_NUMBER:
    return jval_number(v, p->min, p->max, &d, diag);
  case PARAM_BOOL:
    return jval_bool(v, &b, diag);
  case PARAM_STRING:
    return jval_string(v, &s, diag);
  case PARAM_WORD:
    return check_word(v, p, diag);
  case PARAM_STRINGS:
  case PARAM_INTS:
  case PARAM_PAIRS:
    return check_items(v, p, diag);
  case PARAM_EXPR:
    return check_scalar(v, diag, false);
  case PARAM_LITERAL:
    return check_scalar(v, diag, true);
  case PARAM_RANGE:
    return check_range(v, p, diag);
  case PARAM_VALUE:
    return 0;
  case PARAM_OBJECT:
    return jval_object(v, diag);
  }
  return -1;
}

static int check_required(const struct jval *v,
                          const struct param *const *tables, int ntables,
                          struct diag *diag)
{
  for (int t = 0; t < ntables; t++)
    for (const struct param *p = tables[t]; p && p->name; p++)
      if (p->required && !param_has(v->node, p->name))
        return jval_error(v, diag, "the key '%s' is missing: %s", p->name,
                          p->summary);
  return 0;
}

int param_check(const struct jval *v, const struct param *const *tables,
                int ntables, const char *const *others, struct diag *diag)
{
  if (jval_object(v, diag) < 0)
    return -1;
  int i = 0;
  for (const cJSON *c = v->node->child; c; c = c->next, i++) {
    struct jval child = {v->doc, c, v, c->string, i};
    const struct param *p = find(tables, ntables, child.key);
    if (p && check_value(&child, p, diag) < 0)
      return -1;
    if (!p && !(others && words_has(others, child.key)))
      return unknown_key(&child, tables, ntables, others, diag);
  }
  return check_required(v, tables, ntables, diag);
}

const cJSON *param_node(const cJSON *object, const char *key)
{
  return json_member(object, key);
}

bool param_has(const cJSON *object, const char *key)
{
  return param_node(object, key);
}

bool param_number(const cJSON *object, const char *key, double *ret)
{
  const cJSON *node = param_node(object, key);
  if (!cJSON_IsNumber(node))
    return false;
  *ret = node->valuedouble;
  return true;
}

bool param_int(const cJSON *object, const char *key, int64_t *ret)
{
  double d = 0;
  if (!param_number(object, key, &d))
    return false;
  *ret = (int64_t)d;
  return true;
}

bool param_bool(const cJSON *object, const char *key, bool *ret)
{
  const cJSON *node = param_node(object, key);
  if (!cJSON_IsBool(node))
    return false;
  *ret = cJSON_IsTrue(node);
  return true;
}

bool param_range(const cJSON *object, const char *key, int64_t *ret_first,
                 int64_t *ret_last)
{
  return read_range(param_node(object, key), ret_first, ret_last);
}

bool param_string(const cJSON *object, const char *key, const char **ret)
{
  const cJSON *node = param_node(object, key);
  if (!cJSON_IsString(node))
    return false;
  *ret = node->valuestring;
  return true;
}

int param_word(const cJSON *object, const char *key, const char *const *words,
               int otherwise)
{
  const char *s = NULL;
  if (!param_string(object, key, &s))
    return otherwise;
  for (int i = 0; words[i]; i++)
    if (strcmp(words[i], s) == 0)
      return i;
  return otherwise;
}

void param_describe(const struct param *p, struct buf *ret)
{
  static const char *const names[] = {[PARAM_INT] = "whole number",
                                      [PARAM_NUMBER] = "number",
                                      [PARAM_BOOL] = "true or false",
                                      [PARAM_STRING] = "text",
                                      [PARAM_WORD] = "one of",
                                      [PARAM_STRINGS] = "list of texts",
                                      [PARAM_INTS] = "list of whole numbers",
                                      [PARAM_PAIRS] = "list of [name, value]",
                                      [PARAM_EXPR] = "expression",
                                      [PARAM_LITERAL] = "text, number or null",
                                      [PARAM_RANGE] =
                                          "number, \"a-b\" or \"n+\",",
                                      [PARAM_VALUE] = "value, see the docs",
                                      [PARAM_OBJECT] = "object"};
  buf_adds(ret, names[p->type]);
  if (p->type == PARAM_INT || p->type == PARAM_NUMBER ||
      p->type == PARAM_INTS || p->type == PARAM_RANGE)
    buf_addf(ret, " %.15g..%.15g", p->min, p->max);
  for (int i = 0; p->type == PARAM_WORD && p->words[i]; i++)
    buf_addf(ret, "%s%s", i ? ", " : " ", p->words[i]);
}
