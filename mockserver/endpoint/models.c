/*
 * Lists of models and one model. Sources: the SDKs' models resources
 * (@anthropic-ai/sdk and openai src/resources/models.ts, @google/genai).
 * Any id asked for is there: a client names the model it was told to use.
 */
#include "mockserver/endpoint.h"

#include <string.h>

static bool is_anthropic(const struct endpoint_ask *q)
{
  return strcmp(q->provider->name, "anthropic") == 0;
}

static bool is_gemini(const struct endpoint_ask *q)
{
  return strcmp(q->provider->name, "gemini") == 0;
}

static void add_anthropic(const char *id, struct buf *ret)
{
  buf_adds(ret, "{\"type\":\"model\",\"id\":");
  buf_add_json(ret, bytes_of(id));
  buf_adds(ret, ",\"display_name\":");
  buf_add_json(ret, bytes_of(id));
  buf_adds(ret, ",\"created_at\":\"2025-01-01T00:00:00Z\"}");
}

static void add_openai(const char *id, struct buf *ret)
{
  buf_adds(ret, "{\"id\":");
  buf_add_json(ret, bytes_of(id));
  buf_adds(ret, ",\"object\":\"model\",\"created\":1735689600,"
                "\"owned_by\":\"openai\"}");
}

static void add_gemini(const char *id, const char *indent, struct buf *ret)
{
  buf_addf(ret, "%s{\n%s  \"name\": \"models/%s\",\n", indent, indent, id);
  buf_addf(ret, "%s  \"displayName\": \"%s\",\n", indent, id);
  buf_addf(ret,
           "%s  \"supportedGenerationMethods\": [\n"
           "%s    \"generateContent\",\n"
           "%s    \"countTokens\",\n"
           "%s    \"embedContent\"\n"
           "%s  ]\n%s}",
           indent, indent, indent, indent, indent, indent);
}

static void list(const struct endpoint_ask *q, struct endpoint_answer *ret)
{
  if (is_gemini(q)) {
    buf_adds(&ret->body, "{\n  \"models\": [\n");
    add_gemini("gemini-x", "    ", &ret->body);
    buf_adds(&ret->body, "\n  ]\n}\n");
  } else if (is_anthropic(q)) {
    buf_adds(&ret->body, "{\"data\":[");
    add_anthropic("claude-x", &ret->body);
    buf_adds(&ret->body, "],\"has_more\":false,\"first_id\":\"claude-x\","
                         "\"last_id\":\"claude-x\"}");
  } else {
    buf_adds(&ret->body, "{\"object\":\"list\",\"data\":[");
    add_openai("gpt-x", &ret->body);
    buf_adds(&ret->body, "]}");
  }
}

static void get(const struct endpoint_ask *q, struct endpoint_answer *ret)
{
  if (is_gemini(q)) {
    add_gemini(q->call->model, "", &ret->body);
    buf_addc(&ret->body, '\n');
  } else if (is_anthropic(q)) {
    add_anthropic(q->call->model, &ret->body);
  } else {
    add_openai(q->call->model, &ret->body);
  }
}

#define LIST(path, provider, shared)                                           \
  {                                                                            \
    "models.list", "GET", path, provider, shared, false, ENDPOINT_MODELS, list \
  }
#define GET(path, provider, shared)                                            \
  {                                                                            \
    "models.get", "GET", path, provider, shared, true, ENDPOINT_MODELS, get    \
  }

static const struct endpoint_route routes[] = {
    LIST("/v1/models", "openai", true),
    LIST("/models", "openai", true),
    LIST("/v1beta/models", "gemini", false),
    GET("/v1/models/*", "openai", true),
    GET("/models/*", "openai", true),
    GET("/v1beta/models/*", "gemini", false),
    {.name = NULL}};

const struct endpoint_family endpoint_models = {
    .name = "models",
    .summary = "Lists of models and one model; the form follows the client's "
               "headers.",
    .routes = routes};
