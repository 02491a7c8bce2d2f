#include "mockserver/exchange.h"

static const struct param params[] = {
    {.name = "after_request",
     .type = PARAM_BOOL,
     .summary = "true (default): when the whole request has arrived; false: "
                "as soon as its head has"},
    {.name = NULL}};

static bool is_early(const cJSON *step)
{
  bool after_request = true;
  param_bool(step, "after_request", &after_request);
  return !after_request;
}

static void run(struct exchange *x)
{
  exchange_what(x, "reset");
  exchange_mark_fault(x);
  exchange_rst(x);
}

const struct fault fault_reset = {
    .name = "reset",
    .summary = "The connection is reset before any byte of an answer.",
    .params = params,
    .step_is_early = is_early,
    .run = run};
