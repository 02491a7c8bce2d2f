/*
 * Anthropic Messages API. Sources: platform.claude.com/docs/en/api/errors,
 * docs.claude.com messages-streaming, and what the SDKs and the CLI read
 * (docs/providers.md names them one by one).
 */
#include "mockserver/provider/anthropic_errors.h"

#include <string.h>

static const struct provider_path paths[] = {
    {"/v1/messages", ENDPOINT_GENERATE, false},
    {"/v1/messages/count_tokens", ENDPOINT_COUNT, false},
    /* some clients leave the version to the base URL */
    {"/messages", ENDPOINT_GENERATE, false},
    {"/messages/count_tokens", ENDPOINT_COUNT, false},
    {NULL, ENDPOINT_UNKNOWN, false}};

static void request_id(struct ids *ids, struct buf *ret)
{
  buf_adds(ret, "req_01");
  ids_base62(ids, 22, ret);
}

static void reply_ids(struct ids *ids, struct reply *r)
{
  struct buf id;
  buf_init(&id, sizeof r->id - 1);
  buf_adds(&id, "msg_01");
  ids_base62(ids, 22, &id);
  memcpy(r->id, buf_str(&id), id.n + 1);
  buf_release(&id);
}

/* The error object alone: details first when there are any. */
static void error_object(const struct provider_error *e,
                         const struct value_scope *s, struct buf *ret)
{
  buf_addc(ret, '{');
  if (e->details)
    buf_addf(ret, "\"details\":%s,", e->details);
  buf_addf(ret, "\"type\":\"%s\",\"message\":\"", e->type);
  value_expand(bytes_of(e->message), s, ret);
  buf_adds(ret, "\"}");
}

static void error_body(const struct provider_error *e,
                       const struct value_scope *s, struct buf *ret)
{
  buf_adds(ret, "{\"type\":\"error\",\"error\":");
  error_object(e, s, ret);
  if (!e->no_request_id) {
    buf_adds(ret, ",\"request_id\":\"");
    buf_addb(ret, s->request_id);
    buf_addc(ret, '"');
  }
  buf_addc(ret, '}');
}

static void message_head(const struct reply *r, struct buf *ret)
{
  buf_addf(ret, "{\"id\":\"%s\",\"type\":\"message\",\"role\":\"assistant\",",
           r->id);
  buf_adds(ret, "\"model\":");
  buf_add_json(ret, bytes_of(r->model));
}

static void plain(const struct reply *r, struct buf *ret)
{
  message_head(r, ret);
  buf_adds(ret, ",\"content\":[{\"type\":\"text\",\"text\":\"");
  reply_text_json(r, ret);
  buf_addf(ret,
           "\"}],\"stop_reason\":\"end_turn\",\"stop_sequence\":null,"
           "\"usage\":{\"input_tokens\":%llu,\"output_tokens\":%llu}}",
           (unsigned long long)r->input_tokens, (unsigned long long)r->chunks);
}

/* message_start, content_block_start, ping; the deltas; content_block_stop,
 * message_delta, message_stop. */
enum { EVENTS_BEFORE = 3, EVENTS_BEHIND = 3 };

static uint64_t events(const struct reply *r)
{
  return EVENTS_BEFORE + r->chunks + EVENTS_BEHIND;
}

static uint64_t text_events(const struct reply *r)
{
  return EVENTS_BEFORE + r->chunks;
}

static void message_start(const struct reply *r, struct buf *ret)
{
  buf_adds(ret, "event: message_start\ndata: "
                "{\"type\":\"message_start\",\"message\":");
  message_head(r, ret);
  buf_addf(ret,
           ",\"content\":[],\"stop_reason\":null,\"stop_sequence\":null,"
           "\"usage\":{\"input_tokens\":%llu,\"output_tokens\":1}}}\n\n",
           (unsigned long long)r->input_tokens);
}

static void content_delta(const struct reply *r, uint64_t i, struct buf *ret)
{
  buf_adds(ret, "event: content_block_delta\ndata: "
                "{\"type\":\"content_block_delta\",\"index\":0,"
                "\"delta\":{\"type\":\"text_delta\",\"text\":\"");
  reply_piece_json(r, i, ret);
  buf_adds(ret, "\"}}\n\n");
}

#define PING "event: ping\ndata: {\"type\": \"ping\"}\n\n"

static void event_before(const struct reply *r, uint64_t i, struct buf *ret)
{
  if (i == 0)
    message_start(r, ret);
  else if (i == 1)
    buf_adds(ret, "event: content_block_start\ndata: "
                  "{\"type\":\"content_block_start\",\"index\":0,"
                  "\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n");
  else
    buf_adds(ret, PING);
}

static void event(const struct reply *r, uint64_t i, struct buf *ret)
{
  uint64_t behind = i - EVENTS_BEFORE - r->chunks;
  if (i < EVENTS_BEFORE)
    event_before(r, i, ret);
  else if (i < EVENTS_BEFORE + r->chunks)
    content_delta(r, i - EVENTS_BEFORE, ret);
  else if (behind == 0)
    buf_adds(ret, "event: content_block_stop\ndata: "
                  "{\"type\":\"content_block_stop\",\"index\":0}\n\n");
  else if (behind == 1)
    buf_addf(ret,
             "event: message_delta\ndata: {\"type\":\"message_delta\","
             "\"delta\":{\"stop_reason\":\"end_turn\","
             "\"stop_sequence\":null},"
             "\"usage\":{\"output_tokens\":%llu}}\n\n",
             (unsigned long long)r->chunks);
  else
    buf_adds(ret, "event: message_stop\ndata: "
                  "{\"type\":\"message_stop\"}\n\n");
}

static void error_event(const struct provider_error *e, const struct reply *r,
                        uint64_t i, const struct value_scope *s,
                        struct buf *ret)
{
  (void)r;
  (void)i;
  buf_adds(ret, "event: error\ndata: {\"type\":\"error\",\"error\":");
  error_object(e, s, ret);
  buf_adds(ret, "}\n\n");
}

const struct provider provider_anthropic = {
    .name = "anthropic",
    .summary = "Anthropic Messages API: /v1/messages",
    .paths = paths,
    .errors = anthropic_errors,
    .json_type = "application/json",
    .stream_type = "text/event-stream; charset=utf-8",
    .headers = "request-id: {{request_id}}\r\n",
    .models = "{\"data\":[{\"type\":\"model\",\"id\":\"claude-x\","
              "\"display_name\":\"Claude X\","
              "\"created_at\":\"2025-01-01T00:00:00Z\"}],"
              "\"has_more\":false,\"first_id\":\"claude-x\","
              "\"last_id\":\"claude-x\"}",
    .count = "{\"input_tokens\":#}",
    .request_id = request_id,
    .reply_ids = reply_ids,
    .error_body = error_body,
    .plain = plain,
    .events = events,
    .text_events = text_events,
    .event = event,
    .error_event = error_event,
    .ping = PING};
