/*
 * What official SDKs and wrappers print when an exception ends the program:
 * names in front of colons, then a status, a body (JSON or Python's repr) or
 * a message. Sources: the SDKs' error.ts and _exceptions.py, litellm,
 * python-genai errors.py, botocore.
 */
#include "guard/classify/output.h"

#include <string.h>

/* The last name in front of the message decides when nothing else does. */
static const struct guard_word names[] = {
    {"RateLimitError", GUARD_RATE_LIMIT},
    {"OverloadedError", GUARD_OVERLOADED},
    {"ServiceUnavailableError", GUARD_OVERLOADED},
    {"InternalServerError", GUARD_SERVER_ERROR},
    {"APIConnectionError", GUARD_SERVER_ERROR},
    {"APITimeoutError", GUARD_TIMEOUT},
    {"APIConnectionTimeoutError", GUARD_TIMEOUT},
    {"Timeout", GUARD_TIMEOUT},
    {"DeadlineExceededError", GUARD_TIMEOUT},
    {"ReadTimeout", GUARD_TIMEOUT}, /* httpx, requests */
    {"ConnectTimeout", GUARD_TIMEOUT},
    {"TimeoutError", GUARD_TIMEOUT},
    {"ReadTimeoutError", GUARD_TIMEOUT}, /* botocore, urllib3 */
    {"ConnectTimeoutError", GUARD_TIMEOUT},
    {"HeadersTimeoutError", GUARD_TIMEOUT}, /* undici */
    {"BodyTimeoutError", GUARD_TIMEOUT},
    {"ConnectError", GUARD_SERVER_ERROR},
    {"ConnectionRefusedError", GUARD_SERVER_ERROR},
    {"EndpointConnectionError", GUARD_SERVER_ERROR}, /* botocore */
    {"FetchError", GUARD_SERVER_ERROR},              /* node-fetch */
    {"URLError", GUARD_SERVER_ERROR},                /* urllib */
    {"ConnectionError", GUARD_SERVER_ERROR},
    {"ReadError", GUARD_STREAM_INTERRUPTED},
    {"RemoteProtocolError", GUARD_STREAM_INTERRUPTED},
    {"ChunkedEncodingError", GUARD_STREAM_INTERRUPTED},
    {"IncompleteRead", GUARD_STREAM_INTERRUPTED},
    {"RemoteDisconnected", GUARD_STREAM_INTERRUPTED},
    {"ConnectionResetError", GUARD_STREAM_INTERRUPTED},
    {"ConnectionClosedError", GUARD_STREAM_INTERRUPTED},
    {"BrokenPipeError", GUARD_STREAM_INTERRUPTED},
    {"SocketError", GUARD_STREAM_INTERRUPTED},        /* undici */
    {"ClientPayloadError", GUARD_STREAM_INTERRUPTED}, /* aiohttp */
    {"ResourceExhausted", GUARD_RATE_LIMIT},          /* google.api_core */
    {"ServiceUnavailable", GUARD_OVERLOADED},
    {"DeadlineExceeded", GUARD_TIMEOUT},
    {"Unauthenticated", GUARD_AUTH},
    {"PermissionDenied", GUARD_AUTH},
    {"AuthenticationError", GUARD_AUTH},
    {"PermissionDeniedError", GUARD_AUTH},
    {"BadRequestError", GUARD_INVALID_REQUEST},
    {"NotFoundError", GUARD_INVALID_REQUEST},
    {"UnprocessableEntityError", GUARD_INVALID_REQUEST},
    {"ConflictError", GUARD_INVALID_REQUEST},
    {"ContextWindowExceededError", GUARD_INVALID_REQUEST},
    {"EnforcedSpendLimitReachedError", GUARD_QUOTA_EXHAUSTED},
    {"BillingError", GUARD_QUOTA_EXHAUSTED},
    /* these say nothing by themselves */
    {"APIError", GUARD_NONE},
    {"MidStreamFallbackError", GUARD_NONE}, /* LiteLLM */
    {"APIStatusError", GUARD_NONE},
    {"ClientError", GUARD_NONE},
    {"ServerError", GUARD_NONE},
    {"ApiError", GUARD_NONE},
    {"Error", GUARD_NONE},
    {NULL, GUARD_NONE},
};

struct chain {
  bool named; /* one of the names above was there */
  enum guard_class cls;
};

static bool is_name_byte(int c)
{
  return guard_is_alnum(c) || c == '_' || c == '.';
}

