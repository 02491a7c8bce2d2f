#include "mockserver/exchange.h"
#include "mockserver/step_check.h"

static const struct param params[] = {
    {.name = "error",
     .type = PARAM_STRING,
     .summary = "a documented error of the provider by name; default "
                "overloaded"},
    {.name = "after_event",
     .type = PARAM_INT,
     .min = 0,
     .max = 2000000,
     .summary = "events sent before the error; default half of the stream"},
    STEP_PARAM_NON_STREAM,
    {.name = NULL}};

static int check(const struct jval *step, struct diag *diag)
{
  if (step_check_error(step, "error", "", diag) < 0)
    return -1;
  return step_check_after_event(step, diag);
}

static void run(struct exchange *x)
{
  const char *error = "overloaded";
  int64_t n = 0;
  exchange_stream_head(x);
  uint64_t after = exchange_events(x) / 2;
  if (param_int(exchange_step(x), "after_event", &n))
    after = (uint64_t)n;
  param_string(exchange_step(x), "error", &error);
  exchange_send_events(x, 0, after);
  exchange_send_error_event(x, after, error);
  exchange_mark_fault(x);
  exchange_end_stream(x, false);
}

const struct fault fault_stream_error = {
    .name = "stream_error",
    .summary = "200, then the provider's error event in the stream.",
    .params = params,
    .needs_stream = true,
    .has_reply = true,
    .check = check,
    .run = run};
