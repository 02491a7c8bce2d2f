/*
 * Anthropic Messages API: error.type (12 members, may grow), the spend codes
 * in error.details, the subscription headers. Sources:
 * platform.claude.com/docs/en/api/errors; @anthropic-ai/sdk 1.14.0
 * src/resources/shared.ts.
 */
#include "guard/classify/evidence.h"

static const struct guard_word types[] = {
    {"rate_limit_error", GUARD_RATE_LIMIT},
    {"overloaded_error", GUARD_OVERLOADED},
    {"api_error", GUARD_SERVER_ERROR},
    {"timeout_error", GUARD_TIMEOUT},
    {"authentication_error", GUARD_AUTH},
    {"permission_error", GUARD_AUTH},
    {"billing_error", GUARD_QUOTA_EXHAUSTED},
    {"invalid_request_error", GUARD_INVALID_REQUEST},
    {"not_found_error", GUARD_INVALID_REQUEST},
    {"request_too_large", GUARD_INVALID_REQUEST},
    {"conflict_error", GUARD_INVALID_REQUEST},
    {"memory_precondition_failed_error", GUARD_INVALID_REQUEST},
    {"memory_path_conflict_error", GUARD_INVALID_REQUEST},
    {NULL, GUARD_NONE},
};

static const struct guard_word details[] = {
    {"ramp_limit_exceeded", GUARD_RATE_LIMIT},
    {"enforced_spend_limit_reached", GUARD_QUOTA_EXHAUSTED},
    {"contract_spend_limit_reached", GUARD_QUOTA_EXHAUSTED},
    {NULL, GUARD_NONE},
};

/* Limits that come as a 400. The texts are all there is to tell them. */
static bool is_spend_message(const char *message)
{
  return (guard_begins(message, "You have reached your specified") &&
          guard_contains(message, "API usage limits")) ||
         guard_begins(message, "Your credit balance is too low") ||
         guard_begins(message, "Credit balance is too low");
}

/* A subscription window is over: hours or days, whatever the status says. */
static bool window(const struct guard_evidence *e, struct guard_verdict *ret)
{
  const struct guard_answer *a = e->answer;
  const struct guard_header *status, *reset;
  struct guard_scan value;
  struct guard_hint_value hint;

  status = guard_header_find(a->headers, a->nheaders,
                             "anthropic-ratelimit-unified-status");
  if (e->status != 429 || !status)
    return false;
  value = guard_header_value(status);
  guard_scan_trim(&value);
  if (!guard_scan_fold(&value, "rejected"))
    return false;
  *ret = guard_verdict_of(GUARD_USAGE_LIMIT, "anthropic: window rejected");
  reset = guard_header_find(a->headers, a->nheaders,
                            "anthropic-ratelimit-unified-reset");
  if (reset &&
      guard_hint_epoch(guard_header_value(reset), a->now_epoch_ms, &hint) ==
          GUARD_HINT_WAIT &&
      hint.reset_epoch_s > 0)
    ret->reset_epoch_s = hint.reset_epoch_s;
  return true;
}

bool guard_body_anthropic(const struct guard_evidence *e,
                          struct guard_verdict *ret)
{
  enum guard_class cls;

  if (guard_lookup(details, e->detail, &cls)) {
    *ret = guard_verdict_of(cls, "anthropic: details.error_code");
    return true;
  }
  if (window(e, ret))
    return true;
  if ((e->status == 0 || e->status == 400 || e->status == 429) &&
      is_spend_message(e->message)) {
    *ret = guard_verdict_of(GUARD_QUOTA_EXHAUSTED, "anthropic: spend limit");
    return true;
  }
  if (!guard_equal(e->type, "error") && guard_lookup(types, e->type, &cls)) {
    const cJSON *outer = cJSON_GetObjectItemCaseSensitive(e->root, "type");

    if (!cJSON_IsString(outer)) /* OpenAI's shape has no type outside */
      return false;
    *ret = guard_verdict_of(cls, "anthropic: error.type");
    if (guard_equal(e->type, "conflict_error"))
      ret->retryable = true; /* as the official SDKs do */
    return true;
  }
  return false;
}
