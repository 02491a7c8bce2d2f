/* Takes an answer apart. Providers put the error in few places. */
#include "guard/classify/evidence.h"

#include "guard/classify/text.h"

#include <stdlib.h>
#include <string.h>

static const cJSON *member(const cJSON *object, const char *key)
{
  return cJSON_GetObjectItemCaseSensitive(object, key);
}

static const char *text_of(const cJSON *object, const char *key)
{
  const cJSON *item = member(object, key);

  return cJSON_IsString(item) ? item->valuestring : "";
}

/* Gemini without alt=sse sends an array; the error is its last element. */
static const cJSON *last_with_error(const cJSON *array)
{
  const cJSON *item, *found = NULL;

  cJSON_ArrayForEach(item, array)
  {
    if (cJSON_IsObject(member(item, "error")))
      found = item;
  }
  return found;
}

/* The object that holds type, code and message. */
static const cJSON *error_of(const cJSON *root)
{
  const cJSON *holder = cJSON_IsArray(root) ? last_with_error(root) : root;
  const cJSON *error = member(holder, "error");
  const cJSON *response = member(holder, "response");

  if (cJSON_IsObject(error))
    return error;
  if (cJSON_IsObject(member(response, "error")))
    return member(response, "error");
  /* Responses API "error" event and Mistral: the fields are at the top */
  if (guard_equal(text_of(holder, "type"), "error") ||
      guard_equal(text_of(holder, "object"), "error"))
    return holder;
  return NULL;
}

static void read_fields(struct guard_evidence *e)
{
  const cJSON *code = member(e->error, "code");

  e->type = text_of(e->error, "type");
  e->code = text_of(e->error, "code");
  e->word = text_of(e->error, "status");
  e->detail = text_of(member(e->error, "details"), "error_code");
  e->message = text_of(e->error, "message");
  if (cJSON_IsNumber(code))
    e->code_number = code->valueint;
  if (!e->message[0] && !e->error) {
    e->message = text_of(e->root, "message");
    if (!e->message[0])
      e->message = text_of(e->root, "error");
  }
}

static bool is_output(const struct guard_answer *a)
{
  return a->channel == GUARD_STDOUT || a->channel == GUARD_STDERR;
}

bool guard_evidence_init(struct guard_evidence *e, const struct guard_answer *a,
                         int depth)
{
  const char *body = a->body ? a->body : "";
  size_t n = a->body ? a->body_n : 0;

  *e =
      (struct guard_evidence){.answer = a, .status = a->status, .depth = depth};
  /* "429 Too Many Requests" is a JSON number first */
  if (!is_output(a) && guard_tree_read(&e->tree, body, n) &&
      (cJSON_IsObject(e->tree.root) || cJSON_IsArray(e->tree.root)))
    e->root = e->tree.root;
  e->error = error_of(e->root);
  read_fields(e);
  if (e->root)
    return true;
  e->text = guard_text_normal(body, n);
  if (e->text && e->text[0] != '<') /* a page is no message */
    e->message = e->text;
  return e->text != NULL;
}

void guard_evidence_release(struct guard_evidence *e)
{
  guard_tree_release(&e->tree);
  free(e->text);
}

bool guard_equal(const char *a, const char *b)
{
  return strcmp(a, b) == 0;
}

bool guard_begins(const char *text, const char *prefix)
{
  return strncmp(text, prefix, strlen(prefix)) == 0;
}

bool guard_contains(const char *text, const char *needle)
{
  return strstr(text, needle) != NULL;
}

bool guard_lookup(const struct guard_word *table, const char *word,
                  enum guard_class *ret)
{
  if (!word[0])
    return false;
  for (; table->word; table++)
    if (guard_equal(table->word, word)) {
      *ret = table->cls;
      return true;
    }
  return false;
}

bool guard_name_in(const char *list, const char *provider)
{
  size_t n = strlen(provider);

  for (const char *p = list; n > 0 && (p = strstr(p, provider)); p += n)
    if ((p == list || p[-1] == ' ') && (p[n] == ' ' || p[n] == '\0'))
      return true;
  return false;
}
