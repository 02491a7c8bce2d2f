/*
 * Amazon Bedrock: the exception's name is in x-amzn-ErrorType ("Name:URL"),
 * in __type ("ns#Name"), or is the member's name of a stream event. Source:
 * Bedrock API reference, InvokeModel errors; crewAIInc/crewAI#7417.
 */
#include "guard/classify/evidence.h"

static const struct guard_word names[] = {
    {"ThrottlingException", GUARD_RATE_LIMIT},
    {"TooManyRequestsException", GUARD_RATE_LIMIT},
    {"ServiceUnavailableException", GUARD_OVERLOADED},
    {"ModelNotReadyException", GUARD_OVERLOADED},
    {"ServiceQuotaExceededException", GUARD_QUOTA_EXHAUSTED},
    {"ModelTimeoutException", GUARD_TIMEOUT},
    {"ModelStreamErrorException", GUARD_STREAM_INTERRUPTED},
    {"ModelErrorException", GUARD_SERVER_ERROR},
    {"InternalServerException", GUARD_SERVER_ERROR},
    {"InternalFailure", GUARD_SERVER_ERROR},
    {"ValidationException", GUARD_INVALID_REQUEST},
    {"ResourceNotFoundException", GUARD_INVALID_REQUEST},
    {"ConflictException", GUARD_INVALID_REQUEST},
    {"AccessDeniedException", GUARD_AUTH},
    {"UnrecognizedClientException", GUARD_AUTH},
    {"InvalidSignatureException", GUARD_AUTH},
    {"ExpiredTokenException", GUARD_AUTH},
    {NULL, GUARD_NONE},
};

bool guard_bedrock_name(struct guard_scan name, struct guard_verdict *ret)
{
  for (const struct guard_word *w = names; w->word; w++) {
    struct guard_scan s = name;

    /* a stream event's member begins with a small letter */
    if (guard_scan_fold(&s, w->word) && !guard_is_alnum(guard_scan_peek(&s))) {
      *ret = guard_verdict_of(w->cls, "bedrock: exception");
      return true;
    }
  }
  return false;
}

bool guard_body_bedrock(const struct guard_evidence *e,
                        struct guard_verdict *ret)
{
  const struct guard_answer *a = e->answer;
  const struct guard_header *header =
      guard_header_find(a->headers, a->nheaders, "x-amzn-errortype");
  const cJSON *type = cJSON_GetObjectItemCaseSensitive(e->root, "__type");
  const cJSON *first = cJSON_IsObject(e->root) ? e->root->child : NULL;

  if (header && guard_bedrock_name(guard_header_value(header), ret))
    return true;
  if (cJSON_IsString(type)) {
    struct guard_scan s = guard_scan_str(type->valuestring);

    guard_scan_past(&s, "#");
    return guard_bedrock_name(s, ret);
  }
  return cJSON_IsObject(first) && first->string &&
         guard_bedrock_name(guard_scan_str(first->string), ret);
}
