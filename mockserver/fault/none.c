#include "mockserver/exchange.h"

static void run(struct exchange *x)
{
  exchange_reply(x);
}

static const struct param params[] = {
    {.name = "stream",
     .type = PARAM_BOOL,
     .summary = "this step is meant for a streamed call"},
    {.name = NULL}};

const struct fault fault_none = {.name = "none",
                                 .summary =
                                     "No fault: the provider's plain answer.",
                                 .params = params,
                                 .has_reply = true,
                                 .run = run};
