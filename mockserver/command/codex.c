/*
 * Codex, 0.23 to 0.171: the final text alone on stdout, progress and errors
 * on stderr, the last error twice; with --json one event a line on stdout.
 * A failure ends with 1. Measured, and its issue tracker; the events around
 * an answer that went well are of the usual shape, not measured.
 */
#include "mockserver/command/cli.h"

#include <inttypes.h>
#include <string.h>

static const struct command_text texts[] = {
#define SAYS(...) {__VA_ARGS__},
#include "mockserver/command/codex.def"
#undef SAYS
    {.says = NULL}};

/* Ceiling of one output, far above any text and its escapes. */
#define MAX_OUT_BYTES ((size_t)16 << 20)

static enum command_format format(const char *const *argv, size_t argc)
{
  for (size_t i = 1; i < argc; i++)
    if (strcmp(argv[i], "--json") == 0)
      return COMMAND_JSON;
  return COMMAND_TEXT;
}

static void add_answer(const struct command_render *r, struct buf *b)
{
  buf_adds(b, "{\"type\":\"item.completed\",\"item\":{\"id\":\"item_0\","
              "\"type\":\"agent_message\",\"text\":");
  buf_add_json(b, r->text);
  buf_adds(b, "}}\n{\"type\":\"turn.completed\",\"usage\":{\"input_tokens\":1,"
              "\"cached_input_tokens\":0,\"output_tokens\":1}}\n");
}

static void add_failure(const struct command_render *r, struct buf *b)
{
  for (int64_t i = 1; r->row->retried && i <= r->retries; i++) {
    struct buf line;
    buf_init(&line, MAX_OUT_BYTES);
    buf_addf(&line, "Reconnecting... %" PRId64 "/%" PRId64 " (", i, r->retries);
    buf_addb(&line, r->text);
    buf_addc(&line, ')');
    buf_adds(b, "{\"type\":\"error\",\"message\":");
    buf_add_json(b, buf_bytes(&line));
    buf_adds(b, "}\n");
    buf_release(&line);
  }
  buf_adds(b, "{\"type\":\"turn.failed\",\"error\":{\"message\":");
  buf_add_json(b, r->text);
  buf_adds(b, "}}\n");
}

static void write_events(const struct command_render *r, struct pieces *ret)
{
  struct buf b;
  buf_init(&b, MAX_OUT_BYTES);
  buf_addf(&b,
           "{\"type\":\"thread.started\",\"thread_id\":\"%s\"}\n"
           "{\"type\":\"turn.started\"}\n",
           r->session);
  if (r->row)
    add_failure(r, &b);
  else
    add_answer(r, &b);
  pieces_out(ret, buf_bytes(&b));
  buf_release(&b);
}

static void write_text(const struct command_render *r, struct pieces *ret)
{
  struct buf b;
  buf_init(&b, MAX_OUT_BYTES);
  const char *prefix =
      r->row ? r->row->prefix ? r->row->prefix : "ERROR: " : "";
  for (int i = 0; i < (r->row && !r->row->prefix ? 2 : 1); i++) {
    buf_adds(&b, prefix);
    buf_addb(&b, r->text);
    buf_addc(&b, '\n');
  }
  pieces_write(ret, r->row ? PIECE_ERR : PIECE_OUT, buf_bytes(&b));
  buf_release(&b);
}

static void write_all(const struct command_render *r, struct pieces *ret)
{
  if (r->format == COMMAND_TEXT)
    write_text(r, ret);
  else
    write_events(r, ret);
  pieces_add(ret, PIECE_EXIT, r->row != NULL);
}

const struct command_cli cli_codex = {
    .name = "codex",
    .summary = "Codex (`codex exec`), 0.23 to 0.171: errors on stderr.",
    .newest = "0.171.0",
    .version_head = "codex-cli ",
    .version_tail = "\n",
    .texts = texts,
    .format = format,
    .write = write_all};
