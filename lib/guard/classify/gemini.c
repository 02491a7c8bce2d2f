/*
 * Google APIs: google.rpc.Status with details. A 429 is a limit per minute,
 * a daily quota, a tier without any quota, a subscription (Code Assist) or
 * capacity; details tell. Source: gemini-cli
 * packages/core/src/utils/googleQuotaErrors.ts.
 */
#include "guard/classify/evidence.h"

#include <string.h>

static const struct guard_word codes[] = {
    {"RESOURCE_EXHAUSTED", GUARD_RATE_LIMIT},
    {"UNAVAILABLE", GUARD_OVERLOADED},
    {"INTERNAL", GUARD_SERVER_ERROR},
    {"UNKNOWN", GUARD_SERVER_ERROR},
    {"ABORTED", GUARD_SERVER_ERROR},
    {"DATA_LOSS", GUARD_SERVER_ERROR},
    {"DEADLINE_EXCEEDED", GUARD_TIMEOUT},
    {"PERMISSION_DENIED", GUARD_AUTH},
    {"UNAUTHENTICATED", GUARD_AUTH},
    {"INVALID_ARGUMENT", GUARD_INVALID_REQUEST},
    {"FAILED_PRECONDITION", GUARD_INVALID_REQUEST},
    {"NOT_FOUND", GUARD_INVALID_REQUEST},
    {"ALREADY_EXISTS", GUARD_INVALID_REQUEST},
    {"OUT_OF_RANGE", GUARD_INVALID_REQUEST},
    {"UNIMPLEMENTED", GUARD_INVALID_REQUEST},
    {"CANCELLED", GUARD_INVALID_REQUEST},
    {NULL, GUARD_NONE},
};

static const struct guard_word reasons[] = {
    {"RATE_LIMIT_EXCEEDED", GUARD_RATE_LIMIT},
    {"QUOTA_EXHAUSTED", GUARD_USAGE_LIMIT},
    {"MODEL_CAPACITY_EXHAUSTED", GUARD_OVERLOADED},
    {"INSUFFICIENT_G1_CREDITS_BALANCE", GUARD_QUOTA_EXHAUSTED},
    {"API_KEY_INVALID", GUARD_AUTH},
    {"VALIDATION_REQUIRED", GUARD_AUTH},
    {NULL, GUARD_NONE},
};

struct found {
  const char *reason;
  bool per_day;
  bool has_delay;
  struct guard_hint_value delay;
};

static const char *text_of(const cJSON *object, const char *key)
{
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);

  return cJSON_IsString(item) ? item->valuestring : "";
}

/* "type.googleapis.com/google.rpc.RetryInfo" */
static bool is_type(const char *type, const char *name)
{
  const char *slash = strrchr(type, '/');

  return guard_equal(slash ? slash + 1 : type, name);
}

static void read_detail(const cJSON *detail, int64_t now_ms, struct found *f)
{
  const char *type = text_of(detail, "@type");
  const cJSON *violation;

  if (is_type(type, "google.rpc.ErrorInfo"))
    f->reason = text_of(detail, "reason");
  if (is_type(type, "google.rpc.RetryInfo"))
    f->has_delay =
        guard_hint_protobuf(guard_scan_str(text_of(detail, "retryDelay")),
                            now_ms, &f->delay) == GUARD_HINT_WAIT;
  cJSON_ArrayForEach(violation,
                     cJSON_GetObjectItemCaseSensitive(detail, "violations"))
  {
    if (guard_contains(text_of(violation, "quotaId"), "PerDay"))
      f->per_day = true;
  }
}

static struct found read_details(const struct guard_evidence *e)
{
  struct found f = {.reason = ""};
  const cJSON *detail;

  cJSON_ArrayForEach(detail,
                     cJSON_GetObjectItemCaseSensitive(e->error, "details"))
  {
    read_detail(detail, e->answer->now_epoch_ms, &f);
  }
  return f;
}

/* "limit: 0": this tier has no quota at all; the delay beside it misleads. */
static bool has_zero_limit(const char *message)
{
  static const char words[] = "limit: ";
  const char *at = message;

  while ((at = strstr(at, words)) != NULL) {
    struct guard_scan s;
    int64_t limit;

    at += strlen(words);
    s = guard_scan_str(at);
    if (guard_scan_number(&s, INT64_MAX, &limit) && limit == 0)
      return true;
  }
  return false;
}

/* Before QuotaFailure the text alone told: "Quota exceeded for quota metric
 * '...' and limit '... per day per user per tier' of service ...". */
static bool is_daily(const char *message)
{
  return guard_begins(message, "Quota exceeded for quota metric") &&
         guard_contains(message, "per day");
}

static enum guard_class decide(const struct guard_evidence *e,
                               const struct found *f, enum guard_class cls)
{
  enum guard_class by_reason;

  if (guard_lookup(reasons, f->reason, &by_reason))
    return by_reason;
  if (cls == GUARD_RATE_LIMIT &&
      (f->per_day || has_zero_limit(e->message) || is_daily(e->message)))
    return GUARD_QUOTA_EXHAUSTED;
  if (cls == GUARD_INVALID_REQUEST &&
      guard_begins(e->message, "API key not valid"))
    return GUARD_AUTH;
  return cls;
}

/* gemini-cli's SDK puts the whole body into the message of a second one. */
static bool nested(const struct guard_evidence *e, struct guard_verdict *ret)
{
  if (e->message[0] != '{' || e->depth >= GUARD_MAX_DEPTH)
    return false;
  *ret = guard_judge_part(e, e->status ? e->status : e->code_number,
                          guard_scan_str(e->message));
  return ret->cls != GUARD_NONE;
}

bool guard_body_gemini(const struct guard_evidence *e,
                       struct guard_verdict *ret)
{
  enum guard_class cls;
  struct found f;

  if (!e->word[0])
    return false;
  if (nested(e, ret))
    return true;
  if (!guard_lookup(codes, e->word, &cls))
    return false;
  f = read_details(e);
  *ret = guard_verdict_of(decide(e, &f, cls), "google: status and details");
  if (ret->cls == GUARD_QUOTA_EXHAUSTED && has_zero_limit(e->message))
    ret->hint = GUARD_HINT_INVALID;
  else if (f.has_delay)
    guard_verdict_wait(ret, &f.delay);
  return true;
}
