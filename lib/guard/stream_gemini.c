/*
 * Gemini ?alt=sse: GenerateContentResponse objects, no event names, no
 * [DONE]; the end is finishReason, or blockReason when the prompt itself was
 * refused (@google/genai processStreamResponse). A thought is no text.
 */
#include "guard/stream_rules.h"

static void add_parts(struct guard_stream *s, const cJSON *candidate)
{
  const cJSON *content = cJSON_GetObjectItemCaseSensitive(candidate, "content");
  const cJSON *parts = cJSON_GetObjectItemCaseSensitive(content, "parts");
  const cJSON *part;

  cJSON_ArrayForEach(part, parts)
  {
    if (!cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(part, "thought")))
      guard_stream_add_text(s, cJSON_GetObjectItemCaseSensitive(part, "text"));
  }
}

struct guard_stream_step guard_stream_gemini(struct guard_stream *s,
                                             const struct guard_sse_event *e,
                                             const cJSON *json)
{
  const cJSON *candidates =
      cJSON_GetObjectItemCaseSensitive(json, "candidates");
  const cJSON *candidate = cJSON_GetArrayItem(candidates, 0);
  const cJSON *feedback =
      cJSON_GetObjectItemCaseSensitive(json, "promptFeedback");
  struct guard_stream_step step = {GUARD_STREAM_OPEN, true};

  (void)e;
  if (!cJSON_IsObject(json))
    return (struct guard_stream_step){GUARD_STREAM_GARBLED, false};
  if (cJSON_IsObject(cJSON_GetObjectItemCaseSensitive(json, "error")))
    return (struct guard_stream_step){GUARD_STREAM_ERROR, false};
  add_parts(s, candidate);
  step.content = candidate != NULL;
  if (guard_json_str(candidate, "finishReason")[0] ||
      guard_json_str(feedback, "blockReason")[0])
    step.state = GUARD_STREAM_DONE;
  return step;
}