/* "anthropic._exceptions.OverloadedError: " */
static bool take_name(struct guard_scan *s, enum guard_class *ret)
{
  struct guard_scan at = *s, last;
  char name[48];
  size_t n;

  last.p = at.p;
  while (is_name_byte(guard_scan_peek(&at))) {
    if (*at.p == '.')
      last.p = at.p + 1;
    at.p++;
  }
  last.end = at.p;
  n = guard_scan_left(&last);
  if (n == 0 || n >= sizeof(name) || !guard_scan_byte(&at, ':'))
    return false;
  memcpy(name, last.p, n);
  name[n] = '\0';
  if (!guard_lookup(names, name, ret))
    return false;
  guard_scan_blanks(&at);
  *s = at;
  return true;
}

static struct chain take_chain(struct guard_scan *s)
{
  struct chain c = {false, GUARD_NONE};
  enum guard_class cls;

  while (take_name(s, &cls)) {
    c.named = true;
    if (cls != GUARD_NONE)
      c.cls = cls;
  }
  return c;
}

/* LiteLLM: "OpenAIException - ", "AzureException RateLimitError - " */
static void skip_provider(struct guard_scan *s)
{
  const size_t longest = 64;
  struct guard_scan at = *s;

  if (guard_scan_left(&at) > longest)
    at.end = at.p + longest;
  if (!guard_scan_has(at, "Exception ") || !guard_scan_past(&at, " - "))
    return;
  s->p = at.p;
}

static bool take_status(struct guard_scan *s, int *ret)
{
  struct guard_scan at = *s;

  guard_scan_lit(&at, "Error code: ");
  if (!guard_scan_fixed(&at, 3, ret) || *ret < 400 || *ret > 599 ||
      !guard_scan_byte(&at, ' '))
    return false;
  guard_scan_lit(&at, "- ");
  *s = at;
  return true;
}

/* "503 UNAVAILABLE. {...}" without any name: python-genai's str(e). */
static bool is_genai(struct guard_scan s)
{
  size_t letters = 0;

  for (; guard_scan_peek(&s) == '_' || guard_is_alpha(guard_scan_peek(&s));
       s.p++, letters++)
    if (*s.p >= 'a' && *s.p <= 'z')
      return false;
  return letters > 3 && guard_scan_lit(&s, ". {");
}

static bool by_name(const struct chain *c, struct guard_verdict *ret)
{
  if (c->cls == GUARD_NONE)
    return false;
  *ret = guard_verdict_of(c->cls, "sdk: exception");
  return true;
}

static bool exception(const struct guard_evidence *e, struct guard_scan line,
                      struct guard_verdict *ret)
{
  struct guard_scan s = line;
  struct chain c = take_chain(&s);
  int status = 0;
  bool python;

  skip_provider(&s);
  python = guard_scan_lit(&s, "b'"); /* bytes of a body */
  take_chain(&s);
  if (!take_status(&s, &status) && !c.named)
    return false;
  if (!c.named && !is_genai(s) && !guard_scan_has(s, "{"))
    return false;
  if (status || python || guard_scan_peek(&s) == '{') {
    *ret = guard_judge_text(e, status, s);
    if (ret->cls != GUARD_NONE)
      return true;
  }
  return by_name(&c, ret) || guard_line_network(e, s, ret);
}

/* The end of a module's path: "botocore.errorfactory." */
static void skip_modules(struct guard_scan *s)
{
  struct guard_scan at = *s;

  while (is_name_byte(guard_scan_peek(&at)))
    if (*at.p++ == '.')
      s->p = at.p;
}

/* "An error occurred (ThrottlingException) when calling the ..." */
static bool botocore(const struct guard_evidence *e, struct guard_scan s,
                     struct guard_verdict *ret)
{
  struct guard_scan name;

  (void)e;
  skip_modules(&s);
  name = s;
  while (is_name_byte(guard_scan_peek(&name)))
    name.p++;
  if (name.p > s.p && guard_scan_lit(&name, ": An error occurred ("))
    return guard_bedrock_name(name, ret);
  if (guard_scan_left(&name) > 0 && *name.p == ':')
    guard_scan_past(&s, "ClientError: ");
  return guard_scan_lit(&s, "An error occurred (") &&
         guard_bedrock_name(s, ret);
}

/* A status where a library of HTTP prints it: requests, urllib, httpx,
 * aiohttp, axios, urllib3 after its last retry. */
