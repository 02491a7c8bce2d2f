/*
 * Cohere and xAI: a message at the top and no types; the status decides
 * between limit and rest, the message only whether the limit is a month's
 * (Cohere trial keys: 1000 calls a month) or credits (xAI).
 */
#include "guard/classify/evidence.h"

bool guard_body_cohere(const struct guard_evidence *e,
                       struct guard_verdict *ret)
{
  if (e->error || !e->root || e->status != 429)
    return false;
  if (guard_begins(e->message, "You are using a Trial key") &&
      guard_contains(e->message, "/ month"))
    *ret = guard_verdict_of(GUARD_QUOTA_EXHAUSTED, "cohere: trial month");
  else if (guard_contains(e->message, "used all available credits"))
    *ret = guard_verdict_of(GUARD_QUOTA_EXHAUSTED, "xai: credits");
  else
    return false;
  return true;
}
