#include "mockserver/exchange.h"
#include "mockserver/step_check.h"

#include <stdio.h>

static const struct param params[] = {
    {.name = "retry_after",
     .type = PARAM_LITERAL,
     .summary = "value of the retry-after header, sent as it stands; null or "
                "absent: no header"},
    {.name = "retry_after_ms",
     .type = PARAM_LITERAL,
     .summary = "value of the retry-after-ms header"},
    {.name = "hint_s",
     .type = PARAM_NUMBER,
     .min = 0,
     .max = 315360000,
     .summary = "seconds the body's hint names (OpenAI text, Gemini "
                "RetryInfo) and the reset headers; default: retry_after, "
                "else 1"},
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
