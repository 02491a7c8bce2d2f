/* The order of evidence; who reads what is in classify.def. */
#include "guard/error_class.h"

#include "guard/classify/output.h"
#include "guard/classify/stream_end.h"

const char *guard_class_name(enum guard_class c)
{
  static const char *const names[GUARD_NCLASSES] = {
      [GUARD_NONE] = "none",
      [GUARD_RATE_LIMIT] = "rate_limit",
      [GUARD_OVERLOADED] = "overloaded",
      [GUARD_USAGE_LIMIT] = "usage_limit",
      [GUARD_QUOTA_EXHAUSTED] = "quota_exhausted",
      [GUARD_TIMEOUT] = "timeout",
      [GUARD_AUTH] = "auth",
      [GUARD_INVALID_REQUEST] = "invalid_request",
      [GUARD_SERVER_ERROR] = "server_error",
      [GUARD_STREAM_INTERRUPTED] = "stream_interrupted",
  };

  return (unsigned)c < GUARD_NCLASSES ? names[c] : "unknown";
}

/* The server's own word on retrying. It does not shorten a limit that lasts
 * hours: there a "true" would only burn attempts. */
static void obey_should_retry(const struct guard_answer *a,
                              struct guard_verdict *v)
{
  const struct guard_header *h =
      guard_header_find(a->headers, a->nheaders, "x-should-retry");
  struct guard_scan value;

  if (!h || v->cls == GUARD_NONE)
    return;
  value = guard_header_value(h);
  guard_scan_trim(&value);
  if (guard_scan_fold(&value, "false"))
    v->retryable = false;
  else if (guard_scan_fold(&value, "true") && v->cls != GUARD_USAGE_LIMIT &&
           v->cls != GUARD_QUOTA_EXHAUSTED && v->hint != GUARD_HINT_STOP)
    v->retryable = true;
}

static bool has_content_type(const struct guard_answer *a, const char *type)
{
  const struct guard_header *h =
      guard_header_find(a->headers, a->nheaders, "content-type");

  return h && guard_scan_has(guard_header_value(h), type);
}

/* A success whose body is not an API's: a gateway's page, or JSON cut off. */
static bool is_foreign_page(const struct guard_evidence *e)
{
  struct guard_scan s = guard_scan_str(e->text);

  while (guard_scan_peek(&s) == ' ' || guard_scan_peek(&s) == '\n')
    s.p++;
  return guard_scan_fold(&s, "<!doctype html") || guard_scan_fold(&s, "<html");
}

static struct guard_verdict success(const struct guard_evidence *e)
{
  struct guard_verdict v;

  /* a success with an error in it (OpenRouter) */
  if (e->error && guard_read_body(e, &v) && v.cls != GUARD_NONE)
    return v;
  if (e->error)
    return guard_verdict_of(GUARD_SERVER_ERROR, "http: error in a success");
  if (e->answer->body_n == 0 && e->status == 200)
    return guard_verdict_of(GUARD_STREAM_INTERRUPTED, "http: 200, no body");
  if (is_foreign_page(e))
    return guard_verdict_of(GUARD_SERVER_ERROR, "http: a page, not an answer");
  if (!e->root && has_content_type(e->answer, "application/json"))
    return guard_verdict_of(GUARD_STREAM_INTERRUPTED, "http: JSON cut off");
  return guard_verdict_of(GUARD_NONE, "status: success");
}

/* Gemini without alt=sse: the last element of the array has the reason. */
static bool is_unfinished_array(const struct guard_evidence *e)
{
  const cJSON *last =
      cJSON_GetArrayItem(e->root, cJSON_GetArraySize(e->root) - 1);
  const cJSON *candidate = cJSON_GetArrayItem(
      cJSON_GetObjectItemCaseSensitive(last, "candidates"), 0);

  return cJSON_IsArray(e->root) &&
         !cJSON_IsString(
             cJSON_GetObjectItemCaseSensitive(candidate, "finishReason"));
}

/* One event's data is JSON; anything else is the whole stream. */
static struct guard_verdict judge_sse(const struct guard_evidence *e)
{
  struct guard_verdict v;

  if (e->root) {
    if (e->error && guard_read_body(e, &v) && v.cls != GUARD_NONE)
      return v;
    if (e->error)
      return guard_verdict_of(GUARD_SERVER_ERROR, "event: an error");
    if (guard_body_bedrock(e, &v)) /* the member's name is the error */
      return v;
    return is_unfinished_array(e)
               ? guard_verdict_of(GUARD_STREAM_INTERRUPTED, "array: no reason")
               : guard_verdict_of(GUARD_NONE, "event: no error");
  }
  if (guard_equal(e->message, "[DONE]"))
    return guard_verdict_of(GUARD_NONE, "event: [DONE]");
  return guard_judge_stream(e);
}

static struct guard_verdict judge_http(const struct guard_evidence *e)
{
  struct guard_verdict v;

  if (e->status >= 200 && e->status < 300)
    return has_content_type(e->answer, "text/event-stream") ? judge_sse(e)
                                                            : success(e);
  if (guard_read_body(e, &v) && v.cls != GUARD_NONE)
    return v;
  return guard_by_status(e->status);
}

struct guard_verdict guard_classify(const struct guard_answer *a)
{
  struct guard_evidence e;
  struct guard_verdict v;

  if (!guard_evidence_init(&e, a, 0)) {
    v = a->channel == GUARD_HTTP ? guard_by_status(a->status)
                                 : guard_verdict_of(GUARD_NONE, "no memory");
  } else if (a->channel == GUARD_HTTP) {
    v = judge_http(&e);
    guard_add_hints(&e, &v);
  } else if (a->channel == GUARD_SSE) {
    v = judge_sse(&e);
    guard_add_hints(&e, &v);
  } else {
    v = guard_read_output(&e);
  }
  guard_evidence_release(&e);
  obey_should_retry(a, &v);
  return v;
}
