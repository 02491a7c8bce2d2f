#include "mockserver/exchange.h"
#include "mockserver/step_check.h"

static const char *const endings[] = {"clean", "dirty", "fin", "rst", NULL};
enum { CLEAN, DIRTY, CUT_FIN, CUT_RST };

static const struct param params[] = {
    {.name = "ending",
     .type = PARAM_WORD,
     .words = endings,
     .summary = "clean: the last chunk is sent, the terminal event is not; "
                "dirty: the body is never closed, then FIN; fin: FIN inside "
                "an event; rst: reset; default clean"},
    {.name = "after_event",
     .type = PARAM_INT,
     .min = 0,
     .max = 2000000,
     .summary = "events sent before the cut; default: all of the text for "
                "clean, half of the stream for the others"},
    {.name = "at_byte",
     .type = PARAM_INT,
     .min = 0,
     .max = 1e9,
     .summary = "bytes of the stream sent before the cut, counted without "
                "chunk framing; beyond the end: all but the last byte"},
    STEP_PARAM_NON_STREAM,
    {.name = NULL}};

static int check(const struct jval *step, struct diag *diag)
{
  if (step_check_one_of(step, "after_event", "at_byte", diag) < 0)
    return -1;
  return step_check_after_event(step, diag);
}

static void send_until_cut(struct exchange *x, int ending)
{
  int64_t n = 0;
  bool whole_chunk = ending == CLEAN || ending == DIRTY;
  uint64_t after =
      ending == CLEAN ? exchange_text_events(x) : exchange_events(x) / 2;
  if (param_int(exchange_step(x), "at_byte", &n)) {
    exchange_send_first_bytes(x, (uint64_t)n, whole_chunk);
    return;
  }
  if (param_int(exchange_step(x), "after_event", &n))
    after = (uint64_t)n;
  exchange_send_events(x, 0, after);
  if (ending == CUT_FIN)
    exchange_send_half(x, after, false);
}

static void run(struct exchange *x)
{
  int ending = param_word(exchange_step(x), "ending", endings, CLEAN);
  exchange_stream_head(x);
  send_until_cut(x, ending);
  exchange_mark_fault(x);
  if (ending == CLEAN)
    exchange_end_stream(x, false);
  else if (ending == CUT_RST)
    exchange_rst(x);
  else
    exchange_fin(x);
  exchange_what(x, ending == CLEAN     ? "200 message, cut cleanly"
                   : ending == DIRTY   ? "200 message, cut, body not closed"
                   : ending == CUT_FIN ? "200 message, cut inside an event"
                                       : "200 message, reset");
}

const struct fault fault_stream_cut = {
    .name = "stream_cut",
    .summary = "200 and a stream that ends before its terminal event.",
    .params = params,
    .needs_stream = true,
    .has_reply = true,
    .check = check,
    .run = run};
