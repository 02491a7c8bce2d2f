/*
 * Gemini API. Sources: recorded answers in issues of gemini-cli and
 * python-genai, and what @google/genai reads (docs/providers.md).
 */
#include "mockserver/provider/gemini_errors.h"
#include "mockserver/provider/limits.h"

#include <string.h>

extern const struct provider provider_gemini;

/* Clients use v1 or v1beta: SDKs since 3.x the former. */
#define METHODS(version)                                                       \
  {version "/models/*:generateContent", ENDPOINT_GENERATE, false},             \
  {                                                                            \
    version "/models/*:streamGenerateContent", ENDPOINT_GENERATE, true         \
  }

static const struct provider_path paths[] = {
    METHODS("/v1beta"), METHODS("/v1"), {NULL, ENDPOINT_UNKNOWN, false}};

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
  /* a call has no id of its own here: its result names the tool */
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

static const char *finish_reason(const struct reply *r)
{
  static const char *const reasons[] = {
      [STOP_END_TURN] = "STOP",         [STOP_MAX_TOKENS] = "MAX_TOKENS",
      [STOP_SEQUENCE] = "STOP",         [STOP_TOOL_USE] = "STOP",
      [STOP_PAUSE_TURN] = "STOP",       [STOP_REFUSAL] = "SAFETY",
      [STOP_CONTENT_FILTER] = "SAFETY", [STOP_CONTEXT_WINDOW] = "MAX_TOKENS"};
  return reasons[r->stop];
}

/* True when a tool's arguments are no whole JSON: the text of a call that
 * breaks off inside them. */
static bool is_partial(const struct block *b)
{
  struct bytes text = buf_bytes(&b->text);
  cJSON *json =
      cJSON_ParseWithLengthOpts(text.p ? text.p : "", text.n + 1, NULL, true);
  cJSON_Delete(json);
  return !json;
}

static void part_plain(const struct block *b, struct buf *ret)
{
  buf_adds(ret, "          {\n");
  if (b->kind == BLOCK_TOOL) {
    buf_adds(ret, "            \"functionCall\": {\n"
                  "              \"name\": ");
    buf_add_json(ret, bytes_of(b->name));
    buf_adds(ret, ",\n              \"args\": ");
    block_text(b, ret);
    buf_adds(ret, "\n            }\n          }");
    return;
  }
  buf_adds(ret, "            \"text\": \"");
  block_text_json(b, ret);
  buf_adds(ret, b->kind == BLOCK_THINKING
                    ? "\",\n            \"thought\": true\n          }"
                    : "\"\n          }");
}

static void counts_plain(const struct reply *r, struct buf *ret)
{
  uint64_t output = reply_output_tokens(r), thoughts = reply_thought_tokens(r);
  buf_addf(ret,
           "  \"usageMetadata\": {\n    \"promptTokenCount\": %llu,\n"
           "    \"candidatesTokenCount\": %llu,\n",
           (unsigned long long)r->input_tokens,
           (unsigned long long)(output - thoughts));
  if (thoughts)
    buf_addf(ret, "    \"thoughtsTokenCount\": %llu,\n",
             (unsigned long long)thoughts);
  buf_addf(ret, "    \"totalTokenCount\": %llu\n  },\n",
           (unsigned long long)(r->input_tokens + output));
}

static void plain(const struct reply *r, struct buf *ret)
{
  buf_adds(ret, "{\n  \"candidates\": [\n    {\n      \"content\": {\n"
                "        \"parts\": [\n");
  for (size_t i = 0; i < r->nblocks; i++) {
    buf_adds(ret, i ? ",\n" : "");
    part_plain(r->blocks[i], ret);
  }
  buf_addf(ret,
           "\n        ],\n        \"role\": \"model\"\n"
           "      },\n      \"finishReason\": \"%s\",\n"
           "      \"index\": 0\n    }\n  ],\n",
           finish_reason(r));
  counts_plain(r, ret);
  buf_adds(ret, "  \"modelVersion\": ");
  buf_add_json(ret, bytes_of(r->model));
  buf_addf(ret, ",\n  \"responseId\": \"%s\"\n}\n", r->id);
}

/* Nothing but deltas, a tool's call in one; the last one carries the finish
 * reason. In a scripted stream an element of its own does. */
static uint64_t cues(const struct reply *r, enum cue_kind kind, size_t block)
{
  if (kind == CUE_END)
    return r->scripted || r->nblocks == 0;
  if (kind != CUE_DELTA)
    return 0;
  return r->blocks[block]->kind == BLOCK_TOOL ? 1 : r->blocks[block]->chunks;
}

