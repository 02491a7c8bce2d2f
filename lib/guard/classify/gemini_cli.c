/*
 * gemini-cli 0.1 to 0.61: lines on stderr, a final JSON on stdout. Its exit
 * status is the HTTP status mod 256 with -o json. Source: measured, and
 * packages/core/src/utils/errors.ts.
 */
#include "guard/classify/output.h"

static bool attempt(const struct guard_evidence *e, struct guard_scan s,
                    struct guard_verdict *ret)
{
  int64_t number;
  int status;

  if (!guard_scan_lit(&s, "Attempt ") || !guard_scan_number(&s, 999, &number) ||
      !guard_scan_lit(&s, " failed"))
    return false;
  if (guard_scan_lit(&s, " with status ")) {
    if (!guard_scan_fixed(&s, 3, &status) || status < 400)
      return false;
    *ret = guard_judge_text(e, status, s);
    return true;
  }
  if (!guard_scan_lit(&s, ": "))
    return false;
  *ret = guard_judge_text(e, 429, s);
  return true;
}

/* "Error when talking to Gemini API Full report available at: PATH NAME: ..."
 * The name of the class tells. */
static bool talking(const struct guard_evidence *e, struct guard_scan s,
                    struct guard_verdict *ret)
{
  if (!guard_scan_lit(&s, "Error when talking to Gemini API"))
    return false;
  if (guard_scan_has(s, "TerminalQuotaError:")) {
    *ret = guard_verdict_of(GUARD_QUOTA_EXHAUSTED, "gemini-cli: class");
  } else if (guard_scan_has(s, "RetryableQuotaError:")) {
    *ret = guard_verdict_of(GUARD_RATE_LIMIT, "gemini-cli: class");
    guard_add_text_hint(s, e->answer->now_epoch_ms, ret);
  } else if (guard_scan_has(s, "Incomplete JSON segment")) {
    *ret = guard_verdict_of(GUARD_STREAM_INTERRUPTED, "gemini-cli: segment");
  } else if (guard_scan_past(&s, "_ApiError: ")) {
    *ret = guard_judge_text(e, 0, s);
  } else {
    return false;
  }
  return ret->cls != GUARD_NONE;
}

/* "[API Error: got status: UNAVAILABLE. {json}]" */
static bool api_error(const struct guard_evidence *e, struct guard_scan s,
                      struct guard_verdict *ret)
{
  int status = 0;

  if (!guard_scan_lit(&s, "[API Error: "))
    return false;
  if (guard_scan_lit(&s, "got status: "))
    guard_scan_fixed(&s, 3, &status);
  *ret = guard_judge_text(e, status >= 400 ? status : 0, s);
  return ret->cls != GUARD_NONE;
}

/* Exit code 41, before any request. */
static bool no_auth(struct guard_scan s, struct guard_verdict *ret)
{
  if (!guard_scan_lit(&s, "Invalid auth method selected"))
    return false;
  *ret = guard_verdict_of(GUARD_AUTH, "gemini-cli: sentence");
  return true;
}

bool guard_line_gemini_cli(const struct guard_evidence *e,
                           struct guard_scan line, struct guard_verdict *ret)
{
  if (!attempt(e, line, ret) && !talking(e, line, ret) &&
      !api_error(e, line, ret) && !no_auth(line, ret))
    return false;
  ret->rule = "gemini-cli: line";
  guard_add_text_hint(line, e->answer->now_epoch_ms, ret);
  return true;
}

static bool has_broken_stream(const cJSON *stats)
{
  const cJSON *models = cJSON_GetObjectItemCaseSensitive(stats, "models");
  const cJSON *model;

  cJSON_ArrayForEach(model, models)
  {
    const cJSON *api = cJSON_GetObjectItemCaseSensitive(model, "api");
    const cJSON *types = cJSON_GetObjectItemCaseSensitive(api, "errorsByType");

    if (cJSON_GetObjectItemCaseSensitive(types, "NO_FINISH_REASON"))
      return true;
  }
  return false;
}