static bool http_error(struct guard_scan s, struct guard_verdict *ret)
{
  static const char *const fronts[] = {
      "HTTPError: HTTP Error ",
      "HTTPError: ",
      "HTTPStatusError: Client error '",
      "HTTPStatusError: Server error '",
      "ClientResponseError: ",
      "AxiosError: Request failed with status code ",
      "AxiosError [ERR_BAD_REQUEST]: Request failed with status code ",
      "AxiosError [ERR_BAD_RESPONSE]: Request failed with status code ",
  };
  int status;
  bool found = false;

  skip_modules(&s);
  for (size_t i = 0; !found && i < sizeof(fronts) / sizeof(fronts[0]); i++)
    found = guard_scan_lit(&s, fronts[i]);
  if (!found && guard_scan_lit(&s, "RetryError: "))
    found = guard_scan_past(&s, "(Caused by ResponseError('too many ");
  if (!found || !guard_scan_fixed(&s, 3, &status) || status < 400 ||
      status > 599 || guard_is_alnum(guard_scan_peek(&s)))
    return false;
  *ret = guard_by_status(status);
  ret->rule = "sdk: status of an HTTP library";
  return true;
}

/* 'POST "URL": 529 Overloaded {json}' of the Go SDKs */
static bool go(const struct guard_evidence *e, struct guard_scan s,
               struct guard_verdict *ret)
{
  const size_t longest = 512; /* of a URL */
  struct guard_scan url;
  int status;

  if (!guard_scan_lit(&s, "POST \"") && !guard_scan_lit(&s, "GET \""))
    return false;
  url = s;
  if (guard_scan_left(&url) > longest)
    url.end = url.p + longest;
  if (!guard_scan_past(&url, "\": "))
    return false;
  s.p = url.p;
  if (!guard_scan_fixed(&s, 3, &status) || status < 400 || status > 599 ||
      !guard_scan_byte(&s, ' '))
    return false;
  *ret = guard_judge_text(e, status, s);
  return ret->cls != GUARD_NONE;
}

/* What the AI SDK says when a body has no message: the reason phrase. */
static const struct guard_word phrases[] = {
    {"Too Many Requests", GUARD_RATE_LIMIT},
    {"Internal Server Error", GUARD_SERVER_ERROR},
    {"Bad Gateway", GUARD_SERVER_ERROR},
    {"Service Unavailable", GUARD_SERVER_ERROR},
    {"Gateway Timeout", GUARD_TIMEOUT},
    {"Unauthorized", GUARD_AUTH},
    {"Forbidden", GUARD_AUTH},
    {"Cannot connect to API", GUARD_SERVER_ERROR},
    {NULL, GUARD_NONE},
};

/* "AI_RetryError: Failed after 3 attempts. Last error: MESSAGE" */
static bool vercel(const struct guard_evidence *e, struct guard_scan s,
                   struct guard_verdict *ret)
{
  if (guard_scan_lit(&s, "AI_RetryError: ")) {
    if (!guard_scan_past(&s, "Last error: "))
      return false;
  } else if (!guard_scan_lit(&s, "AI_APICallError: ")) {
    return false;
  }
  if (guard_by_message(s.p, ret))
    return true;
  for (const struct guard_word *p = phrases; p->word; p++) {
    struct guard_scan at = s;

    if (guard_scan_lit(&at, p->word)) {
      *ret = guard_verdict_of(p->cls, "vercel: reason phrase");
      return true;
    }
  }
  return guard_line_network(e, s, ret);
}

static bool aider(struct guard_scan s, struct guard_verdict *ret)
{
  if (!guard_scan_lit(&s, "The API provider has rate limited you"))
    return false;
  *ret = guard_verdict_of(GUARD_RATE_LIMIT, "aider: sentence");
  return true;
}

bool guard_line_sdk(const struct guard_evidence *e, struct guard_scan line,
                    struct guard_verdict *ret)
{
  if (!botocore(e, line, ret) && !vercel(e, line, ret) && !aider(line, ret) &&
      !http_error(line, ret) && !go(e, line, ret) && !exception(e, line, ret))
    return false;
  guard_add_text_hint(line, e->answer->now_epoch_ms, ret);
  return true;
}

/* cline: {"message", "status", "modelId", "providerId"}; the provider's own
 * body is inside the message. */
bool guard_event_cline_json(const struct guard_evidence *e, const cJSON *json,
                            struct guard_events *ev)
{
  const cJSON *message = cJSON_GetObjectItemCaseSensitive(json, "message");
  const cJSON *status = cJSON_GetObjectItemCaseSensitive(json, "status");

  if (!cJSON_IsString(message) || !cJSON_IsNumber(status) ||
      !cJSON_GetObjectItemCaseSensitive(json, "providerId") ||
      status->valueint < 400 || status->valueint > 599)
    return false;
  ev->verdict = guard_judge_text(e, status->valueint,
                                 guard_scan_str(message->valuestring));
  ev->decided = true;
  ev->is_final = false;
  return true;
}
