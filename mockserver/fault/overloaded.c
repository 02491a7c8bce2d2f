#include "mockserver/exchange.h"

static const struct param params[] = {
    {.name = "retry_after",
     .type = PARAM_LITERAL,
     .summary = "value of the retry-after header; absent: no header, as is "
                "usual"},
    {.name = "retry_after_ms",
     .type = PARAM_LITERAL,
     .summary = "value of the retry-after-ms header"},
    {.name = NULL}};

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
