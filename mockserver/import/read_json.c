/*
 * Optional members of other tools' JSON, with a place in every error.
 */
#include "mockserver/import/format.h"

#include "base/words.h"
#include "mockserver/import/moment.h"

#include <string.h>

/* Beyond it a number since 1970 is one of milliseconds (the year 5138). */
#define MAX_SECONDS 1e11
#define MAX_MS 1e14

bool read_member(const struct jval *v, const char *key, struct jval *ret)
{
  struct jval found;
  if (!jval_member(v, key, &found) || cJSON_IsNull(found.node))
    return false;
  *ret = found;
  return true;
}

int read_text(const struct jval *v, const char *key, const char **ret,
              struct diag *diag)
{
  struct jval m;
  return read_member(v, key, &m) ? jval_string(&m, ret, diag) : 0;
}

int read_number(const struct jval *v, const char *key, double min, double max,
                double *ret, struct diag *diag)
{
  struct jval m;
  return read_member(v, key, &m) ? jval_number(&m, min, max, ret, diag) : 0;
}

int read_bool(const struct jval *v, const char *key, bool *ret,
              struct diag *diag)
{
  struct jval m;
  return read_member(v, key, &m) ? jval_bool(&m, ret, diag) : 0;
}

int read_moment(const struct jval *v, const char *key, int64_t *ret_ms,
                struct diag *diag)
{
  struct jval m;
  double n = 0;
  if (!read_member(v, key, &m))
    return 0;
  if (cJSON_IsNumber(m.node)) {
    if (jval_number(&m, 0, MAX_MS, &n, diag) < 0)
      return -1;
    *ret_ms = (int64_t)(n < MAX_SECONDS ? n * 1000 : n);
    return 0;
  }
  if (cJSON_IsString(m.node) &&
      moment_rfc3339(bytes_of(m.node->valuestring), ret_ms))
    return 0;
  return jval_error(&m, diag,
                    "must be a time such as 2025-12-01T00:00:00.250Z, or "
                    "seconds or milliseconds since 1970");
}

/* ---- headers ---- */

static int value_text(const struct jval *v, char room[64], const char **ret,
                      struct diag *diag)
{
  if (cJSON_IsNumber(v->node)) {
    snprintf(room, 64, "%.15g", v->node->valuedouble);
    *ret = room;
    return 0;
  }
  return jval_string(v, ret, diag);
}

static int add_header(struct taken *t, const char *name, const struct jval *v,
                      struct diag *diag)
{
  char room[64];
  const char *text = NULL;
  if (value_text(v, room, &text, diag) < 0)
    return -1;
  taken_header(t, bytes_of(name), bytes_of(text));
  return 0;
}

static int from_pair(struct taken *t, const struct jval *pair,
                     struct diag *diag)
{
  const char *name = NULL;
  struct jval first, second;
  if (cJSON_IsArray(pair->node)) {
    if (jval_count(pair) != 2)
      return jval_error(pair, diag, "must be a pair [name, value]");
    first = jval_item(pair, 0);
    second = jval_item(pair, 1);
  } else {
    if (jval_object(pair, diag) < 0)
      return -1;
    if (!jval_member(pair, "name", &first) ||
        !jval_member(pair, "value", &second))
      return jval_error(pair, diag, "needs 'name' and 'value'");
  }
  if (jval_string(&first, &name, diag) < 0)
    return -1;
  return add_header(t, name, &second, diag);
}

/* {"name": "value"} or {"name": ["value", "value"]} */
static int from_member(struct taken *t, const struct jval *member,
                       struct diag *diag)
{
  if (!cJSON_IsArray(member->node))
    return add_header(t, member->key, member, diag);
  for (int i = 0; i < jval_count(member); i++) {
    struct jval item = jval_item(member, i);
    if (add_header(t, member->key, &item, diag) < 0)
      return -1;
  }
  return 0;
}

int read_headers(const struct jval *v, const char *key, struct taken *t,
                 struct diag *diag)
{
  struct jval headers;
  if (!read_member(v, key, &headers))
    return 0;
  bool object = cJSON_IsObject(headers.node);
  if (!object && jval_array(&headers, diag) < 0)
    return -1;
  for (int i = 0; i < jval_count(&headers); i++) {
    struct jval item = jval_item(&headers, i);
    if ((object ? from_member(t, &item, diag) : from_pair(t, &item, diag)) < 0)
      return -1;
  }
  return 0;
}

int read_known(const struct jval *v, const char *const *words,
               const char **ret_unknown, struct diag *diag)
{
  for (int i = 0; i < jval_count(v); i++) {
    struct jval m = jval_item(v, i);
    if (words_has(words, m.key))
      continue;
    const char *near = words_nearest(m.key, words);
    if (near)
      return jval_key_error(&m, diag, "unknown key '%s'; did you mean '%s'?",
                            m.key, near);
    if (ret_unknown)
      *ret_unknown = m.key;
  }
  return 0;
}
