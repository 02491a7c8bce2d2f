/*
 * Messages API: message_start ... message_stop, ping anywhere, unknown types
 * tolerated, "error" after a 200 (platform.claude.com, streaming). Every
 * record has an event line equal to data.type.
 */
#include "guard/stream_rules.h"

#include <string.h>

static bool is_type(const struct guard_sse_event *e, const char *type)
{
  return e->type_n == strlen(type) && memcmp(e->type, type, e->type_n) == 0;
}

static bool is_content(const char *type)
{
  return strncmp(type, "message_", 8) == 0 ||
         strncmp(type, "content_block_", 14) == 0;
}

static enum guard_stream_state on_type(struct guard_stream *s, const char *type,
                                       const cJSON *json)
{
  const cJSON *delta = cJSON_GetObjectItemCaseSensitive(json, "delta");

  if (strcmp(type, "error") == 0)
    return GUARD_STREAM_ERROR;
  if (strcmp(type, "message_stop") == 0)
    return GUARD_STREAM_DONE;
  if (strcmp(type, "content_block_delta") == 0 &&
      strcmp(guard_json_str(delta, "type"), "text_delta") == 0)
    guard_stream_add_text(s, cJSON_GetObjectItemCaseSensitive(delta, "text"));
  if (strcmp(type, "message_delta") == 0 && !guard_stream_is_strict(s) &&
      guard_json_str(delta, "stop_reason")[0])
    return GUARD_STREAM_DONE;
  return GUARD_STREAM_OPEN;
}

struct guard_stream_step guard_stream_anthropic(struct guard_stream *s,
                                                const struct guard_sse_event *e,
                                                const cJSON *json)
{
  const char *type = guard_json_str(json, "type");
  struct guard_stream_step step = {GUARD_STREAM_GARBLED, false};

  /* proxies send {"error": ...} without a type of its own */
  if (is_type(e, "error") ||
      cJSON_IsObject(cJSON_GetObjectItemCaseSensitive(json, "error")))
    step.state = e->data_n > 0 ? GUARD_STREAM_ERROR : GUARD_STREAM_GARBLED;
  else if (type[0] && (e->type_n == 0 || is_type(e, type)))
    step = (struct guard_stream_step){on_type(s, type, json), is_content(type)};
  return step;
}
