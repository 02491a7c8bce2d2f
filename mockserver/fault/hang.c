#include "mockserver/exchange.h"

static const struct param params[] = {{.name = NULL}};

static void run(struct exchange *x)
{
  exchange_what(x, "no answer");
  exchange_mark_fault(x);
  exchange_stall(x);
}

const struct fault fault_hang = {.name = "hang",
                                 .summary =
                                     "The request is read and never answered.",
                                 .params = params,
                                 .run = run};
