/*
 * Codex (codex exec 0.23 to 0.171): lines on stderr, or JSON lines on stdout
 * with --json whose messages are the same texts. Source: measured, and
 * codex-rs core/src/error.rs.
 */
#include "guard/classify/output.h"

#include <string.h>

static const struct guard_word sentences[] = {
    {"You've hit your usage limit", GUARD_USAGE_LIMIT},
    {"Quota exceeded. Check your plan", GUARD_QUOTA_EXHAUSTED},
    {"Selected model is at capacity", GUARD_OVERLOADED},
    {"rate limit exceeded: ", GUARD_RATE_LIMIT},
    {"To use Codex with your ChatGPT plan", GUARD_QUOTA_EXHAUSTED},
    {"error sending request", GUARD_SERVER_ERROR},
    {"Connection failed: ", GUARD_SERVER_ERROR},
    {"Codex ran out of room in the model's context", GUARD_INVALID_REQUEST},
    {"Your access token could not be refreshed", GUARD_AUTH},
    /* printed for a 500 */
    {"We're currently experiencing high demand", GUARD_SERVER_ERROR},
    {NULL, GUARD_NONE},
};

/* Behind "stream disconnected before completion: ". */
static const struct guard_word disconnects[] = {
    {"Rate limit", GUARD_RATE_LIMIT},
    {"idle timeout", GUARD_TIMEOUT},
    {"stream closed", GUARD_STREAM_INTERRUPTED},
    {"Transport error", GUARD_STREAM_INTERRUPTED},
    {"An error occurred while processing", GUARD_SERVER_ERROR},
    {"The server had an error", GUARD_SERVER_ERROR},
    {NULL, GUARD_NONE},
};

static bool first_of(const struct guard_word *table, struct guard_scan text,
                     enum guard_class *ret)
{
  for (; table->word; table++) {
    struct guard_scan s = text;

    if (guard_scan_lit(&s, table->word)) {
      *ret = table->cls;
      return true;
    }
  }
  return false;
}

static bool with_status(const struct guard_evidence *e, struct guard_scan s,
                        struct guard_verdict *ret)
{
  int status;

  if (guard_scan_lit(&s, "exceeded retry limit, last status: ")) {
    if (!guard_scan_fixed(&s, 3, &status) || status < 400)
      return false;
    *ret = guard_by_status(status);
    ret->rule = "codex: last status";
    return true;
  }
  if (!guard_scan_lit(&s, "unexpected status ") ||
      !guard_scan_fixed(&s, 3, &status) || status < 400)
    return false;
  guard_scan_past(&s, ": ");
  *ret = guard_judge_text(e, status, s);
  ret->rule = "codex: unexpected status";
  return true;
}

static bool disconnected(struct guard_scan s, struct guard_verdict *ret)
{
  enum guard_class cls = GUARD_STREAM_INTERRUPTED;

  if (!guard_scan_lit(&s, "stream disconnected before completion: "))
    return false;
  first_of(disconnects, s, &cls);
  *ret = guard_verdict_of(cls, "codex: stream disconnected");
  return true;
}

/* "Reconnecting... 1/2 (" */
static void skip_prefixes(struct guard_scan *s)
{
  const size_t longest = 16; /* of "1000/1000 (" */
  struct guard_scan near;

  guard_scan_lit(s, "stream error: ");
  if (!guard_scan_lit(s, "Reconnecting... "))
    return;
  near = *s;
  if (guard_scan_left(&near) > longest)
    near.end = near.p + longest;
  if (guard_scan_past(&near, "("))
    s->p = near.p;
}

bool guard_line_codex(const struct guard_evidence *e, struct guard_scan line,
                      struct guard_verdict *ret)
{
  struct guard_scan s = line;
  enum guard_class cls;

  skip_prefixes(&s);
  if (with_status(e, s, ret))
    return true;
  if (!disconnected(s, ret)) {
    if (!first_of(sentences, s, &cls))
      return false;
    *ret = guard_verdict_of(cls, "codex: sentence");
  }
  guard_add_text_hint(s, e->answer->now_epoch_ms, ret);
  return true;
}

bool guard_event_codex_json(const struct guard_evidence *e, const cJSON *json,
                            struct guard_events *ev)
{
  const cJSON *type = cJSON_GetObjectItemCaseSensitive(json, "type");
  const cJSON *error = cJSON_GetObjectItemCaseSensitive(json, "error");
  const cJSON *message = cJSON_GetObjectItemCaseSensitive(
      cJSON_IsObject(error) ? error : json, "message");
  struct guard_scan text;
  bool failed;

  if (!cJSON_IsString(type))
    return false;
  if (guard_equal(type->valuestring, "turn.completed")) {
    *ev = (struct guard_events){
        true, true, guard_verdict_of(GUARD_NONE, "codex: turn completed"), 0};
    return true;
  }
  failed = guard_equal(type->valuestring, "turn.failed");
  if (!cJSON_IsString(message) ||
      (!failed && !(guard_equal(type->valuestring, "error") && !error)))
    return false;
  text = guard_scan_str(message->valuestring);
  if (guard_read_lines(e, text, &ev->verdict)) {
    ev->decided = true;
    ev->is_final = failed;
  } else if (guard_scan_peek(&text) == '{') { /* a 400's body, as it came */
    ev->verdict = guard_judge_part(e, 0, text);
    ev->decided = ev->verdict.cls != GUARD_NONE;
    ev->is_final = failed;
  }
  return true;
}
