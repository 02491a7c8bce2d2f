/*
 * Mistral: {"object":"error","type":"rate_limited","code":"1300"}; capacity
 * comes with the type of a bad request. Sources: cline/cline#9085,
 * BerriAI/litellm#25078.
 */
#include "guard/classify/evidence.h"

bool guard_body_mistral(const struct guard_evidence *e,
                        struct guard_verdict *ret)
{
  const cJSON *object = cJSON_GetObjectItemCaseSensitive(e->root, "object");

  if (!cJSON_IsString(object) || !guard_equal(object->valuestring, "error"))
    return false;
  if (guard_contains(e->message, "capacity exceeded"))
    *ret = guard_verdict_of(GUARD_OVERLOADED, "mistral: capacity");
  else if (guard_equal(e->type, "rate_limited"))
    *ret = guard_verdict_of(GUARD_RATE_LIMIT, "mistral: type");
  else
    return false;
  return true;
}
