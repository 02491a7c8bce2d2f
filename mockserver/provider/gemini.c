/*
 * Gemini API. Sources: recorded answers in issues of gemini-cli and
 * python-genai, and what @google/genai reads (docs/providers.md).
 */
#include "mockserver/provider/gemini_errors.h"

#include <string.h>

/* Clients use v1 or v1beta: SDKs since 3.x the former. */
#define METHODS(version)                                                       \
  {version "/models/*:generateContent", ENDPOINT_GENERATE, false},             \
      {version "/models/*:streamGenerateContent", ENDPOINT_GENERATE, true},    \
  {                                                                            \
    version "/models/*:countTokens", ENDPOINT_COUNT, false                     \
  }

static const struct provider_path paths[] = {
    METHODS("/v1beta"),
    METHODS("/v1"),
    {"/v1beta/models", ENDPOINT_MODELS, false},
    {NULL, ENDPOINT_UNKNOWN, false}};

static void request_id(struct ids *ids, struct buf *ret)
{
  ids_base62(ids, 22, ret);
}

static void reply_ids(struct ids *ids, struct reply *r)
{
  struct buf id;
  buf_init(&id, sizeof r->id - 1);
  ids_base62(ids, 22, &id);
  memcpy(r->id, buf_str(&id), id.n + 1);
  buf_release(&id);
}

static void error_body(const struct provider_error *e,
                       const struct value_scope *s, struct buf *ret)
{
  buf_addf(ret, "{\n  \"error\": {\n    \"code\": %d,\n    \"message\": \"",
           e->status);
  value_expand(bytes_of(e->message), s, ret);
  buf_addf(ret, "\",\n    \"status\": \"%s\"", e->type);
  if (e->details) {
    buf_adds(ret, ",\n    \"details\": [\n");
    value_expand(bytes_of(e->details), s, ret);
    buf_adds(ret, "\n    ]");
  }
  buf_adds(ret, "\n  }\n}\n");
}

static void plain(const struct reply *r, struct buf *ret)
{
  buf_adds(ret, "{\n  \"candidates\": [\n    {\n      \"content\": {\n"
                "        \"parts\": [\n          {\n"
                "            \"text\": \"");
  reply_text_json(r, ret);
  buf_addf(ret,
           "\"\n          }\n        ],\n        \"role\": \"model\"\n"
           "      },\n      \"finishReason\": \"STOP\",\n"
           "      \"index\": 0\n    }\n  ],\n"
           "  \"usageMetadata\": {\n    \"promptTokenCount\": %llu,\n"
           "    \"candidatesTokenCount\": %llu,\n"
           "    \"totalTokenCount\": %llu\n  },\n"
           "  \"modelVersion\": ",
           (unsigned long long)r->input_tokens, (unsigned long long)r->chunks,
           (unsigned long long)(r->input_tokens + r->chunks));
  buf_add_json(ret, bytes_of(r->model));
  buf_addf(ret, ",\n  \"responseId\": \"%s\"\n}\n", r->id);
}

static uint64_t events(const struct reply *r)
{
  return r->chunks;
}

/* The last delta carries the finish reason. */
static uint64_t text_events(const struct reply *r)
{
  return r->chunks - 1;
}

static void candidate(const struct reply *r, uint64_t i, struct buf *ret)
{
  bool last = i + 1 == r->chunks;
  uint64_t output = i + 1;
  buf_adds(ret, "{\"candidates\": [{\"content\": {\"parts\": [{\"text\": \"");
  reply_piece_json(r, i, ret);
  buf_adds(ret, "\"}],\"role\": \"model\"},");
  if (last)
    buf_adds(ret, "\"finishReason\": \"STOP\",");
  buf_addf(ret,
           "\"index\": 0}],\"usageMetadata\": {\"promptTokenCount\": %llu,"
           "\"candidatesTokenCount\": %llu,\"totalTokenCount\": %llu},"
           "\"modelVersion\": ",
           (unsigned long long)r->input_tokens, (unsigned long long)output,
           (unsigned long long)(r->input_tokens + output));
  buf_add_json(ret, bytes_of(r->model));
  buf_addf(ret, ",\"responseId\": \"%s\"}", r->id);
}

/* Without alt=sse the stream is one JSON array. */
static void open_element(const struct reply *r, uint64_t i, struct buf *ret)
{
  buf_adds(ret, !r->as_array ? "data: " : i == 0 ? "[" : ",\r\n");
}

static void close_element(const struct reply *r, bool last, struct buf *ret)
{
  buf_adds(ret, !r->as_array ? "\r\n\r\n" : last ? "\r\n]" : "");
}

static void event(const struct reply *r, uint64_t i, struct buf *ret)
{
  open_element(r, i, ret);
  candidate(r, i, ret);
  close_element(r, i + 1 == r->chunks, ret);
}

static void error_event(const struct provider_error *e, const struct reply *r,
                        uint64_t i, const struct value_scope *s,
                        struct buf *ret)
{
  open_element(r, i, ret);
  buf_addf(ret, "{\"error\": {\"code\": %d, \"message\": \"", e->status);
  value_expand(bytes_of(e->message), s, ret);
  buf_addf(ret, "\", \"status\": \"%s\"}}", e->type);
  close_element(r, true, ret);
}

const struct provider provider_gemini = {
    .name = "gemini",
    .summary = "Gemini API: /v1beta/models/MODEL:generateContent",
    .paths = paths,
    .errors = gemini_errors,
    .json_type = "application/json; charset=UTF-8",
    .stream_type = "text/event-stream",
    .headers = GEMINI_HEADERS,
    .models = "{\n  \"models\": [\n    {\n"
              "      \"name\": \"models/gemini-x\",\n"
              "      \"displayName\": \"Gemini X\",\n"
              "      \"supportedGenerationMethods\": [\n"
              "        \"generateContent\",\n        \"countTokens\"\n"
              "      ]\n    }\n  ]\n}\n",
    .count = "{\n  \"totalTokens\": #\n}\n",
    .request_id = request_id,
    .reply_ids = reply_ids,
    .error_body = error_body,
    .plain = plain,
    .events = events,
    .text_events = text_events,
    .event = event,
    .error_event = error_event,
    .ping = ": keep-alive\r\n\r\n"};
