/*
 * How each provider's request holds the conversation. Sources: the request
 * types of the vendors' SDKs (messages.ts, chat/completions.ts, responses.ts
 * and @google/genai types.ts). What is of another shape is passed over: the
 * server answers such a request like any other.
 */
#include "mockserver/talk.h"

#include "base/param.h"

#include <string.h>

static const char *text_at(const cJSON *object, const char *key)
{
  const char *text = NULL;
  return param_string(object, key, &text) ? text : "";
}

static bool is(const cJSON *object, const char *key, const char *word)
{
  return strcmp(text_at(object, key), word) == 0;
}

static const cJSON *list(const cJSON *node)
{
  return cJSON_IsArray(node) ? node : NULL;
}

/* The text of a content that is a string or a list of parts with texts. */
static void add_content(const cJSON *content, struct buf *ret)
{
  const cJSON *part;
  if (cJSON_IsString(content))
    buf_adds(ret, content->valuestring);
  cJSON_ArrayForEach(part, list(content))
  {
    buf_adds(ret, text_at(part, "text"));
  }
}

static void add_result(struct talk *t, const char *id, const cJSON *content)
{
  struct buf text;
  buf_init(&text, t->result.max);
  add_content(content, &text);
  talk_result(t, id, buf_str(&text));
  buf_release(&text);
}

/* Results stand in a message of the user. */
static void anthropic_user(const cJSON *content, struct talk *t)
{
  const cJSON *part;
  bool said = cJSON_IsString(content), told = false;
  cJSON_ArrayForEach(part, list(content))
  {
    said |= is(part, "type", "text");
    told |= is(part, "type", "tool_result");
  }
  if (said)
    talk_user(t);
  t->ends_with_result = told;
  cJSON_ArrayForEach(part, list(content))
  {
    if (is(part, "type", "text"))
      talk_say(t, text_at(part, "text"));
    else if (is(part, "type", "tool_result"))
      add_result(t, text_at(part, "tool_use_id"), param_node(part, "content"));
  }
  if (cJSON_IsString(content))
    talk_say(t, content->valuestring);
}

void talk_anthropic(const cJSON *request, struct talk *ret)
{
  const cJSON *m;
  cJSON_ArrayForEach(m, param_node(request, "messages"))
  {
    if (is(m, "role", "user"))
      anthropic_user(param_node(m, "content"), ret);
    else if (is(m, "role", "assistant"))
      talk_model(ret);
  }
}

void talk_chat(const cJSON *request, struct talk *ret)
{
  const cJSON *m;
  cJSON_ArrayForEach(m, param_node(request, "messages"))
  {
    const cJSON *content = param_node(m, "content");
    if (is(m, "role", "user")) {
      talk_user(ret);
      add_content(content, &ret->user);
    } else if (is(m, "role", "assistant")) {
      talk_model(ret);
    } else if (is(m, "role", "tool")) {
      add_result(ret, text_at(m, "tool_call_id"), content);
    }
  }
}

static bool is_answer(const cJSON *item)
{
  return is(item, "role", "assistant") || is(item, "type", "function_call") ||
         is(item, "type", "reasoning");
}

/* Items of one answer stand one behind the other. */
void talk_responses(const cJSON *request, struct talk *ret)
{
  const cJSON *input = param_node(request, "input"), *item;
  bool in_answer = false;
  if (cJSON_IsString(input))
    talk_say(ret, input->valuestring);
  cJSON_ArrayForEach(item, list(input))
  {
    bool answer = is_answer(item);
    if (answer && !in_answer)
      talk_model(ret);
    in_answer = answer;
    if (is(item, "role", "user")) {
      talk_user(ret);
      add_content(param_node(item, "content"), &ret->user);
    } else if (is(item, "type", "function_call_output")) {
      add_result(ret, text_at(item, "call_id"), param_node(item, "output"));
    }
  }
}

static void gemini_result(const cJSON *response, struct talk *t)
{
  const char *id = text_at(response, "id");
  char *text = cJSON_PrintUnformatted(param_node(response, "response"));
  talk_result(t, *id ? id : text_at(response, "name"), text);
  cJSON_free(text);
}

/* Results stand in a content of the user, or of the role function. */
static void gemini_user(const cJSON *parts, struct talk *t)
{
  const cJSON *part;
  bool said = false, told = false;
  cJSON_ArrayForEach(part, parts)
  {
    said |= param_has(part, "text");
    told |= param_has(part, "functionResponse");
  }
  if (said)
    talk_user(t);
  t->ends_with_result = told;
  cJSON_ArrayForEach(part, parts)
  {
    if (param_has(part, "functionResponse"))
      gemini_result(param_node(part, "functionResponse"), t);
    else
      talk_say(t, text_at(part, "text"));
  }
}

void talk_gemini(const cJSON *request, struct talk *ret)
{
  const cJSON *c;
  cJSON_ArrayForEach(c, param_node(request, "contents"))
  {
    if (is(c, "role", "model"))
      talk_model(ret);
    else
      gemini_user(param_node(c, "parts"), ret);
  }
}
