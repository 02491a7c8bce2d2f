/*
 * OpenAI's shape {"error": {message, type, param, code}}, which Azure, Groq,
 * DeepSeek, Together, LiteLLM and the ChatGPT backend also use. The code
 * says more than the type. Sources: help.openai.com 5955604; openapi.yaml
 * ResponseErrorCode; codex-rs codex-api/src/api_bridge.rs.
 */
#include "guard/classify/evidence.h"

static const struct guard_word words[] = {
    {"rate_limit_exceeded", GUARD_RATE_LIMIT},
    {"slow_down", GUARD_RATE_LIMIT},
    {"requests", GUARD_RATE_LIMIT},
    {"tokens", GUARD_RATE_LIMIT},
    {"rate_limit_error", GUARD_RATE_LIMIT},
    {"throttling_error", GUARD_RATE_LIMIT}, /* LiteLLM's proxy */
    {"model_rate_limit", GUARD_RATE_LIMIT}, /* Together */
    {"insufficient_quota", GUARD_QUOTA_EXHAUSTED},
    {"quota_exceeded", GUARD_QUOTA_EXHAUSTED},
    {"credit_balance_exhausted", GUARD_QUOTA_EXHAUSTED},
    {"organization_usage_limit_exceeded", GUARD_QUOTA_EXHAUSTED},
    {"organization_spend_limit_exceeded", GUARD_QUOTA_EXHAUSTED},
    {"project_spend_limit_exceeded", GUARD_QUOTA_EXHAUSTED},
    {"billing_hard_limit_reached", GUARD_QUOTA_EXHAUSTED},
    {"billing_not_active", GUARD_QUOTA_EXHAUSTED},
    {"usage_not_included", GUARD_QUOTA_EXHAUSTED},
    {"budget_exceeded", GUARD_QUOTA_EXHAUSTED}, /* LiteLLM's proxy */
    {"usage_limit_reached", GUARD_USAGE_LIMIT},
    {"server_is_overloaded", GUARD_OVERLOADED},
    {"engine_overloaded", GUARD_OVERLOADED},
    {"service_unavailable_error", GUARD_OVERLOADED},
    {"overloaded_error", GUARD_OVERLOADED},
    {"resource_unavailable", GUARD_OVERLOADED}, /* flex tier */
    {"capacity_exceeded", GUARD_OVERLOADED},    /* Groq's flex tier */
    {"server_error", GUARD_SERVER_ERROR},
    {"vector_store_timeout", GUARD_SERVER_ERROR},
    {"invalid_api_key", GUARD_AUTH},
    {"authentication_error", GUARD_AUTH},
    {"model_not_found", GUARD_INVALID_REQUEST},
    {"context_length_exceeded", GUARD_INVALID_REQUEST},
    {"string_above_max_length", GUARD_INVALID_REQUEST},
    {"content_policy_violation", GUARD_INVALID_REQUEST},
    {"content_filter", GUARD_INVALID_REQUEST},
    {"invalid_prompt", GUARD_INVALID_REQUEST},
    {"bio_policy", GUARD_INVALID_REQUEST},
    {"data_residency_mismatch", GUARD_INVALID_REQUEST},
    {NULL, GUARD_NONE},
};

bool guard_openai_word(const char *word, int status, enum guard_class *ret)
{
  if (!guard_lookup(words, word, ret))
    return false;
  /* slow_down was a 503 for capacity before it was a 429 for growth */
  if (guard_equal(word, "slow_down") && status == 503)
    *ret = GUARD_OVERLOADED;
  return true;
}

/* ChatGPT plans: resets_at in epoch seconds, else resets_in_seconds. */
static void plan_reset(const struct guard_evidence *e, struct guard_verdict *v)
{
  const cJSON *at = cJSON_GetObjectItemCaseSensitive(e->error, "resets_at");
  const cJSON *in =
      cJSON_GetObjectItemCaseSensitive(e->error, "resets_in_seconds");
  const double max = 1e11; /* a year beyond 5000 is a mistake */
  struct guard_hint_value hint = {0, 0};

  if (cJSON_IsNumber(at) && at->valuedouble > 0 && at->valuedouble < max)
    guard_hint_until_epoch((int64_t)at->valuedouble, e->answer->now_epoch_ms,
                           &hint);
  else if (cJSON_IsNumber(in) && in->valuedouble >= 0 && in->valuedouble < max)
    hint.wait_ms = (int64_t)in->valuedouble * 1000;
  else
    return;
  guard_verdict_wait(v, &hint);
}

static bool decide(const struct guard_evidence *e, enum guard_class *ret)
{
  /* one request larger than the whole bucket: waiting never helps */
  if (guard_begins(e->message, "Request too large for")) {
    *ret = GUARD_INVALID_REQUEST;
    return true;
  }
  if (e->status == 402) { /* DeepSeek says invalid_request_error here */
    *ret = GUARD_QUOTA_EXHAUSTED;
    return true;
  }
  if (!guard_openai_word(e->code, e->status, ret) &&
      !guard_openai_word(e->type, e->status, ret))
    return false;
  /* "The engine is currently overloaded" comes with type server_error */
  if (*ret == GUARD_SERVER_ERROR && guard_contains(e->message, "overloaded"))
    *ret = GUARD_OVERLOADED;
  return true;
}

bool guard_body_openai(const struct guard_evidence *e,
                       struct guard_verdict *ret)
{
  enum guard_class cls;

  if (e->error && decide(e, &cls)) {
    *ret = guard_verdict_of(cls, "openai: error.code or error.type");
    if (cls == GUARD_USAGE_LIMIT)
      plan_reset(e, ret);
    return true;
  }
  if (!e->error && !e->root && (e->status >= 400 || e->depth > 0) &&
      guard_by_message(e->message, ret))
    return true; /* SDKs print the message alone behind the status */
  return false;
}
