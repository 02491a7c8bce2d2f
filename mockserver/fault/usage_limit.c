#include "mockserver/exchange.h"
#include "mockserver/step_check.h"

/* A reset ten years away is the most a header of seconds is tried with. */
static const struct param params[] = {
    {.name = "resets_in_s",
     .type = PARAM_INT,
     .min = 0,
     .max = 315360000,
     .summary = "seconds until the window opens again, default 10800"},
    {.name = "kind",
     .type = PARAM_STRING,
     .summary = "which of the provider's errors says it: openai "
                "insufficient_quota or usage_limit_reached; default "
                "usage_limit"},
    STEP_PARAM_RETRY_AFTER,
    STEP_PARAM_RETRY_AFTER_MS,
    {.name = NULL}};

static int check(const struct jval *step, struct diag *diag)
{
  return step_check_error(step, "kind", "", diag);
}

static void run(struct exchange *x)
{
  const char *kind = "usage_limit";
  param_string(exchange_step(x), "kind", &kind);
  exchange_error(x, kind);
}

const struct fault fault_usage_limit = {
    .name = "usage_limit",
    .summary = "429: a plan's window or quota is used up, for hours or days.",
    .params = params,
    .check = check,
    .run = run};