static void part(const struct block *b, uint64_t i, struct buf *ret)
{
  if (b->kind == BLOCK_TOOL) {
    buf_adds(ret, "{\"functionCall\": {\"name\": ");
    buf_add_json(ret, bytes_of(b->name));
    buf_adds(ret, ",\"args\": ");
    block_text(b, ret);
    buf_adds(ret, is_partial(b) ? "" : "}}");
    return;
  }
  buf_adds(ret, "{\"text\": \"");
  block_piece_json(b, i, ret);
  buf_adds(ret, b->kind == BLOCK_THINKING ? "\",\"thought\": true}" : "\"}");
}

/* Tokens of that kind up to and with this event. */
static uint64_t so_far(const struct reply *r, const struct cue *c,
                       bool thoughts)
{
  uint64_t n = 0;
  for (size_t i = 0; i < r->nblocks; i++) {
    const struct block *b = r->blocks[i];
    if ((b->kind == BLOCK_THINKING) != thoughts)
      continue;
    if (c->kind == CUE_END || i < c->block)
      n += block_tokens(b, b->chunks);
    else if (i == c->block)
      n += block_tokens(b, b->kind == BLOCK_TOOL ? b->chunks : c->i + 1);
  }
  return n;
}

static void counts(const struct reply *r, const struct cue *c, struct buf *ret)
{
  uint64_t output = so_far(r, c, false), thoughts = so_far(r, c, true);
  buf_addf(ret,
           "\"usageMetadata\": {\"promptTokenCount\": %llu,"
           "\"candidatesTokenCount\": %llu,",
           (unsigned long long)r->input_tokens, (unsigned long long)output);
  if (thoughts)
    buf_addf(ret, "\"thoughtsTokenCount\": %llu,",
             (unsigned long long)thoughts);
  buf_addf(ret, "\"totalTokenCount\": %llu},",
           (unsigned long long)(r->input_tokens + output + thoughts));
}

/* False when the element breaks off inside a tool's arguments. */
static bool candidate(const struct reply *r, const struct cue *c, bool last,
                      struct buf *ret)
{
  buf_adds(ret, "{\"candidates\": [{\"content\": {\"parts\": [");
  if (c->kind == CUE_END) {
    buf_adds(ret, "{\"text\": \"\"}");
  } else {
    const struct block *b = r->blocks[c->block];
    part(b, c->i, ret);
    if (b->kind == BLOCK_TOOL && is_partial(b))
      return false;
  }
  buf_adds(ret, "],\"role\": \"model\"},");
  if (last)
    buf_addf(ret, "\"finishReason\": \"%s\",", finish_reason(r));
  buf_adds(ret, "\"index\": 0}],");
  counts(r, c, ret);
  buf_adds(ret, "\"modelVersion\": ");
  buf_add_json(ret, bytes_of(r->model));
  buf_addf(ret, ",\"responseId\": \"%s\"}", r->id);
  return true;
}

/* Without alt=sse the stream is one JSON array. */
static void open_element(const struct reply *r, uint64_t seq, struct buf *ret)
{
  buf_adds(ret, !r->as_array ? "data: " : seq == 0 ? "[" : ",\r\n");
}

static void close_element(const struct reply *r, bool last, struct buf *ret)
{
  buf_adds(ret, !r->as_array ? "\r\n\r\n" : last ? "\r\n]" : "");
}

static void event(const struct reply *r, const struct cue *c, uint64_t seq,
                  struct buf *ret)
{
  bool last = cue_is_last(&provider_gemini, r, c);
  open_element(r, seq, ret);
  if (candidate(r, c, last, ret))
    close_element(r, last, ret);
}

static const char *cue_name(const struct reply *r, const struct cue *c)
{
  return cue_is_last(&provider_gemini, r, c) ? "finishReason" : "candidates";
}

static void frame(const struct reply *r, const char *name, struct bytes data,
                  uint64_t seq, struct buf *ret)
{
  (void)name; /* its events have no names */
  open_element(r, seq, ret);
  buf_addb(ret, data);
  close_element(r, false, ret);
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
    .request_id = request_id,
    .reply_ids = reply_ids,
    .error_body = error_body,
    .plain = plain,
    .cues = cues,
    .event = event,
    .cue_name = cue_name,
    .frame = frame,
    .error_event = error_event,
    .limits = &gemini_limits,
    .ping = ": keep-alive\r\n\r\n",
    .line_end = "\r\n",
    .talk = talk_gemini};
