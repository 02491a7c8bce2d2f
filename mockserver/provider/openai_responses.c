/*
 * OpenAI Responses. Sources: openapi.yaml (ResponseStreamEvent,
 * ResponseFailedEvent) and what the Codex client reads (docs/providers.md).
 */
#include "mockserver/provider/openai_errors.h"

static const struct provider_path paths[] = {
    {"/v1/responses", ENDPOINT_GENERATE, false},
    {"/responses", ENDPOINT_GENERATE, false},
    {"/v1/responses/input_tokens", ENDPOINT_COUNT, false},
    {NULL, ENDPOINT_UNKNOWN, false}};

static void reply_ids(struct ids *ids, struct reply *r)
{
  openai_id(ids, "resp_", 48, r->id);
  openai_id(ids, "msg_", 48, r->item_id);
}

static void item(const struct reply *r, bool done, struct buf *ret)
{
  buf_addf(ret,
           "{\"id\":\"%s\",\"type\":\"message\",\"status\":\"%s\","
           "\"role\":\"assistant\",\"content\":[",
           r->item_id, done ? "completed" : "in_progress");
  if (done) {
    buf_adds(ret, "{\"type\":\"output_text\",\"text\":\"");
    reply_text_json(r, ret);
    buf_adds(ret, "\",\"annotations\":[]}");
  }
  buf_adds(ret, "]}");
}

/* The response object; `error` is JSON, `output` puts the message in. */
static void response(const struct reply *r, const char *status,
                     const char *error, bool output, struct buf *ret)
{
  buf_addf(ret,
           "{\"id\":\"%s\",\"object\":\"response\",\"created_at\":%lld,"
           "\"status\":\"%s\",\"error\":%s,\"incomplete_details\":null,"
           "\"model\":",
           r->id, (long long)r->created_epoch_s, status, error);
  buf_add_json(ret, bytes_of(r->model));
  buf_adds(ret, ",\"output\":[");
  if (!output) {
    buf_adds(ret, "]}");
    return;
  }
  item(r, true, ret);
  buf_addf(ret,
           "],\"usage\":{\"input_tokens\":%llu,"
           "\"input_tokens_details\":{\"cached_tokens\":0},"
           "\"output_tokens\":%llu,"
           "\"output_tokens_details\":{\"reasoning_tokens\":0},"
           "\"total_tokens\":%llu}}",
           (unsigned long long)r->input_tokens, (unsigned long long)r->chunks,
           (unsigned long long)(r->input_tokens + r->chunks));
}

static void plain(const struct reply *r, struct buf *ret)
{
  response(r, "completed", "null", true, ret);
}

/* created, in_progress, output_item.added, content_part.added; the deltas;
 * output_text.done, content_part.done, output_item.done, completed. */
enum { EVENTS_BEFORE = 4, EVENTS_BEHIND = 4 };

static uint64_t text_events(const struct reply *r)
{
  return EVENTS_BEFORE + r->chunks;
}

static uint64_t events(const struct reply *r)
{
  return EVENTS_BEFORE + r->chunks + EVENTS_BEHIND;
}

static const char *const names_before[] = {
    "response.created", "response.in_progress", "response.output_item.added",
    "response.content_part.added"};
static const char *const names_behind[] = {
    "response.output_text.done", "response.content_part.done",
    "response.output_item.done", "response.completed"};

static const char *event_name(const struct reply *r, uint64_t i)
{
  if (i < EVENTS_BEFORE)
    return names_before[i];
  if (i < EVENTS_BEFORE + r->chunks)
    return "response.output_text.delta";
  return names_behind[i - EVENTS_BEFORE - r->chunks];
}

static void part_place(const struct reply *r, struct buf *ret)
{
  buf_addf(ret, "\"item_id\":\"%s\",\"output_index\":0,\"content_index\":0,",
           r->item_id);
}

static void before(const struct reply *r, uint64_t i, struct buf *ret)
{
  if (i < 2) {
    buf_adds(ret, "\"response\":");
    response(r, "in_progress", "null", false, ret);
  } else if (i == 2) {
    buf_adds(ret, "\"output_index\":0,\"item\":");
    item(r, false, ret);
  } else {
    part_place(r, ret);
    buf_adds(ret, "\"part\":{\"type\":\"output_text\",\"text\":\"\","
                  "\"annotations\":[]}");
  }
}

static void behind(const struct reply *r, uint64_t i, struct buf *ret)
{
  if (i == 3) {
    buf_adds(ret, "\"response\":");
    response(r, "completed", "null", true, ret);
  } else if (i == 2) {
    buf_adds(ret, "\"output_index\":0,\"item\":");
    item(r, true, ret);
  } else {
    part_place(r, ret);
    buf_adds(ret, i == 0 ? "\"text\":\""
                         : "\"part\":{\"type\":\"output_text\",\"text\":\"");
    reply_text_json(r, ret);
    buf_adds(ret, i == 0 ? "\"" : "\",\"annotations\":[]}");
  }
}

static void open_event(const char *name, struct buf *ret)
{
  buf_addf(ret, "event: %s\ndata: {\"type\":\"%s\",", name, name);
}

static void close_event(uint64_t i, struct buf *ret)
{
  buf_addf(ret, ",\"sequence_number\":%llu}\n\n", (unsigned long long)i);
}

static void event(const struct reply *r, uint64_t i, struct buf *ret)
{
  open_event(event_name(r, i), ret);
  if (i < EVENTS_BEFORE) {
    before(r, i, ret);
  } else if (i < EVENTS_BEFORE + r->chunks) {
    part_place(r, ret);
    buf_adds(ret, "\"delta\":\"");
    reply_piece_json(r, i - EVENTS_BEFORE, ret);
    buf_addc(ret, '"');
  } else {
    behind(r, i - EVENTS_BEFORE - r->chunks, ret);
  }
  close_event(i, ret);
}

/* In a stream the error is a failed response; a code is always there. */
static void error_event(const struct provider_error *e, const struct reply *r,
                        uint64_t i, const struct value_scope *s,
                        struct buf *ret)
{
  struct buf error;
  buf_init(&error, 4096);
  buf_addf(&error, "{\"code\":\"%s\",\"message\":\"",
           e->code ? e->code : e->type);
  value_expand(bytes_of(e->message), s, &error);
  buf_adds(&error, "\"}");
  open_event("response.failed", ret);
  buf_adds(ret, "\"response\":");
  response(r, "failed", buf_str(&error), false, ret);
  close_event(i, ret);
  buf_release(&error);
}

const struct provider provider_openai_responses = {
    .name = "openai-responses",
    .summary = "OpenAI Responses: /v1/responses",
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
