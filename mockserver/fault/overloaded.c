#include "mockserver/exchange.h"
#include "mockserver/step_check.h"

static const struct param params[] = {
    STEP_PARAM_RETRY_AFTER, STEP_PARAM_RETRY_AFTER_MS, {.name = NULL}};

static void run(struct exchange *x)
{
  exchange_error(x, "overloaded");
}

const struct fault fault_overloaded = {
    .name = "overloaded",
    .summary = "The service is at capacity: Anthropic 529, OpenAI and Gemini "
               "503.",
    .params = params,
    .run = run};
