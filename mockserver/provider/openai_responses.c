/*
 * OpenAI Responses. Sources: openapi.yaml (ResponseStreamEvent,
 * ResponseFailedEvent) and what the Codex client reads (docs/providers.md).
 */
#include "mockserver/provider/limits.h"
#include "mockserver/provider/openai_errors.h"

static const struct provider_path paths[] = {
    {"/v1/responses", ENDPOINT_GENERATE, false},
    {"/responses", ENDPOINT_GENERATE, false},
    {NULL, ENDPOINT_UNKNOWN, false}};

static void reply_ids(struct ids *ids, struct reply *r)
{
  static const char *const prefixes[] = {
      [BLOCK_TEXT] = "msg_", [BLOCK_THINKING] = "rs_", [BLOCK_TOOL] = "fc_"};
  openai_id(ids, "resp_", 48, r->id);
  for (size_t i = 0; i < r->nblocks; i++) {
    struct block *b = r->blocks[i];
    openai_id(ids, prefixes[b->kind], 48, b->item_id);
    if (b->kind == BLOCK_TOOL && !b->id[0])
      openai_id(ids, "call_", 24, b->id);
  }
}

/* Each block is an item of the output; not yet done, it is empty. */
static void item(const struct block *b, bool done, struct buf *ret)
{
  const char *status = done ? "completed" : "in_progress";
  if (b->kind == BLOCK_THINKING) {
    buf_addf(ret, "{\"id\":\"%s\",\"type\":\"reasoning\",\"summary\":[",
             b->item_id);
    buf_adds(ret, done ? "{\"type\":\"summary_text\",\"text\":\"" : "]}");
  } else if (b->kind == BLOCK_TEXT) {
    buf_addf(ret,
             "{\"id\":\"%s\",\"type\":\"message\",\"status\":\"%s\","
             "\"role\":\"assistant\",\"content\":[",
             b->item_id, status);
    buf_adds(ret, done ? "{\"type\":\"output_text\",\"text\":\"" : "]}");
  } else {
    buf_addf(ret,
             "{\"id\":\"%s\",\"type\":\"function_call\","
             "\"status\":\"%s\",\"call_id\":\"%s\",\"name\":",
             b->item_id, status, b->id);
    buf_add_json(ret, bytes_of(b->name));
    buf_adds(ret, done ? ",\"arguments\":\"" : ",\"arguments\":\"\"}");
  }
  if (!done)
    return;
  block_text_json(b, ret);
  buf_adds(ret, b->kind == BLOCK_TEXT   ? "\",\"annotations\":[]}]}"
                : b->kind == BLOCK_TOOL ? "\"}"
                                        : "\"}]}");
}

/* Why the answer is incomplete (incomplete_details.reason); NULL: it is
 * complete. */
static const char *incomplete(const struct reply *r)
{
  switch (r->stop) {
  case STOP_MAX_TOKENS:
  case STOP_CONTEXT_WINDOW:
    return "max_output_tokens";
  case STOP_REFUSAL:
  case STOP_CONTENT_FILTER:
    return "content_filter";
  default:
    return NULL;
  }
}

static void usage(const struct reply *r, struct buf *ret)
{
  uint64_t output = reply_output_tokens(r);
  buf_addf(ret,
           "\"usage\":{\"input_tokens\":%llu,"
           "\"input_tokens_details\":{\"cached_tokens\":0},"
           "\"output_tokens\":%llu,"
           "\"output_tokens_details\":{\"reasoning_tokens\":%llu},"
           "\"total_tokens\":%llu}",
           (unsigned long long)r->input_tokens, (unsigned long long)output,
           (unsigned long long)reply_thought_tokens(r),
           (unsigned long long)(r->input_tokens + output));
}

static void response_head(const struct reply *r, const char *status,
                          const char *error, const char *reason,
                          struct buf *ret)
{
  buf_addf(ret,
           "{\"id\":\"%s\",\"object\":\"response\",\"created_at\":%lld,"
           "\"status\":\"%s\",\"error\":%s,\"incomplete_details\":",
           r->id, (long long)r->created_epoch_s, status, error);
  if (reason)
    buf_addf(ret, "{\"reason\":\"%s\"}", reason);
  else
    buf_adds(ret, "null");
  buf_adds(ret, ",\"model\":");
  buf_add_json(ret, bytes_of(r->model));
  buf_adds(ret, ",\"output\":[");
}

/* The response object before its end; `error` is JSON. */
static void response(const struct reply *r, const char *status,
                     const char *error, struct buf *ret)
{
  response_head(r, status, error, NULL, ret);
  buf_adds(ret, "]}");
}

static void whole_response(const struct reply *r, struct buf *ret)
{
  const char *reason = incomplete(r);
  response_head(r, reason ? "incomplete" : "completed", "null", reason, ret);
  for (size_t i = 0; i < r->nblocks; i++) {
    buf_adds(ret, i ? "," : "");
    item(r->blocks[i], true, ret);
  }
  buf_adds(ret, "],");
  usage(r, ret);
  buf_addc(ret, '}');
}

static void plain(const struct reply *r, struct buf *ret)
{
  whole_response(r, ret);
}

/* The names of a block's events around its deltas, and of the deltas. */
static const struct block_events {
  const char *open[2], *delta, *close[3];
} block_events[] = {
    [BLOCK_TEXT] = {{"response.output_item.added",
                     "response.content_part.added"},
                    "response.output_text.delta",
                    {"response.output_text.done", "response.content_part.done",
                     "response.output_item.done"}},
    [BLOCK_THINKING] = {{"response.output_item.added",
                         "response.reasoning_summary_part.added"},
                        "response.reasoning_summary_text.delta",
                        {"response.reasoning_summary_text.done",
                         "response.reasoning_summary_part.done",
                         "response.output_item.done"}},
    [BLOCK_TOOL] = {{"response.output_item.added", NULL},
                    "response.function_call_arguments.delta",
                    {"response.function_call_arguments.done",
                     "response.output_item.done", NULL}}};

