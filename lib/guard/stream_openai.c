/*
 * Chat Completions: chunks without event names, "[DONE]" at the end, an
 * error object in place of a chunk (openai-python _streaming.py). Compatible
 * proxies leave [DONE] out, so the lenient rule takes finish_reason.
 * OpenRouter puts the error beside the choices.
 */
#include "guard/stream_rules.h"

#include <string.h>

static bool is_done_mark(const struct guard_sse_event *e)
{
  return e->data_n == 6 && memcmp(e->data, "[DONE]", 6) == 0;
}

static enum guard_stream_state on_choice(struct guard_stream *s,
                                         const cJSON *choice)
{
  const cJSON *delta = cJSON_GetObjectItemCaseSensitive(choice, "delta");
  const cJSON *index = cJSON_GetObjectItemCaseSensitive(choice, "index");
  const char *reason = guard_json_str(choice, "finish_reason");

  if (!cJSON_IsNumber(index) || index->valueint == 0)
    guard_stream_add_text(s,
                          cJSON_GetObjectItemCaseSensitive(delta, "content"));
  if (strcmp(reason, "error") == 0)
    return GUARD_STREAM_ERROR;
  return reason[0] && !guard_stream_is_strict(s) ? GUARD_STREAM_DONE
                                                 : GUARD_STREAM_OPEN;
}

struct guard_stream_step guard_stream_openai(struct guard_stream *s,
                                             const struct guard_sse_event *e,
                                             const cJSON *json)
{
  const cJSON *error = cJSON_GetObjectItemCaseSensitive(json, "error");
  const cJSON *choices = cJSON_GetObjectItemCaseSensitive(json, "choices");
  const cJSON *choice;
  struct guard_stream_step step = {GUARD_STREAM_OPEN, false};

  if (is_done_mark(e))
    return (struct guard_stream_step){GUARD_STREAM_DONE, true};
  if (cJSON_IsObject(error) || cJSON_IsString(error))
    return (struct guard_stream_step){GUARD_STREAM_ERROR, false};
  if (!cJSON_IsArray(choices)) {
    /* an object of another kind (usage, a vendor's note) is tolerated */
    step.state =
        cJSON_IsObject(json) ? GUARD_STREAM_OPEN : GUARD_STREAM_GARBLED;
    return step;
  }
  cJSON_ArrayForEach(choice, choices)
  {
    enum guard_stream_state seen = on_choice(s, choice);

    step.content = true;
    if (seen != GUARD_STREAM_OPEN)
      step.state = seen;
  }
  return step;
}
