#include "answer.h"

#include <cjson/cJSON.h>
#include <string.h>

static bool add_string(const cJSON *node, struct buf *ret)
{
  if (!cJSON_IsString(node))
    return false;
  buf_adds(ret, node->valuestring);
  return true;
}

static bool is_word(const cJSON *object, const char *key, const char *word)
{
  const cJSON *v = cJSON_GetObjectItemCaseSensitive(object, key);
  return cJSON_IsString(v) && strcmp(v->valuestring, word) == 0;
}

static const cJSON *member(const cJSON *object, const char *key)
{
  return cJSON_GetObjectItemCaseSensitive(object, key);
}

/* Texts of all items of |array| that are of |type| (NULL: of any). */
static void add_texts(const cJSON *array, const char *type, struct buf *ret)
{
  const cJSON *item;
  cJSON_ArrayForEach(item, array)
  {
    if (!type || is_word(item, "type", type))
      add_string(member(item, "text"), ret);
  }
}

static bool messages(const cJSON *root, struct buf *ret)
{
  const cJSON *content = member(root, "content");
  if (!is_word(root, "type", "message") || !cJSON_IsArray(content) ||
      !cJSON_IsString(member(root, "stop_reason")))
    return false;
  add_texts(content, "text", ret);
  return true;
}

static bool chat(const cJSON *root, struct buf *ret)
{
  const cJSON *choice = cJSON_GetArrayItem(member(root, "choices"), 0);
  const cJSON *message = member(choice, "message");
  if (!cJSON_IsObject(message) ||
      !cJSON_IsString(member(choice, "finish_reason")))
    return false;
  add_string(member(message, "content"), ret); /* null beside tool calls */
  return true;
}

static bool responses(const cJSON *root, struct buf *ret)
{
  const cJSON *output = member(root, "output"), *item;
  /* incomplete: the tokens ran out; the text is all there will be */
  if (!cJSON_IsArray(output) || (!is_word(root, "status", "completed") &&
                                 !is_word(root, "status", "incomplete")))
    return false;
  cJSON_ArrayForEach(item, output)
  {
    if (is_word(item, "type", "message"))
      add_texts(member(item, "content"), "output_text", ret);
  }
  return true;
}

static bool gemini(const cJSON *root, struct buf *ret)
{
  const cJSON *candidate = cJSON_GetArrayItem(member(root, "candidates"), 0);
  if (!cJSON_IsString(member(candidate, "finishReason")))
    return false;
  add_texts(member(member(candidate, "content"), "parts"), NULL, ret);
  return true;
}

bool answer_text(enum provider_shape shape, struct bytes body, struct buf *ret)
{
  static bool (*const reader[])(const cJSON *, struct buf *) = {
      [SHAPE_MESSAGES] = messages,
      [SHAPE_CHAT] = chat,
      [SHAPE_RESPONSES] = responses,
      [SHAPE_GEMINI] = gemini,
  };
  const char *end = NULL;
  cJSON *root = cJSON_ParseWithLengthOpts(body.p, body.n, &end, 0);
  bool whole = cJSON_IsObject(root);
  for (; whole && end < body.p + body.n; end++)
    whole = strchr(" \t\r\n", *end) && *end != '\0';
  bool ok = whole && reader[shape](root, ret);
  cJSON_Delete(root);
  return ok;
}
