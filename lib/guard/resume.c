#include "guard/resume.h"

#include "guard/resume_rules.h"

#include <cjson/cJSON.h>

#include <stdio.h>
#include <string.h>

/* The sentence of the Claude API documentation, around the text that came. */
static const char told_before[] =
    "Your previous response was interrupted and ended with [";
static const char told_behind[] = "]. Continue from where you left off.";

enum { MOST_BYTES_PER_BYTE = 6 /* of JSON: \u0001 */, FRAME_BYTES = 200 };

const char *guard_resume_why(enum guard_resume r)
{
  static const char *const why[GUARD_RESUME_NWAYS] = {
      "goes on from an assistant message",
      "goes on from a user message",
      "the response goes on by itself and can be fetched",
      "no text came: start over",
      "only thinking came, which cannot be resumed: start over",
      "a tool was called, which cannot be resumed: start over",
      "a block of an unknown kind came: start over",
      "the answer is bound to a format: start over",
      "the provider documents no way to go on: start over",
      "the request is not one that can be added to",
      "the text is not UTF-8",
      "the buffer is too small",
  };

  return why[r];
}

static const char *text_of(const cJSON *object, const char *key)
{
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);

  return cJSON_IsString(item) ? item->valuestring : "";
}

static uint32_t kind_of(const char *type)
{
  if (strcmp(type, "text") == 0)
    return GUARD_BLOCK_TEXT;
  if (strcmp(type, "thinking") == 0 || strcmp(type, "redacted_thinking") == 0)
    return GUARD_BLOCK_THINKING;
  /* tool_use, server_tool_use, mcp_tool_use, web_search_tool_result, ... */
  if (strstr(type, "tool_use") || strstr(type, "tool_result"))
    return GUARD_BLOCK_TOOL;
  return GUARD_BLOCK_OTHER;
}

uint32_t guard_resume_block(const struct guard_sse_event *e)
{
  cJSON *json = cJSON_ParseWithLength(e->data, e->data_n);
  uint32_t kind = 0;

  if (strcmp(text_of(json, "type"), "content_block_start") == 0)
    kind = kind_of(text_of(
        cJSON_GetObjectItemCaseSensitive(json, "content_block"), "type"));
  cJSON_Delete(json);
  return kind;
}

/* A whole JSON text with nothing but blanks behind it. */
static cJSON *parse(const char *p, size_t n)
{
  const char *end = NULL;
  cJSON *json = cJSON_ParseWithLengthOpts(p, n, &end, 0);

  while (json && end < p + n && (unsigned char)*end <= ' ')
    end++;
  if (json && end == p + n)
    return json;
  cJSON_Delete(json);
  return NULL;
}

static bool is_bound_to_format(const cJSON *request)
{
  const cJSON *config =
      cJSON_GetObjectItemCaseSensitive(request, "output_config");

  return cJSON_IsObject(cJSON_GetObjectItemCaseSensitive(config, "format")) ||
         cJSON_IsObject(
             cJSON_GetObjectItemCaseSensitive(request, "output_format"));
}

/* With thinking on, an assistant message must begin with a thinking block,
 * so there is no prefill then. */
static bool thinks(const cJSON *request)
{
  const cJSON *thinking = cJSON_GetObjectItemCaseSensitive(request, "thinking");

  return cJSON_IsObject(thinking) &&
         strcmp(text_of(thinking, "type"), "disabled") != 0;
}

/* cJSON ends a key at a NUL, guard_splice_place() does not: with two keys that
 * look alike to one of them they could mean different ones. */
static const cJSON *only_messages(const cJSON *request)
{
  const cJSON *messages = NULL, *item;

  cJSON_ArrayForEach(item, request)
  {
    if (!item->string || strcmp(item->string, "messages") != 0)
      continue;
    if (messages)
      return NULL;
    messages = item;
  }
  return messages;
}

/* NULL unless there is a last message with a role. */
static const cJSON *last_message(const cJSON *request)
{
  const cJSON *messages = only_messages(request);
  const cJSON *last =
      cJSON_GetArrayItem(messages, cJSON_GetArraySize(messages) - 1);

  return cJSON_IsArray(messages) && text_of(last, "role")[0] ? last : NULL;
}

/* Which way a request of the Messages API goes on. A request that had an
 * assistant message to go on from keeps it and is told: two such messages in
 * a row would be joined in a way that is not documented. */
static enum guard_resume way_of(const cJSON *request)
{
  const cJSON *last = last_message(request);

  if (!last || !text_of(request, "model")[0])
    return GUARD_RESUME_REQUEST;
  if (is_bound_to_format(request))
    return GUARD_RESUME_FORMAT;
  if (guard_model_takes_prefill(text_of(request, "model")) &&
      !thinks(request) && strcmp(text_of(last, "role"), "assistant") != 0)
    return GUARD_RESUME_ASSISTANT;
  return GUARD_RESUME_USER;
}

/* Bytes of |p| without the blanks at its end, the wide ones too: an assistant
 * message that ends in one is refused. */
