/*
 * Azure OpenAI: error.code is the status as a text, the rest is in the
 * message. Sources: pollinations/pollinations#6260 (capacity),
 * Azure-Samples/azure-search-openai-demo#177 and
 * DrShushen/climb#1 (limits).
 */
#include "guard/classify/evidence.h"

bool guard_body_azure(const struct guard_evidence *e, struct guard_verdict *ret)
{
  if (!e->error || e->type[0] || !guard_equal(e->code, "429"))
    return false;
  if (guard_contains(e->message, "currently experiencing high demand"))
    *ret = guard_verdict_of(GUARD_OVERLOADED, "azure: high demand");
  else
    *ret = guard_verdict_of(GUARD_RATE_LIMIT, "azure: code 429");
  return true;
}
