#include "mockserver/exchange.h"
#include "mockserver/step_check.h"

#include <stdio.h>

static const struct param params[] = {
    STEP_PARAM_RETRY_AFTER,
    STEP_PARAM_RETRY_AFTER_MS,
    STEP_PARAM_HINT_S,
    {.name = "quota",
     .type = PARAM_STRING,
     .summary = "which limit is hit: anthropic requests, input_tokens, "
                "output_tokens, account, acceleration; openai requests, "
                "tokens, requests_per_day, acceleration; gemini minute, "
                "tokens, day, no_hint, plain"},
    {.name = NULL}};

static int check(const struct jval *step, struct diag *diag)
{
  return step_check_error(step, "quota", "quota:", diag);
}

static void run(struct exchange *x)
{
  const char *quota = NULL;
  char name[128];
  if (param_string(exchange_step(x), "quota", &quota))
    snprintf(name, sizeof name, "quota:%s", quota);
  exchange_error(x, quota ? name : "rate_limit");
}

const struct fault fault_rate_limit = {
    .name = "rate_limit",
    .summary = "429: a burst limit, with the provider's header family.",
    .params = params,
    .check = check,
    .run = run};
