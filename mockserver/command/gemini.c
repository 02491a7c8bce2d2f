/*
 * gemini-cli, 0.1 to 0.61: errors on stderr, whatever the format; with -o
 * json or stream-json the exit status is the HTTP status mod 256, else 1.
 * Measured, and packages/core/src/utils/errors.ts; the JSON of an answer that
 * went well is of the usual shape, not measured.
 */
#include "mockserver/command/cli.h"

#include <inttypes.h>

#define API_ERROR(code, status)                                                \
  "_ApiError: {\"error\":{\"code\":" code                                      \
  ",\"message\":\"{{message_json}}\",\"status\":\"" status "\"}}"

static const struct command_text texts[] = {
#define SAYS(...) {__VA_ARGS__},
#include "mockserver/command/gemini.def"
#undef SAYS
    {.says = NULL}};

/* Ceiling of one output, far above any text and its escapes. */
#define MAX_OUT_BYTES ((size_t)16 << 20)

#define REPORT                                                                 \
  "Error when talking to Gemini API Full report available at: "                \
  "gemini-client-error-Turn.run-sendMessageStream.json "

static enum command_format format(const char *const *argv, size_t argc)
{
  return command_format_of(command_option(argv, argc, "--output-format", "-o"));
}

static void write_errors(const struct command_render *r, struct pieces *ret)
{
  struct buf b;
  buf_init(&b, MAX_OUT_BYTES);
  for (int64_t i = 1; r->row->retried && r->row->status && i <= r->retries;
       i++) {
    buf_addf(&b,
             "Attempt %" PRId64 " failed with status %d. Retrying with "
             "backoff... ",
             i, r->row->status);
    buf_addb(&b, r->text);
    buf_addc(&b, '\n');
  }
  buf_adds(&b, r->row->prefix ? r->row->prefix : REPORT);
  buf_addb(&b, r->text);
  buf_addc(&b, '\n');
  pieces_err(ret, buf_bytes(&b));
  buf_release(&b);
}

static void add_stats(const struct command_render *r, struct buf *b)
{
  if (r->row)
    buf_adds(b, "\"stats\":{\"models\":{\"gemini-2.5-pro\":{\"api\":{"
                "\"totalRequests\":4,\"totalErrors\":1,\"errorsByType\":{"
                "\"NO_FINISH_REASON\":1}}}}}}");
  else
    buf_adds(b, "\"stats\":{\"models\":{\"gemini-2.5-pro\":{\"api\":{"
                "\"totalRequests\":1,\"totalErrors\":0}}}}}");
}

static void add_json(const struct command_render *r, struct buf *b)
{
  buf_addf(b, "{\"session_id\":\"%s\",\"response\":", r->session);
  buf_add_json(b, r->text);
  buf_addc(b, ',');
  add_stats(r, b);
  buf_addc(b, '\n');
}

/* What the model said, right or not. */
static void write_answer(const struct command_render *r, struct pieces *ret)
{
  struct buf b;
  buf_init(&b, MAX_OUT_BYTES);
  if (r->format == COMMAND_JSON) {
    add_json(r, &b);
  } else if (r->format == COMMAND_STREAM_JSON) {
    buf_addf(&b, "{\"type\":\"init\",\"session_id\":\"%s\"}\n", r->session);
    buf_adds(&b, "{\"type\":\"message\",\"role\":\"assistant\",\"content\":");
    buf_add_json(&b, r->text);
    buf_adds(&b, ",\"delta\":true}\n"
                 "{\"type\":\"result\",\"status\":\"success\"}\n");
  } else {
    buf_addb(&b, r->text);
    buf_addc(&b, '\n');
  }
  pieces_out(ret, buf_bytes(&b));
  buf_release(&b);
}

static void write_last_event(const struct command_render *r, struct pieces *ret)
{
  struct buf b;
  buf_init(&b, MAX_OUT_BYTES);
  buf_adds(&b, "{\"type\":\"result\",\"status\":\"error\",\"error\":{"
               "\"message\":");
  buf_add_json(&b, r->text);
  buf_adds(&b, "}}\n");
  pieces_out(ret, buf_bytes(&b));
  buf_release(&b);
}

static int exit_code(const struct command_render *r)
{
  bool told = r->format != COMMAND_TEXT && r->row->status;
  return told ? r->row->status % 256 : 1;
}

static void write_all(const struct command_render *r, struct pieces *ret)
{
  if (!r->row || r->row->ends_well) {
    write_answer(r, ret);
    pieces_add(ret, PIECE_EXIT, 0);
    return;
  }
  write_errors(r, ret);
  if (r->format == COMMAND_STREAM_JSON)
    write_last_event(r, ret);
  pieces_add(ret, PIECE_EXIT, exit_code(r));
}

const struct command_cli cli_gemini = {
    .name = "gemini",
    .summary = "gemini-cli, 0.1 to 0.61: errors on stderr, exit status mod "
               "256.",
    .newest = "0.61.0",
    .version_head = "",
    .version_tail = "\n",
    .texts = texts,
    .format = format,
    .write = write_all};
