#include "mockserver/exchange.h"
#include "mockserver/step_check.h"

#include "base/clock.h"

static const char *const places[] = {"before_headers", "after_headers",
                                     "after_event", NULL};
enum { BEFORE_HEADERS, AFTER_HEADERS, AFTER_EVENT };

/* A day: longer than any client is watched. */
#define MAX_S 86400

static const struct param params[] = {
    {.name = "where",
     .type = PARAM_WORD,
     .words = places,
     .required = true,
     .summary = "where the silence begins"},
    {.name = "after_event",
     .type = PARAM_INT,
     .min = 0,
     .max = 2000000,
     .summary = "events sent before the silence; default half of the "
                "stream"},
    {.name = "for_s",
     .type = PARAM_NUMBER,
     .min = 0.001,
     .max = MAX_S,
     .summary = "seconds of silence, then the answer goes on; absent: for "
                "ever"},
    {.name = "pings",
     .type = PARAM_NUMBER,
     .min = 0.001,
     .max = MAX_S,
     .summary = "period in seconds of signs of life without content"},
    STEP_PARAM_NON_STREAM,
    {.name = NULL}};

static int place(const cJSON *step)
{
  return param_word(step, "where", places, AFTER_EVENT);
}

/* Pings are events; only a stream that has begun can carry them. */
static bool needs_stream(const cJSON *step)
{
  return place(step) == AFTER_EVENT || param_has(step, "pings");
}

static int check(const struct jval *step, struct diag *diag)
{
  struct jval value;
  if (place(step->node) != AFTER_EVENT &&
      jval_member(step, "after_event", &value))
    return jval_key_error(&value, diag, "needs \"where\": \"after_event\"");
  if (place(step->node) == BEFORE_HEADERS && jval_member(step, "pings", &value))
    return jval_key_error(&value, diag,
                          "no ping can be sent before the headers");
  return step_check_after_event(step, diag);
}

static int64_t seconds_ns(const cJSON *step, const char *key)
{
  double s = 0;
  return param_number(step, key, &s) ? (int64_t)(s * (double)NS_PER_S) : -1;
}

/* True when the answer goes on. */
static bool silence(struct exchange *x)
{
  const cJSON *step = exchange_step(x);
  int64_t for_ns = seconds_ns(step, "for_s");
  int64_t period_ns = seconds_ns(step, "pings");
  exchange_mark_fault(x);
  if (period_ns > 0)
    exchange_send_pings(x, period_ns, for_ns);
  else if (for_ns > 0)
    exchange_delay(x, for_ns);
  if (for_ns < 0)
    exchange_stall(x);
  return for_ns > 0;
}

static void run_stream(struct exchange *x)
{
  int64_t n = 0;
  uint64_t after = 0;
  exchange_stream_head(x);
  if (place(exchange_step(x)) == AFTER_EVENT) {
    after = exchange_events(x) / 2;
    if (param_int(exchange_step(x), "after_event", &n))
      after = (uint64_t)n;
  }
  exchange_send_events(x, 0, after);
  exchange_what(x, "200 message, then silence");
  if (silence(x)) {
    exchange_send_events(x, after, exchange_events(x));
    exchange_end_stream(x, true);
  }
}

static void run_plain(struct exchange *x)
{
  exchange_plain_head(x);
  exchange_what(x, "200 message, then silence");
  if (silence(x))
    exchange_plain_body(x);
}

static void run(struct exchange *x)
{
  if (place(exchange_step(x)) == BEFORE_HEADERS) {
    exchange_what(x, "silence");
    if (silence(x))
      exchange_reply(x);
  } else if (exchange_wants_stream(x)) {
    run_stream(x);
  } else {
    run_plain(x);
  }
}

const struct fault fault_stall = {
    .name = "stall",
    .summary = "Silence before the headers, behind them or in the stream.",
    .params = params,
    .has_reply = true,
    .step_needs_stream = needs_stream,
    .check = check,
    .run = run};
