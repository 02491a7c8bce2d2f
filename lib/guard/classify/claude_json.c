/*
 * Claude Code's JSON: one result, or a line per event. A failure has
 * subtype "success" together with is_error true in every version; a stream
 * that broke has is_error false and subtype error_during_execution (up to
 * 2.0). rate_limit_event comes on healthy runs too.
 */
#include "guard/classify/output.h"

#include <math.h>

static const struct guard_word errors[] = {
    {"rate_limit", GUARD_RATE_LIMIT},
    {"overloaded", GUARD_OVERLOADED},
    {"authentication_failed", GUARD_AUTH},
    {"billing_error", GUARD_QUOTA_EXHAUSTED},
    {"invalid_request", GUARD_INVALID_REQUEST},
    {"server_error", GUARD_SERVER_ERROR},
    {NULL, GUARD_NONE},
};

static const cJSON *member(const cJSON *object, const char *key)
{
  return cJSON_GetObjectItemCaseSensitive(object, key);
}

static const char *text_of(const cJSON *object, const char *key)
{
  const cJSON *item = member(object, key);

  return cJSON_IsString(item) ? item->valuestring : "";
}

static int status_of(const cJSON *object, const char *key)
{
  const cJSON *item = member(object, key);

  return cJSON_IsNumber(item) && item->valueint >= 100 && item->valueint <= 599
             ? item->valueint
             : 0;
}

static void decide(struct guard_events *ev, struct guard_verdict v, bool final)
{
  ev->decided = true;
  ev->is_final = final;
  ev->verdict = v;
}

/* The text names a window where the status says 429 only. */
static struct guard_verdict failed_result(const struct guard_evidence *e,
                                          const cJSON *json)
{
  const char *text = text_of(json, "result");
  int status = status_of(json, "api_error_status");
  struct guard_verdict v;

  if (guard_equal(text_of(json, "api_error"), "usage_limit_reached")) {
    v = guard_verdict_of(GUARD_USAGE_LIMIT, "claude-json: api_error");
    guard_add_text_hint(guard_scan_str(text), e->answer->now_epoch_ms, &v);
    return v;
  }
  if (guard_read_lines(e, guard_scan_str(text), &v))
    return v;
  if (status)
    return guard_by_status(status);
  return guard_verdict_of(GUARD_NONE, "claude-json: an error of another kind");
}

static void on_result(const struct guard_evidence *e, const cJSON *json,
                      struct guard_events *ev)
{
  if (cJSON_IsTrue(member(json, "is_error")))
    decide(ev, failed_result(e, json), true);
  else if (guard_equal(text_of(json, "subtype"), "error_during_execution"))
    decide(ev,
           guard_verdict_of(GUARD_STREAM_INTERRUPTED,
                            "claude-json: error_during_execution"),
           true);
  else
    decide(ev, guard_verdict_of(GUARD_NONE, "claude-json: is_error false"),
           true);
}

/* The CLI tells that it retries by itself, and when. */
static void on_retry(const cJSON *json, struct guard_events *ev)
{
  const cJSON *delay = member(json, "retry_delay_ms");
  int status = status_of(json, "error_status");
  const double longest = 1e15; /* exact in a double and in an int64 */
  struct guard_hint_value hint = {0, 0};
  struct guard_verdict v =
      status ? guard_by_status(status)
             : guard_verdict_of(GUARD_STREAM_INTERRUPTED,
                                "claude-json: api_retry, no status");

  if (cJSON_IsNumber(delay) && delay->valuedouble >= 0 &&
      delay->valuedouble < longest) {
    hint.wait_ms = (int64_t)ceil(delay->valuedouble);
    guard_verdict_wait(&v, &hint);
  }
  decide(ev, v, false);
}

static void on_limit(const struct guard_evidence *e, const cJSON *json,
                     struct guard_events *ev)
{
  const cJSON *info = member(json, "rate_limit_info");
  const cJSON *at = member(info, "resetsAt");
  struct guard_verdict v =
      guard_verdict_of(GUARD_USAGE_LIMIT, "claude-json: window rejected");
  struct guard_hint_value hint;
  const double last = 253402300799.0; /* the year 9999 */

  /* paid overage takes over: the run goes on */
  if (!guard_equal(text_of(info, "status"), "rejected") ||
      cJSON_IsTrue(member(info, "isUsingOverage")))
    return;
  if (cJSON_IsNumber(at) && at->valuedouble > 0 && at->valuedouble < last) {
    ev->resets_at_s = (int64_t)at->valuedouble;
    guard_hint_until_epoch(ev->resets_at_s, e->answer->now_epoch_ms, &hint);
    guard_verdict_wait(&v, &hint);
  }
  decide(ev, v, false);
}

/* A failure is told as a message of a model that does not exist. */
static void on_assistant(const struct guard_evidence *e, const cJSON *json,
                         struct guard_events *ev)
{
  const cJSON *message = member(json, "message");
  const cJSON *block = cJSON_GetArrayItem(member(message, "content"), 0);
  const char *error = text_of(json, "error");
  enum guard_class cls;
  struct guard_verdict v;

  if (!error[0] || !guard_equal(text_of(message, "model"), "<synthetic>"))
    return;
  if (guard_read_lines(e, guard_scan_str(text_of(block, "text")), &v))
    decide(ev, v, false);
  else if (guard_lookup(errors, error, &cls))
    decide(ev, guard_verdict_of(cls, "claude-json: assistant error"), false);
}

bool guard_event_claude_json(const struct guard_evidence *e, const cJSON *json,
                             struct guard_events *ev)
{
  const char *type = text_of(json, "type");

  if (guard_equal(type, "result") && cJSON_IsBool(member(json, "is_error")))
    on_result(e, json, ev);
  else if (guard_equal(type, "system") &&
           guard_equal(text_of(json, "subtype"), "api_retry"))
    on_retry(json, ev);
  else if (guard_equal(type, "rate_limit_event"))
    on_limit(e, json, ev);
  else if (guard_equal(type, "assistant"))
    on_assistant(e, json, ev);
  else
    return false;
  return true;
}