/* 173 for 429, 144 for 400, 244 for 500, 247 for 503: the status mod 256.
 * 0 when it fits no error status. */
static int status_of_exit(const struct guard_answer *a)
{
  if (!a->has_exit_code || a->exit_code < 144 || a->exit_code > 255)
    return 0; /* below 400 - 256 are its own codes: 41 auth, 42 input ... */
  return a->exit_code + 256;
}

static const struct guard_word classes[] = {
    {"TerminalQuotaError", GUARD_QUOTA_EXHAUSTED},
    {"RetryableQuotaError", GUARD_RATE_LIMIT},
    {"FatalAuthenticationError", GUARD_AUTH},
    {NULL, GUARD_NONE},
};

/* Class names and messages first; error.code repeats the exit code or the
 * status. */
static struct guard_verdict judge_failure(const struct guard_evidence *e,
                                          const cJSON *error)
{
  const cJSON *message = cJSON_GetObjectItemCaseSensitive(error, "message");
  const cJSON *type = cJSON_GetObjectItemCaseSensitive(error, "type");
  const cJSON *code = cJSON_GetObjectItemCaseSensitive(error, "code");
  struct guard_scan s =
      guard_scan_str(cJSON_IsString(message) ? message->valuestring : "");
  int status = status_of_exit(e->answer);
  enum guard_class cls;
  struct guard_verdict v;

  if (cJSON_IsNumber(code) && code->valueint >= 400 && code->valueint <= 599)
    status = code->valueint;
  if (cJSON_IsString(type) && guard_lookup(classes, type->valuestring, &cls)) {
    v = guard_verdict_of(cls, "gemini-cli: error.type");
    if (cls == GUARD_RATE_LIMIT)
      guard_add_text_hint(s, e->answer->now_epoch_ms, &v);
    return v;
  }
  if (guard_scan_has(s, "Incomplete JSON segment"))
    return guard_verdict_of(GUARD_STREAM_INTERRUPTED, "gemini-cli: segment");
  return guard_read_lines(e, s, &v) ? v : guard_judge_text(e, status, s);
}

/* {"error": {"type", "message", "code"}} alone, on stderr; an API's own
 * error object has a "status" or a type in small letters. */
static bool is_bare_error(const cJSON *json)
{
  const cJSON *error = cJSON_GetObjectItemCaseSensitive(json, "error");
  const cJSON *type = cJSON_GetObjectItemCaseSensitive(error, "type");

  return cJSON_IsString(type) && guard_contains(type->valuestring, "Error") &&
         cJSON_IsNumber(cJSON_GetObjectItemCaseSensitive(error, "code"));
}

/* {"session_id", "response", "stats"} or {"session_id", "error"}; with
 * stream-json the last line is {"type": "result", "status": ...}. */
bool guard_event_gemini_cli_json(const struct guard_evidence *e,
                                 const cJSON *json, struct guard_events *ev)
{
  const cJSON *stats = cJSON_GetObjectItemCaseSensitive(json, "stats");
  const cJSON *error = cJSON_GetObjectItemCaseSensitive(json, "error");
  const cJSON *status = cJSON_GetObjectItemCaseSensitive(json, "status");
  const cJSON *session = cJSON_GetObjectItemCaseSensitive(json, "session_id");
  bool result =
      cJSON_IsString(status) && cJSON_GetObjectItemCaseSensitive(json, "type");

  if (!cJSON_IsString(session) && !result && !is_bare_error(json))
    return false;
  if (cJSON_IsObject(error)) {
    *ev = (struct guard_events){true, true, judge_failure(e, error), 0};
    return true;
  }
  if (!cJSON_IsObject(stats))
    return false;
  *ev = (struct guard_events){
      true, true, guard_verdict_of(GUARD_NONE, "gemini-cli: response"), 0};
  if (has_broken_stream(stats)) /* exit 0 and partial texts in "response" */
    ev->verdict = guard_verdict_of(GUARD_STREAM_INTERRUPTED,
                                   "gemini-cli: NO_FINISH_REASON");
  return true;
}
