/*
 * OpenRouter: error.code is a number and also comes in a 200; the headers
 * are repeated in error.metadata.headers; the free tier counts days.
 * Sources: openrouter.ai/docs errors; Gitlawb/openclaude#936.
 */
#include "guard/classify/evidence.h"

static bool daily(const struct guard_evidence *e, struct guard_verdict *ret)
{
  const cJSON *metadata =
      cJSON_GetObjectItemCaseSensitive(e->error, "metadata");
  const cJSON *headers = cJSON_GetObjectItemCaseSensitive(metadata, "headers");
  const cJSON *reset =
      cJSON_GetObjectItemCaseSensitive(headers, "X-RateLimit-Reset");
  struct guard_hint_value hint;

  if (!guard_contains(e->message, "free-models-per-day"))
    return false;
  *ret = guard_verdict_of(GUARD_QUOTA_EXHAUSTED, "openrouter: free per day");
  if (cJSON_IsString(reset) &&
      guard_hint_epoch(guard_scan_str(reset->valuestring),
                       e->answer->now_epoch_ms, &hint) == GUARD_HINT_WAIT)
    guard_verdict_wait(ret, &hint);
  return true;
}

bool guard_body_openrouter(const struct guard_evidence *e,
                           struct guard_verdict *ret)
{
  /* it always has a code: no other answer is searched for a word */
  if (!e->error || (e->code_number == 0 && !e->code[0]))
    return false;
  if (daily(e, ret))
    return true;
  /* a number without google's word beside it */
  if (e->word[0] || e->type[0] || e->code_number < 400 || e->code_number > 599)
    return false;
  if (e->status >= 400 && e->status != e->code_number)
    return false;
  *ret = guard_by_status(e->code_number);
  ret->rule = "openrouter: error.code";
  return true;
}
