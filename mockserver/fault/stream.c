#include "mockserver/exchange.h"
#include "mockserver/step_check.h"

static const char *const endings[] = {"complete", "clean",      "dirty",
                                      "eof",      "fin",        "rst",
                                      "hold",     "last_chunk", NULL};
enum { COMPLETE, CLEAN, DIRTY, AT_EOF, AT_FIN, AT_RST, HOLD, LAST_CHUNK };

static const struct param params[] = {
    {.name = "events",
     .type = PARAM_VALUE,
     .summary = "what is sent, entry by entry (Events); absent: the answer "
                "of the reply's keys"},
    {.name = "ending",
     .type = PARAM_WORD,
     .words = endings,
     .summary = "complete, clean: the last chunk is sent; dirty: it is not, "
                "FIN; eof: no chunks at all, FIN; fin: like dirty, a chunk "
                "that at_byte cuts stays short; rst: reset; hold: silence; "
                "last_chunk: FIN behind its first line; default complete"},
    {.name = "after_event",
     .type = PARAM_INT,
     .min = 0,
     .max = 2000000,
     .summary = "so many entries (without `events`: events) are sent"},
    {.name = "at_byte",
     .type = PARAM_INT,
     .min = 0,
     .max = 1e9,
     .summary = "bytes of the stream that are sent, before coding and chunk "
                "framing"},
    {.name = "eol",
     .type = PARAM_WORD,
     .words = eol_words,
     .summary = "line ends of the events; mixed: another in each line; "
                "default the provider's"},
    {.name = "pieces",
     .type = PARAM_VALUE,
     .summary = "where chunks and segments end: a number of bytes, a list of "
                "offsets, or utf8, crlf, data, lines, byte"},
    {.name = "piece_gap_ms",
     .type = PARAM_INT,
     .min = 0,
     .max = 86400000,
     .summary = "milliseconds between two pieces"},
    {.name = "bom",
     .type = PARAM_BOOL,
     .summary = "a byte order mark in front of the first event"},
    {.name = "default_headers",
     .type = PARAM_BOOL,
     .summary = "false: the head is the status line and the step's headers, "
                "and nothing else; default true"},
    STEP_PARAM_NON_STREAM,
    {.name = NULL}};

static int check(const struct jval *step, struct diag *diag)
{
  if (step_check_one_of(step, "after_event", "at_byte", diag) < 0 ||
      step_check_pieces(step, diag) < 0 || step_check_events(step, diag) < 0)
    return -1;
  return param_has(step->node, "events") ? 0
                                         : step_check_after_event(step, diag);
}

static const char *what(int ending)
{
  switch (ending) {
  case COMPLETE:
    return "200 message, scripted";
  case CLEAN:
    return "200 message, scripted, cut cleanly";
  case DIRTY:
  case LAST_CHUNK:
    return "200 message, scripted, body not closed";
  case AT_EOF:
    return "200 message, scripted, until FIN";
  case AT_FIN:
    return "200 message, scripted, cut by FIN";
  case AT_RST:
    return "200 message, scripted, reset";
  default:
    return "200 message, scripted, then silence";
  }
}

static void end(struct exchange *x, int ending)
{
  bool ended = exchange_is_ended(x);
  exchange_mark_fault(x);
  if (ending == COMPLETE || ending == CLEAN) {
    exchange_end_stream(x, ended && ending == COMPLETE);
    return;
  }
  if (ending == AT_EOF && ended) {
    exchange_end_stream(x, true);
    return;
  }
  if (ending == LAST_CHUNK)
    exchange_send_last_chunk_line(x);
  if (ending == AT_RST)
    exchange_rst(x);
  else if (ending == HOLD)
    exchange_stall(x);
  else
    exchange_fin(x);
}

static void run(struct exchange *x)
{
  const cJSON *step = exchange_step(x);
  int ending = param_word(step, "ending", endings, COMPLETE);
  int64_t n = 0;
  struct exchange_shape s = {.until_close = ending == AT_EOF,
                             .leave_short =
                                 ending == AT_FIN || ending == AT_RST};
  exchange_shaped_head(x, &s);
  /* before the events: an error among them is worth more */
  exchange_what(x, what(ending));
  exchange_send_shaped(x, param_int(step, "after_event", &n) ? (uint64_t)n
                                                             : UINT64_MAX);
  end(x, ending);
}

const struct fault fault_stream = {
    .name = "stream",
    .summary = "200 and a stream scripted event by event: content, errors, "
               "silence, pieces, line ends and every ending.",
    .params = params,
    .needs_stream = true,
    .has_reply = true,
    .check = check,
    .run = run};