static const struct block_events *names_of(const struct reply *r, size_t block)
{
  return &block_events[r->blocks[block]->kind];
}

static uint64_t cues(const struct reply *r, enum cue_kind kind, size_t block)
{
  switch (kind) {
  case CUE_START:
    return 2;
  case CUE_OPEN:
    return names_of(r, block)->open[1] ? 2 : 1;
  case CUE_DELTA:
    return r->blocks[block]->chunks;
  case CUE_CLOSE:
    return names_of(r, block)->close[2] ? 3 : 2;
  case CUE_END:
    break;
  }
  return 1;
}

static const char *cue_name(const struct reply *r, const struct cue *c)
{
  switch (c->kind) {
  case CUE_START:
    return c->i == 0 ? "response.created" : "response.in_progress";
  case CUE_OPEN:
    return names_of(r, c->block)->open[c->i];
  case CUE_DELTA:
    return names_of(r, c->block)->delta;
  case CUE_CLOSE:
    return names_of(r, c->block)->close[c->i];
  case CUE_END:
    break;
  }
  return incomplete(r) ? "response.incomplete" : "response.completed";
}

/* Where the event's content belongs. */
static void place(const struct reply *r, size_t block, struct buf *ret)
{
  const struct block *b = r->blocks[block];
  buf_addf(ret, "\"item_id\":\"%s\",\"output_index\":%zu,", b->item_id, block);
  if (b->kind != BLOCK_TOOL)
    buf_addf(ret, "\"%s_index\":0,",
             b->kind == BLOCK_TEXT ? "content" : "summary");
}

static void part(const struct block *b, bool done, struct buf *ret)
{
  bool text = b->kind == BLOCK_TEXT;
  buf_addf(ret, "\"part\":{\"type\":\"%s\",\"text\":\"",
           text ? "output_text" : "summary_text");
  if (done)
    block_text_json(b, ret);
  buf_adds(ret, text ? "\",\"annotations\":[]}" : "\"}");
}

static void item_event(const struct reply *r, size_t block, bool done,
                       struct buf *ret)
{
  buf_addf(ret, "\"output_index\":%zu,\"item\":", block);
  item(r->blocks[block], done, ret);
}

static void open_block(const struct reply *r, const struct cue *c,
                       struct buf *ret)
{
  if (c->i == 0) {
    item_event(r, c->block, false, ret);
    return;
  }
  place(r, c->block, ret);
  part(r->blocks[c->block], false, ret);
}

static void close_block(const struct reply *r, const struct cue *c,
                        struct buf *ret)
{
  const struct block *b = r->blocks[c->block];
  if (c->i + 1 == cues(r, CUE_CLOSE, c->block)) {
    item_event(r, c->block, true, ret);
    return;
  }
  place(r, c->block, ret);
  if (c->i == 1) {
    part(b, true, ret);
    return;
  }
  buf_adds(ret, b->kind == BLOCK_TOOL ? "\"arguments\":\"" : "\"text\":\"");
  block_text_json(b, ret);
  buf_addc(ret, '"');
}

static void content(const struct reply *r, const struct cue *c, struct buf *ret)
{
  switch (c->kind) {
  case CUE_START:
    buf_adds(ret, "\"response\":");
    response(r, "in_progress", "null", ret);
    break;
  case CUE_OPEN:
    open_block(r, c, ret);
    break;
  case CUE_DELTA:
    place(r, c->block, ret);
    buf_adds(ret, "\"delta\":\"");
    block_piece_json(r->blocks[c->block], c->i, ret);
    buf_addc(ret, '"');
    break;
  case CUE_CLOSE:
    close_block(r, c, ret);
    break;
  case CUE_END:
    buf_adds(ret, "\"response\":");
    whole_response(r, ret);
    break;
  }
}

static void open_event(const char *name, struct buf *ret)
{
  buf_addf(ret, "event: %s\ndata: {\"type\":\"%s\",", name, name);
}

static void close_event(uint64_t seq, struct buf *ret)
{
  buf_addf(ret, ",\"sequence_number\":%llu}\n\n", (unsigned long long)seq);
}

static void event(const struct reply *r, const struct cue *c, uint64_t seq,
                  struct buf *ret)
{
  open_event(cue_name(r, c), ret);
  content(r, c, ret);
  close_event(seq, ret);
}

/* An object gets a number like every event, unless it brings one. */
static bool needs_number(struct bytes data)
{
  return data.n > 2 && data.p[0] == '{' && data.p[data.n - 1] == '}' &&
         bytes_find(data, BYTES("\"sequence_number\"")) < 0;
}

static void frame(const struct reply *r, const char *name, struct bytes data,
                  uint64_t seq, struct buf *ret)
{
  (void)r;
  if (name)
    buf_addf(ret, "event: %s\n", name);
  buf_adds(ret, "data: ");
  if (needs_number(data)) {
    buf_add(ret, data.p, data.n - 1);
    close_event(seq, ret);
    return;
  }
  buf_addb(ret, data);
  buf_adds(ret, "\n\n");
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
  response(r, "failed", buf_str(&error), ret);
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
    .request_id = openai_request_id,
    .reply_ids = reply_ids,
    .error_body = openai_error_body,
    .plain = plain,
    .cues = cues,
    .event = event,
    .cue_name = cue_name,
    .frame = frame,
    .error_event = error_event,
    .limits = &openai_limits,
    .ping = ": keep-alive\n\n",
    .line_end = "\n",
    .talk = talk_responses};
