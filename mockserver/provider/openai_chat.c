/*
 * OpenAI Chat Completions. Sources: the OpenAPI file, openai-python
 * _streaming.py and openai-node core/streaming.ts (docs/providers.md).
 */
#include "mockserver/provider/openai_errors.h"

static const struct provider_path paths[] = {
    {"/v1/chat/completions", ENDPOINT_GENERATE, false},
    {"/chat/completions", ENDPOINT_GENERATE, false},
    {"/v1/models", ENDPOINT_MODELS, false},
    {"/models", ENDPOINT_MODELS, false},
    {NULL, ENDPOINT_UNKNOWN, false}};

static void reply_ids(struct ids *ids, struct reply *r)
{
  openai_id(ids, "chatcmpl-", 29, r->id);
}

static void head(const struct reply *r, const char *object, struct buf *ret)
{
  buf_addf(ret, "{\"id\":\"%s\",\"object\":\"%s\",\"created\":%lld,\"model\":",
           r->id, object, (long long)r->created_epoch_s);
  buf_add_json(ret, bytes_of(r->model));
}

static void usage(const struct reply *r, struct buf *ret)
{
  buf_addf(ret,
           ",\"usage\":{\"prompt_tokens\":%llu,\"completion_tokens\":%llu,"
           "\"total_tokens\":%llu}",
           (unsigned long long)r->input_tokens, (unsigned long long)r->chunks,
           (unsigned long long)(r->input_tokens + r->chunks));
}

static void plain(const struct reply *r, struct buf *ret)
{
  head(r, "chat.completion", ret);
  buf_adds(ret, ",\"choices\":[{\"index\":0,\"message\":"
                "{\"role\":\"assistant\",\"content\":\"");
  reply_text_json(r, ret);
  buf_adds(ret, "\",\"refusal\":null},\"logprobs\":null,"
                "\"finish_reason\":\"stop\"}]");
  usage(r, ret);
  buf_addc(ret, '}');
}

/* The role; the deltas; the finish, the usage if asked for, [DONE]. */
static uint64_t text_events(const struct reply *r)
{
  return 1 + r->chunks;
}

static uint64_t events(const struct reply *r)
{
  return text_events(r) + 1 + r->with_usage + 1;
}

static void chunk(const struct reply *r, const char *delta, uint64_t piece,
                  const char *finish, struct buf *ret)
{
  buf_adds(ret, "data: ");
  head(r, "chat.completion.chunk", ret);
  buf_adds(ret, ",\"choices\":[{\"index\":0,\"delta\":{");
  buf_adds(ret, delta);
  if (piece < r->chunks) {
    buf_adds(ret, "\"content\":\"");
    reply_piece_json(r, piece, ret);
    buf_addc(ret, '"');
  }
  buf_addf(ret, "},\"finish_reason\":%s}]}\n\n", finish);
}

static void event(const struct reply *r, uint64_t i, struct buf *ret)
{
  if (i == 0) {
    chunk(r, "\"role\":\"assistant\",\"content\":\"\"", UINT64_MAX, "null",
          ret);
  } else if (i < text_events(r)) {
    chunk(r, "", i - 1, "null", ret);
  } else if (i == text_events(r)) {
    chunk(r, "", UINT64_MAX, "\"stop\"", ret);
  } else if (i + 1 < events(r)) {
    buf_adds(ret, "data: ");
    head(r, "chat.completion.chunk", ret);
    buf_adds(ret, ",\"choices\":[]");
    usage(r, ret);
    buf_adds(ret, "}\n\n");
  } else {
    buf_adds(ret, "data: [DONE]\n\n");
  }
}

static void error_event(const struct provider_error *e, const struct reply *r,
                        uint64_t i, const struct value_scope *s,
                        struct buf *ret)
{
  (void)r;
  (void)i;
  buf_adds(ret, "data: ");
  openai_error_body(e, s, ret);
  buf_adds(ret, "\n\n");
}

const struct provider provider_openai_chat = {
    .name = "openai",
    .summary = "OpenAI Chat Completions: /v1/chat/completions",
    .paths = paths,
    .errors = openai_errors,
    .json_type = "application/json",
    .stream_type = "text/event-stream; charset=utf-8",
    .headers = OPENAI_HEADERS,
    .models = OPENAI_MODELS,
    .count = "{\"object\":\"response.input_tokens\",\"input_tokens\":#}",
    .request_id = openai_request_id,
    .reply_ids = reply_ids,
    .error_body = openai_error_body,
    .plain = plain,
    .events = events,
    .text_events = text_events,
    .event = event,
    .error_event = error_event,
    .ping = ": keep-alive\n\n"};
