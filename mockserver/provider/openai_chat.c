/*
 * OpenAI Chat Completions. Sources: the OpenAPI file, openai-python
 * _streaming.py and openai-node core/streaming.ts (docs/providers.md).
 */
#include "mockserver/provider/limits.h"
#include "mockserver/provider/openai_errors.h"

static const struct provider_path paths[] = {
    {"/v1/chat/completions", ENDPOINT_GENERATE, false},
    {"/chat/completions", ENDPOINT_GENERATE, false},
    {NULL, ENDPOINT_UNKNOWN, false}};

static void reply_ids(struct ids *ids, struct reply *r)
{
  openai_id(ids, "chatcmpl-", 29, r->id);
  for (size_t i = 0; i < r->nblocks; i++)
    if (r->blocks[i]->kind == BLOCK_TOOL && !r->blocks[i]->id[0])
      openai_id(ids, "call_", 24, r->blocks[i]->id);
}

static void head(const struct reply *r, const char *object, struct buf *ret)
{
  buf_addf(ret, "{\"id\":\"%s\",\"object\":\"%s\",\"created\":%lld,\"model\":",
           r->id, object, (long long)r->created_epoch_s);
  buf_add_json(ret, bytes_of(r->model));
}

/* Thoughts are counted and never shown. */
static void usage(const struct reply *r, struct buf *ret)
{
  uint64_t output = reply_output_tokens(r), thoughts = reply_thought_tokens(r);
  buf_addf(ret,
           ",\"usage\":{\"prompt_tokens\":%llu,\"completion_tokens\":%llu,"
           "\"total_tokens\":%llu",
           (unsigned long long)r->input_tokens, (unsigned long long)output,
           (unsigned long long)(r->input_tokens + output));
  if (thoughts)
    buf_addf(ret, ",\"completion_tokens_details\":{\"reasoning_tokens\":%llu}",
             (unsigned long long)thoughts);
  buf_addc(ret, '}');
}

static const char *finish_reason(const struct reply *r)
{
  static const char *const reasons[] = {[STOP_END_TURN] = "stop",
                                        [STOP_MAX_TOKENS] = "length",
                                        [STOP_SEQUENCE] = "stop",
                                        [STOP_TOOL_USE] = "tool_calls",
                                        [STOP_PAUSE_TURN] = "stop",
                                        [STOP_REFUSAL] = "content_filter",
                                        [STOP_CONTENT_FILTER] =
                                            "content_filter",
                                        [STOP_CONTEXT_WINDOW] = "length"};
  return reasons[r->stop];
}

/* The text of all text blocks; null when there is none. */
static void message_content(const struct reply *r, struct buf *ret)
{
  if (reply_count(r, BLOCK_TEXT, r->nblocks) == 0) {
    buf_adds(ret, "null");
    return;
  }
  buf_addc(ret, '"');
  for (size_t i = 0; i < r->nblocks; i++)
    if (r->blocks[i]->kind == BLOCK_TEXT)
      block_text_json(r->blocks[i], ret);
  buf_addc(ret, '"');
}

static void tool_calls(const struct reply *r, struct buf *ret)
{
  bool any = false;
  for (size_t i = 0; i < r->nblocks; i++) {
    const struct block *b = r->blocks[i];
    if (b->kind != BLOCK_TOOL)
      continue;
    buf_addf(ret,
             "%s{\"id\":\"%s\",\"type\":\"function\",\"function\":"
             "{\"name\":",
             any ? "," : ",\"tool_calls\":[", b->id);
    buf_add_json(ret, bytes_of(b->name));
    buf_adds(ret, ",\"arguments\":\"");
    block_text_json(b, ret);
    buf_adds(ret, "\"}}");
    any = true;
  }
  buf_adds(ret, any ? "]" : "");
}

static void plain(const struct reply *r, struct buf *ret)
{
  head(r, "chat.completion", ret);
  buf_adds(ret, ",\"choices\":[{\"index\":0,\"message\":"
                "{\"role\":\"assistant\",\"content\":");
  message_content(r, ret);
  buf_adds(ret, ",\"refusal\":null");
  tool_calls(r, ret);
  buf_addf(ret, "},\"logprobs\":null,\"finish_reason\":\"%s\"}]",
           finish_reason(r));
  usage(r, ret);
  buf_addc(ret, '}');
}

