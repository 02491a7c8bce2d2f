#include "mockserver/import/shape_of.h"

#include "mockserver/call.h"
#include "mockserver/talk.h"

void shape_of(const struct call *call, struct bytes body, cJSON *step)
{
  struct talk talk;
  cJSON *json = cJSON_ParseWithLength(body.p, body.n);
  if (!json || !call->provider) {
    cJSON_Delete(json);
    return;
  }
  talk_init(&talk);
  call->provider->talk(json, &talk);
  cJSON *match = cJSON_AddObjectToObject(step, "match");
  cJSON_AddBoolToObject(match, "stream", call->stream);
  cJSON *messages = cJSON_AddObjectToObject(match, "messages");
  cJSON_AddNumberToObject(messages, "turns", talk.turns);
  cJSON_AddBoolToObject(messages, "after_tool_result", talk.ends_with_result);
  talk_release(&talk);
  cJSON_Delete(json);
}
