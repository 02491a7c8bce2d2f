/*
 * Claude Code, 0.2 to 2.1. Everything is on stdout in every format, stderr
 * stays empty; an API failure ends with 1. Measured, and its issue tracker.
 */
#include "mockserver/command/cli.h"

#include <inttypes.h>

#define TOKENS_PER_MINUTE                                                      \
  "This request would exceed your organization's rate limit of 50,000 input "  \
  "tokens per minute."
#define NO_PERMISSION                                                          \
  "Your API key does not have permission to use the specified resource."
#define BODY(status, type)                                                     \
  "API Error: " status " {\"type\":\"error\",\"error\":{\"type\":\"" type      \
  "\",\"message\":\"{{message_json}}\"},\"request_id\":\"{{request_id}}\"}"
#define SERVER_SIDE(status)                                                    \
  "API Error: " status " {{message}}. This is a server-side issue, usually "   \
  "temporary — try again in a moment. If it persists, check your inference " \
  "gateway ({{gateway}})."

static const struct command_text texts[] = {
#define SAYS(...) {__VA_ARGS__},
#include "mockserver/command/claude.def"
#undef SAYS
    {.says = NULL}};

/* Ceiling of one line, far above any text and its escapes. */
#define MAX_LINE_BYTES ((size_t)16 << 20)

/* With it the JSON tells the status and its own word for the end. */
static const char TELLS_STATUS[] = "2.1.105";
/* rate_limit_event is emitted from here on. */
static const char TELLS_WINDOWS[] = "2.1.45";

static bool at_least(const struct command_render *r, const char *version)
{
  return command_version_compare(r->version, version) >= 0;
}

static enum command_format format(const char *const *argv, size_t argc)
{
  return command_format_of(command_option(argv, argc, "--output-format", NULL));
}

static void add_result_end(const struct command_render *r, struct buf *b)
{
  bool told = at_least(r, TELLS_STATUS);
  if (told && r->row && r->row->status)
    buf_addf(b, ",\"api_error_status\":%d", r->row->status);
  else if (told)
    buf_adds(b, ",\"api_error_status\":null");
  buf_adds(b, ",\"result\":");
  buf_add_json(b, r->text);
  if (!r->row)
    buf_adds(b, ",\"stop_reason\":\"end_turn\"");
  else if (!told)
    buf_adds(b, ",\"stop_reason\":\"stop_sequence\"");
  buf_addf(b, ",\"terminal_reason\":\"%s\"}\n",
           told && r->row ? "api_error" : "completed");
}

/* "subtype" is "success" for a failure too: so it is in every version. */
static void add_result(const struct command_render *r, struct buf *b)
{
  if (r->row && r->row->cut) {
    buf_addf(b,
             "{\"type\":\"result\",\"subtype\":\"error_during_execution\","
             "\"is_error\":false,\"num_turns\":0,\"session_id\":\"%s\"}\n",
             r->session);
    return;
  }
  buf_addf(b,
           "{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":%s,"
           "\"duration_ms\":8289,\"num_turns\":1,\"session_id\":\"%s\","
           "\"total_cost_usd\":0",
           r->row ? "true" : "false", r->session);
  add_result_end(r, b);
}

/* 2.1.104 told a fraction, later ones whole milliseconds. */
static void add_retry(const struct command_render *r, int64_t n, struct buf *b)
{
  const struct command_text *t = r->row;
  buf_addf(b,
           "{\"type\":\"system\",\"subtype\":\"api_retry\",\"attempt\":%" PRId64
           ",\"max_retries\":10,\"retry_delay_ms\":%s,\"error_status\":",
           n, at_least(r, TELLS_STATUS) ? "617" : "540.1254178213137");
  if (t->status)
    buf_addf(b, "%d", t->status);
  else
    buf_adds(b, "null");
  buf_addf(b, ",\"error\":\"%s\",\"session_id\":\"%s\",\"uuid\":\"%s\"}\n",
           t->error ? t->error : "unknown", r->session, r->uuid);
}

static void add_window(const struct command_render *r, struct buf *b)
{
  const char *window = r->row->window;
  buf_addf(b,
           "{\"type\":\"rate_limit_event\",\"rate_limit_info\":{\"status\":"
           "\"rejected\",\"resetsAt\":%" PRId64 ",\"rateLimitType\":\"%s\","
           "\"isUsingOverage\":false,\"unifiedWindows\":{\"%s\":{"
           "\"utilization\":1,\"resetsAt\":%" PRId64 "}}},\"uuid\":\"%s\","
           "\"session_id\":\"%s\"}\n",
           r->reset_epoch_s, window, window, r->reset_epoch_s, r->uuid,
           r->session);
}

static void add_message(const struct command_render *r, struct buf *b)
{
  const struct command_text *t = r->row;
  buf_addf(b,
           "{\"type\":\"assistant\",\"message\":{\"model\":\"%s\",\"role\":"
           "\"assistant\",\"stop_reason\":\"%s\",\"content\":[{\"type\":"
           "\"text\",\"text\":",
           t ? "<synthetic>" : "claude-x", t ? "stop_sequence" : "end_turn");
  buf_add_json(b, r->text);
  buf_adds(b, "}]}");
  if (t)
    buf_addf(b, ",\"error\":\"%s\"", t->error ? t->error : "unknown");
  buf_addf(b, ",\"session_id\":\"%s\"}\n", r->session);
}

static void add_events(const struct command_render *r, struct buf *b)
{
  const struct command_text *t = r->row;
  buf_addf(b,
           "{\"type\":\"system\",\"subtype\":\"init\",\"session_id\":\"%s\","
           "\"model\":\"claude-x\",\"uuid\":\"%s\"}\n",
           r->session, r->uuid);
  for (int64_t i = 1; t && t->retried && i <= r->retries; i++)
    add_retry(r, i, b);
  if (t && t->window && at_least(r, TELLS_WINDOWS))
    add_window(r, b);
  if (!t || !t->cut)
    add_message(r, b);
  add_result(r, b);
}

static void write_all(const struct command_render *r, struct pieces *ret)
{
  struct buf b;
  buf_init(&b, MAX_LINE_BYTES);
  if (r->format == COMMAND_STREAM_JSON) {
    add_events(r, &b);
  } else if (r->format == COMMAND_JSON) {
    add_result(r, &b);
  } else {
    buf_addb(&b, r->text);
    buf_addc(&b, '\n');
  }
  pieces_out(ret, buf_bytes(&b));
  pieces_add(ret, PIECE_EXIT, r->row && !r->row->ends_well);
  buf_release(&b);
}

const struct command_cli cli_claude = {
    .name = "claude",
    .summary = "Claude Code in print mode, 0.2 to 2.1: all on stdout.",
    .newest = "2.1.332",
    .version_head = "",
    .version_tail = " (Claude Code)\n",
    .texts = texts,
    .format = format,
    .write = write_all};
