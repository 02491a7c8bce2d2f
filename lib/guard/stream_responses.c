/*
 * Responses API: exactly one of response.completed, response.failed,
 * response.incomplete, or an "error" event; no [DONE] (openapi.yaml,
 * ResponseStreamEvent). An incomplete answer is whole as a stream: the
 * reason is the model's, not the line's.
 */
#include "guard/stream_rules.h"

#include <string.h>

static enum guard_stream_state state_of(const char *type)
{
  if (strcmp(type, "response.completed") == 0 ||
      strcmp(type, "response.incomplete") == 0)
    return GUARD_STREAM_DONE;
  if (strcmp(type, "response.failed") == 0 || strcmp(type, "error") == 0)
    return GUARD_STREAM_ERROR;
  return GUARD_STREAM_OPEN;
}

struct guard_stream_step guard_stream_responses(struct guard_stream *s,
                                                const struct guard_sse_event *e,
                                                const cJSON *json)
{
  const char *type = guard_json_str(json, "type");
  struct guard_stream_step step = {GUARD_STREAM_GARBLED, false};

  if (cJSON_IsObject(cJSON_GetObjectItemCaseSensitive(json, "error"))) {
    step.state = GUARD_STREAM_ERROR;
    return step;
  }
  if (!type[0] || (e->type_n > 0 && (e->type_n != strlen(type) ||
                                     memcmp(e->type, type, e->type_n) != 0)))
    return step;
  if (strcmp(type, "response.output_text.delta") == 0)
    guard_stream_add_text(s, cJSON_GetObjectItemCaseSensitive(json, "delta"));
  step.state = state_of(type);
  step.content = strncmp(type, "response.", 9) == 0;
  return step;
}
