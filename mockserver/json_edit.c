#include "mockserver/json_edit.h"

#include "base/number.h"

#include <string.h>

/* Ceiling of an item number in a path. */
enum { MAX_ITEM = 1000000, MAX_NAME = 256 };

/* The first name of the path, and what is behind its dot ("" at the end). */
static const char *take_name(const char *path, char *ret, size_t size)
{
  size_t n = strcspn(path, ".");
  size_t kept = n < size - 1 ? n : size - 1;
  memcpy(ret, path, kept);
  ret[kept] = '\0';
  return path[n] ? path + n + 1 : path + n;
}

static cJSON *member(const cJSON *node, const char *name)
{
  uint64_t i = 0;
  if (!cJSON_IsArray(node))
    return cJSON_GetObjectItemCaseSensitive(node, name);
  if (number_u64(bytes_of(name), MAX_ITEM, &i) != NUMBER_OK)
    return NULL;
  return cJSON_GetArrayItem(node, (int)i);
}

/* The node that holds the path's last name, which goes to `ret_name`. */
static cJSON *walk(cJSON *root, const char *path, char ret_name[MAX_NAME])
{
  cJSON *node = root;
  for (;;) {
    path = take_name(path, ret_name, MAX_NAME);
    if (!*path)
      return node;
    node = member(node, ret_name);
    if (!node)
      return NULL;
  }
}

bool json_edit_has(const cJSON *root, const char *path)
{
  char name[MAX_NAME];
  const cJSON *node = root;
  while (*path && node) {
    path = take_name(path, name, sizeof name);
    node = member(node, name);
  }
  return node != NULL;
}

bool json_edit_set(cJSON *root, const char *path, const cJSON *value)
{
  char name[MAX_NAME];
  cJSON *holder = walk(root, path, name);
  cJSON *old = holder ? member(holder, name) : NULL;
  if (!holder || (!old && !cJSON_IsObject(holder)))
    return false;
  cJSON *copy = value ? cJSON_Duplicate(value, true) : cJSON_CreateNull();
  if (!old)
    return cJSON_AddItemToObject(holder, name, copy);
  if (cJSON_IsArray(holder)) {
    uint64_t i = 0;
    if (number_u64(bytes_of(name), MAX_ITEM, &i) != NUMBER_OK)
      return false;
    return cJSON_ReplaceItemInArray(holder, (int)i, copy);
  }
  return cJSON_ReplaceItemInObjectCaseSensitive(holder, name, copy);
}

bool json_edit_find(struct bytes text, struct bytes *ret)
{
  const char *first = text.n ? memchr(text.p, '{', text.n) : NULL;
  const char *last = text.n ? memrchr(text.p, '}', text.n) : NULL;
  if (!first || !last || last < first)
    return false;
  *ret = (struct bytes){first, (size_t)(last - first) + 1};
  return true;
}

void json_edit_put(struct bytes text, const cJSON *root, struct buf *ret)
{
  struct bytes json;
  char *line = cJSON_PrintUnformatted(root);
  if (line && json_edit_find(text, &json)) {
    size_t front = (size_t)(json.p - text.p);
    buf_add(ret, text.p, front);
    buf_adds(ret, line);
    buf_add(ret, json.p + json.n, text.n - front - json.n);
  }
  cJSON_free(line);
}
