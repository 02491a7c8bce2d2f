/*
 * Anthropic Messages API. Sources: platform.claude.com/docs/en/api/errors,
 * docs.claude.com messages-streaming, and what the SDKs and the CLI read
 * (docs/providers.md names them one by one).
 */
#include "mockserver/provider/anthropic_errors.h"
#include "mockserver/provider/limits.h"

#include <string.h>

static const struct provider_path paths[] = {
    {"/v1/messages", ENDPOINT_GENERATE, false},
    /* some clients leave the version to the base URL */
    {"/messages", ENDPOINT_GENERATE, false},
    {NULL, ENDPOINT_UNKNOWN, false}};

static void request_id(struct ids *ids, struct buf *ret)
{
  buf_adds(ret, "req_01");
  ids_base62(ids, 22, ret);
}

static void draw(struct ids *ids, const char *prefix, size_t n, char ret[80])
{
  struct buf id;
  if (ret[0])
    return; /* the scenario names it */
  buf_init(&id, 79);
  buf_adds(&id, prefix);
  ids_base62(ids, n, &id);
  memcpy(ret, buf_str(&id), id.n + 1);
  buf_release(&id);
}

static void reply_ids(struct ids *ids, struct reply *r)
{
  draw(ids, "msg_01", 22, r->id);
  for (size_t i = 0; i < r->nblocks; i++) {
    if (r->blocks[i]->kind == BLOCK_TOOL)
      draw(ids, "toolu_01", 22, r->blocks[i]->id);
    else if (r->blocks[i]->kind == BLOCK_THINKING)
      draw(ids, "", 64, r->blocks[i]->item_id); /* the signature */
  }
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

static void content_block(const struct block *b, struct buf *ret)
{
  if (b->kind == BLOCK_TEXT) {
    buf_adds(ret, "{\"type\":\"text\",\"text\":\"");
    block_text_json(b, ret);
    buf_adds(ret, "\"}");
  } else if (b->kind == BLOCK_THINKING) {
    buf_adds(ret, "{\"type\":\"thinking\",\"thinking\":\"");
    block_text_json(b, ret);
    buf_addf(ret, "\",\"signature\":\"%s\"}", b->item_id);
  } else {
    buf_addf(ret, "{\"type\":\"tool_use\",\"id\":\"%s\",\"name\":", b->id);
    buf_add_json(ret, bytes_of(b->name));
    buf_adds(ret, ",\"input\":");
    block_text(b, ret);
    buf_addc(ret, '}');
  }
}

static void stop_keys(const struct reply *r, struct buf *ret)
{
  /* it has no stop reason of that name */
  enum stop_reason stop =
      r->stop == STOP_CONTENT_FILTER ? STOP_REFUSAL : r->stop;
  buf_addf(ret, "\"stop_reason\":\"%s\",\"stop_sequence\":", stop_words[stop]);
  if (r->stop_sequence)
    buf_add_json(ret, bytes_of(r->stop_sequence));
  else
    buf_adds(ret, "null");
}

static void plain(const struct reply *r, struct buf *ret)
{
  message_head(r, ret);
  buf_adds(ret, ",\"content\":[");
  for (size_t i = 0; i < r->nblocks; i++) {
    buf_adds(ret, i ? "," : "");
    content_block(r->blocks[i], ret);
  }
  buf_adds(ret, "],");
  stop_keys(r, ret);
  buf_addf(ret, ",\"usage\":{\"input_tokens\":%llu,\"output_tokens\":%llu}}",
           (unsigned long long)r->input_tokens,
           (unsigned long long)reply_output_tokens(r));
}

/* message_start; for each block content_block_start, its deltas and
 * content_block_stop, with a ping behind the first start and the signature
 * behind a thought; message_delta, message_stop. */
static uint64_t cues(const struct reply *r, enum cue_kind kind, size_t block)
{
  switch (kind) {
  case CUE_START:
    return 1;
  case CUE_OPEN:
    return block == 0 && !r->scripted ? 2 : 1;
  case CUE_DELTA:
    return r->blocks[block]->chunks;
  case CUE_CLOSE:
    return r->blocks[block]->kind == BLOCK_THINKING ? 2 : 1;
  case CUE_END:
    break;
  }
  return 2;
}

static void frame(const struct reply *r, const char *name, struct bytes data,
                  uint64_t seq, struct buf *ret)
{
  (void)r;
  (void)seq;
  if (name)
    buf_addf(ret, "event: %s\n", name);
  buf_adds(ret, "data: ");
  buf_addb(ret, data);
  buf_adds(ret, "\n\n");
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

static void block_start(const struct reply *r, size_t block, struct buf *ret)
{
  const struct block *b = r->blocks[block];
  buf_addf(ret,
           "event: content_block_start\ndata: "
           "{\"type\":\"content_block_start\",\"index\":%zu,"
           "\"content_block\":",
           block);
  if (b->kind == BLOCK_TEXT) {
    buf_adds(ret, "{\"type\":\"text\",\"text\":\"\"}}\n\n");
  } else if (b->kind == BLOCK_THINKING) {
    buf_adds(ret, "{\"type\":\"thinking\",\"thinking\":\"\","
                  "\"signature\":\"\"}}\n\n");
  } else {
    buf_addf(ret, "{\"type\":\"tool_use\",\"id\":\"%s\",\"name\":", b->id);
    buf_add_json(ret, bytes_of(b->name));
    buf_adds(ret, ",\"input\":{}}}\n\n");
  }
}

static void open_delta(size_t block, const char *type, const char *key,
                       struct buf *ret)
{
  buf_addf(ret,
           "event: content_block_delta\ndata: "
           "{\"type\":\"content_block_delta\",\"index\":%zu,"
           "\"delta\":{\"type\":\"%s\",\"%s\":\"",
           block, type, key);
}

static void content_delta(const struct reply *r, const struct cue *c,
                          struct buf *ret)
{
  static const char *const types[] = {[BLOCK_TEXT] = "text_delta",
                                      [BLOCK_THINKING] = "thinking_delta",
                                      [BLOCK_TOOL] = "input_json_delta"};
  static const char *const keys[] = {[BLOCK_TEXT] = "text",
                                     [BLOCK_THINKING] = "thinking",
                                     [BLOCK_TOOL] = "partial_json"};
  const struct block *b = r->blocks[c->block];
  open_delta(c->block, types[b->kind], keys[b->kind], ret);
  block_piece_json(b, c->i, ret);
  buf_adds(ret, "\"}}\n\n");
}

static void close_block(const struct reply *r, const struct cue *c,
                        struct buf *ret)
{
  if (c->i + 1 < cues(r, CUE_CLOSE, c->block)) {
    open_delta(c->block, "signature_delta", "signature", ret);
    buf_addf(ret, "%s\"}}\n\n", r->blocks[c->block]->item_id);
    return;
  }
  buf_addf(ret,
           "event: content_block_stop\ndata: "
           "{\"type\":\"content_block_stop\",\"index\":%zu}\n\n",
           c->block);
}

static void end(const struct reply *r, uint64_t i, struct buf *ret)
{
  if (i > 0) {
    buf_adds(ret, "event: message_stop\ndata: "
                  "{\"type\":\"message_stop\"}\n\n");
    return;
  }
  buf_adds(ret, "event: message_delta\ndata: {\"type\":\"message_delta\","
                "\"delta\":{");
  stop_keys(r, ret);
  buf_addf(ret, "},\"usage\":{\"output_tokens\":%llu}}\n\n",
           (unsigned long long)reply_output_tokens(r));
}

#define PING "event: ping\ndata: {\"type\": \"ping\"}\n\n"

static void event(const struct reply *r, const struct cue *c, uint64_t seq,
                  struct buf *ret)
{
  (void)seq;
  switch (c->kind) {
  case CUE_START:
    message_start(r, ret);
    break;
  case CUE_OPEN:
    if (c->i == 0)
      block_start(r, c->block, ret);
    else
      buf_adds(ret, PING);
    break;
  case CUE_DELTA:
    content_delta(r, c, ret);
    break;
  case CUE_CLOSE:
    close_block(r, c, ret);
    break;
  case CUE_END:
    end(r, c->i, ret);
    break;
  }
}

static const char *cue_name(const struct reply *r, const struct cue *c)
{
  switch (c->kind) {
  case CUE_START:
    return "message_start";
  case CUE_OPEN:
    return c->i == 0 ? "content_block_start" : "ping";
  case CUE_DELTA:
    return "content_block_delta";
  case CUE_CLOSE:
    return c->i + 1 < cues(r, CUE_CLOSE, c->block) ? "signature_delta"
                                                   : "content_block_stop";
  case CUE_END:
    break;
  }
  return c->i == 0 ? "message_delta" : "message_stop";
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
    .request_id = request_id,
    .reply_ids = reply_ids,
    .error_body = error_body,
    .plain = plain,
    .cues = cues,
    .event = event,
    .cue_name = cue_name,
    .frame = frame,
    .error_event = error_event,
    .limits = &anthropic_limits,
    .ping = PING,
    .line_end = "\n",
    .talk = talk_anthropic};