/* The role; the deltas, for a tool with one that names it in front; the
 * finish, the usage if asked for, [DONE]. */
static uint64_t cues(const struct reply *r, enum cue_kind kind, size_t block)
{
  switch (kind) {
  case CUE_START:
    return 1;
  case CUE_OPEN:
    return r->blocks[block]->kind == BLOCK_TOOL;
  case CUE_DELTA:
    return r->blocks[block]->kind == BLOCK_THINKING ? 0
                                                    : r->blocks[block]->chunks;
  case CUE_CLOSE:
    return 0;
  case CUE_END:
    break;
  }
  return r->with_usage ? 3 : 2;
}

static void open_chunk(const struct reply *r, struct buf *ret)
{
  buf_adds(ret, "data: ");
  head(r, "chat.completion.chunk", ret);
  buf_adds(ret, ",\"choices\":[{\"index\":0,\"delta\":{");
}

static void close_chunk(const char *finish, struct buf *ret)
{
  if (finish)
    buf_addf(ret, "},\"finish_reason\":\"%s\"}]}\n\n", finish);
  else
    buf_adds(ret, "},\"finish_reason\":null}]}\n\n");
}

static void role(const struct reply *r, struct buf *ret)
{
  bool text = r->scripted || reply_count(r, BLOCK_TEXT, r->nblocks) > 0;
  open_chunk(r, ret);
  buf_addf(ret, "\"role\":\"assistant\",\"content\":%s",
           text ? "\"\"" : "null");
  close_chunk(NULL, ret);
}

static void tool_start(const struct reply *r, size_t block, struct buf *ret)
{
  const struct block *b = r->blocks[block];
  open_chunk(r, ret);
  buf_addf(ret,
           "\"tool_calls\":[{\"index\":%zu,\"id\":\"%s\","
           "\"type\":\"function\",\"function\":{\"name\":",
           reply_count(r, BLOCK_TOOL, block), b->id);
  buf_add_json(ret, bytes_of(b->name));
  buf_adds(ret, ",\"arguments\":\"\"}}]");
  close_chunk(NULL, ret);
}

static void delta(const struct reply *r, const struct cue *c, struct buf *ret)
{
  const struct block *b = r->blocks[c->block];
  open_chunk(r, ret);
  if (b->kind == BLOCK_TOOL)
    buf_addf(ret,
             "\"tool_calls\":[{\"index\":%zu,\"function\":"
             "{\"arguments\":\"",
             reply_count(r, BLOCK_TOOL, c->block));
  else
    buf_adds(ret, "\"content\":\"");
  block_piece_json(b, c->i, ret);
  buf_adds(ret, b->kind == BLOCK_TOOL ? "\"}}]" : "\"");
  close_chunk(NULL, ret);
}

static void end(const struct reply *r, uint64_t i, struct buf *ret)
{
  if (i == 0) {
    open_chunk(r, ret);
    close_chunk(finish_reason(r), ret);
  } else if (i == 1 && r->with_usage) {
    buf_adds(ret, "data: ");
    head(r, "chat.completion.chunk", ret);
    buf_adds(ret, ",\"choices\":[]");
    usage(r, ret);
    buf_adds(ret, "}\n\n");
  } else {
    buf_adds(ret, "data: [DONE]\n\n");
  }
}

static void event(const struct reply *r, const struct cue *c, uint64_t seq,
                  struct buf *ret)
{
  (void)seq;
  if (c->kind == CUE_START)
    role(r, ret);
  else if (c->kind == CUE_OPEN)
    tool_start(r, c->block, ret);
  else if (c->kind == CUE_DELTA)
    delta(r, c, ret);
  else
    end(r, c->i, ret);
}

static const char *cue_name(const struct reply *r, const struct cue *c)
{
  if (c->kind == CUE_START)
    return "role";
  if (c->kind != CUE_END)
    return "delta";
  return c->i == 0                    ? "finish_reason"
         : c->i == 1 && r->with_usage ? "usage"
                                      : "[DONE]";
}

static void frame(const struct reply *r, const char *name, struct bytes data,
                  uint64_t seq, struct buf *ret)
{
  (void)r;
  (void)name; /* its events have no names */
  (void)seq;
  buf_adds(ret, "data: ");
  buf_addb(ret, data);
  buf_adds(ret, "\n\n");
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
    .talk = talk_chat};
