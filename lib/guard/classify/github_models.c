/*
 * GitHub Models: x-ms-error-code RateLimitReached; the kind of limit is in
 * x-ratelimit-type or in the message: UserByModelByMinute, UserByModelByDay.
 */
#include "guard/classify/evidence.h"

bool guard_body_github_models(const struct guard_evidence *e,
                              struct guard_verdict *ret)
{
  const struct guard_answer *a = e->answer;
  const struct guard_header *kind;
  bool by_day;

  if (!guard_equal(e->code, "RateLimitReached"))
    return false;
  kind = guard_header_find(a->headers, a->nheaders, "x-ratelimit-type");
  by_day = guard_contains(e->message, "ByDay");
  if (kind && guard_scan_has(guard_header_value(kind), "ByDay"))
    by_day = true;
  *ret = guard_verdict_of(by_day ? GUARD_QUOTA_EXHAUSTED : GUARD_RATE_LIMIT,
                          "github-models: RateLimitReached");
  return true;
}