static size_t without_blanks(const char *p, size_t n)
{
  static const char *const blanks[] = {" ",        "\t",           "\n", "\r",
                                       "\xc2\xa0", "\xe3\x80\x80", "\v", "\f"};
  size_t i = 0;

  while (i < sizeof(blanks) / sizeof(blanks[0])) {
    size_t blank_n = strlen(blanks[i]);

    if (n >= blank_n && memcmp(p + n - blank_n, blanks[i], blank_n) == 0) {
      n -= blank_n;
      i = 0;
    } else {
      i++;
    }
  }
  return n;
}

static enum guard_resume from_blocks(uint32_t blocks)
{
  if (blocks & GUARD_BLOCK_TOOL)
    return GUARD_RESUME_TOOL;
  if (blocks & GUARD_BLOCK_OTHER)
    return GUARD_RESUME_UNKNOWN;
  return GUARD_RESUME_USER;
}

static enum guard_resume decide(const struct guard_cut *c, size_t *ret_kept_n)
{
  struct guard_scan text = guard_scan_of(c->text, c->text_n);
  enum guard_resume way = from_blocks(c->blocks);
  cJSON *request;
  size_t n;

  if (way != GUARD_RESUME_USER)
    return way;
  if (!guard_splice_utf8(text, &n))
    return GUARD_RESUME_BAD_TEXT;
  if (without_blanks(text.p, n) == 0)
    return c->blocks & GUARD_BLOCK_THINKING ? GUARD_RESUME_THINKING
                                            : GUARD_RESUME_NO_TEXT;
  request = parse(c->request, c->request_n);
  way = request ? way_of(request) : GUARD_RESUME_REQUEST;
  cJSON_Delete(request);
  *ret_kept_n = way == GUARD_RESUME_ASSISTANT ? without_blanks(text.p, n) : n;
  return way;
}

static void add(struct guard_out *o, const char *text)
{
  guard_out_add(o, text, strlen(text));
}

static void add_message(struct guard_out *o, enum guard_resume way,
                        const char *text, size_t n)
{
  bool told = way == GUARD_RESUME_USER;

  add(o, told ? ",{\"role\":\"user\",\"content\":\""
              : ",{\"role\":\"assistant\",\"content\":\"");
  add(o, told ? told_before : "");
  guard_out_escaped(o, text, n);
  add(o, told ? told_behind : "");
  add(o, "\"}");
}

size_t guard_resume_room(const struct guard_cut *c)
{
  return c->request_n + c->text_n * MOST_BYTES_PER_BYTE + FRAME_BYTES;
}

static enum guard_resume build(const struct guard_cut *c, enum guard_resume way,
                               struct guard_out *o, struct guard_resumed *ret)
{
  size_t place;

  if (!guard_splice_place(guard_scan_of(c->request, c->request_n), &place))
    return GUARD_RESUME_REQUEST;
  guard_out_add(o, c->request, place);
  add_message(o, way, c->text, ret->kept_n);
  guard_out_add(o, c->request + place, c->request_n - place);
  guard_out_add(o, "", 1);
  if (o->full)
    return GUARD_RESUME_TOO_SMALL;
  ret->body_n = o->n - 1;
  return way;
}

/* Only a response in the background outlives its connection. */
static enum guard_resume from_responses(const struct guard_cut *c)
{
  cJSON *request = parse(c->request, c->request_n);
  bool goes_on =
      cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(request, "background"));
  bool read = request != NULL;

  cJSON_Delete(request);
  if (!read)
    return GUARD_RESUME_REQUEST;
  return goes_on ? GUARD_RESUME_FETCH : GUARD_RESUME_PROVIDER;
}

enum guard_resume guard_resume(const struct guard_cut *c, char *ret_body,
                               size_t size, struct guard_resumed *ret)
{
  struct guard_out out = {ret_body, 0, size, false};
  struct guard_resumed resumed = {0, 0, false};
  enum guard_resume way;

  if (c->provider && strcmp(c->provider, "openai-responses") == 0)
    return from_responses(c);
  if (!c->provider || strcmp(c->provider, "anthropic") != 0)
    return GUARD_RESUME_PROVIDER;
  way = decide(c, &resumed.kept_n);
  if (way != GUARD_RESUME_ASSISTANT && way != GUARD_RESUME_USER)
    return way;
  resumed.thinking_dropped = (c->blocks & GUARD_BLOCK_THINKING) != 0;
  way = build(c, way, &out, &resumed);
  if (way == GUARD_RESUME_ASSISTANT || way == GUARD_RESUME_USER)
    *ret = resumed;
  return way;
}

static bool is_id(const char *id)
{
  if (!id || !id[0])
    return false;
  for (; *id; id++)
    if (!guard_is_alnum((unsigned char)*id) && *id != '_' && *id != '-')
      return false;
  return true;
}

bool guard_resume_path(const char *response_id, int64_t sequence, char *ret,
                       size_t size)
{
  int n;

  if (!is_id(response_id))
    return false;
  if (sequence < 0)
    n = snprintf(ret, size, "/responses/%s?stream=true", response_id);
  else
    n = snprintf(ret, size, "/responses/%s?stream=true&starting_after=%lld",
                 response_id, (long long)sequence);
  return n >= 0 && (size_t)n < size;
}
