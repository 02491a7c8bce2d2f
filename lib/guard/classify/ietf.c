/*
 * application/problem+json with the problem types of
 * draft-ietf-httpapi-ratelimit-headers.
 */
#include "guard/classify/evidence.h"

#include <string.h>

static const struct guard_word problems[] = {
    {"quota-exceeded", GUARD_RATE_LIMIT},
    {"abnormal-usage-detected", GUARD_RATE_LIMIT},
    {"temporary-reduced-capacity", GUARD_OVERLOADED},
    {NULL, GUARD_NONE},
};

bool guard_body_ietf(const struct guard_evidence *e, struct guard_verdict *ret)
{
  static const char registry[] =
      "https://iana.org/assignments/http-problem-types#";
  const cJSON *type = cJSON_GetObjectItemCaseSensitive(e->root, "type");
  enum guard_class cls;

  if (!cJSON_IsString(type) || !guard_begins(type->valuestring, registry))
    return false;
  if (!guard_lookup(problems, type->valuestring + strlen(registry), &cls))
    return false;
  *ret = guard_verdict_of(cls, "ietf: problem type");
  return true;
}
