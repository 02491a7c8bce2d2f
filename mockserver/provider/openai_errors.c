#include "mockserver/provider/openai_errors.h"

#include <string.h>

#define ID OPENAI_HEADERS

/* Resets are Go durations; limits as in the API guide's example. */
#define FAMILY(requests, tokens, reset_requests, reset_tokens)                 \
  "x-ratelimit-limit-requests: 60\r\n"                                         \
  "x-ratelimit-limit-tokens: 150000\r\n"                                       \
  "x-ratelimit-remaining-requests: " requests "\r\n"                           \
  "x-ratelimit-remaining-tokens: " tokens "\r\n"                               \
  "x-ratelimit-reset-requests: {{duration:" reset_requests "}}\r\n"            \
  "x-ratelimit-reset-tokens: {{duration:" reset_tokens "}}\r\n" ID

#define LIMIT_TEXT(what, limit, used, requested)                               \
  "Rate limit reached for {{model}} in organization org-PLACEHOLDER on " what  \
  ": Limit " limit ", Used " used ", Requested " requested                     \
  ". Please try again in {{duration:wait}}. Visit "                            \
  "https://platform.openai.com/account/rate-limits to learn more."

/* A plan's window: body and header names as the Codex client reads them. */
#define CODEX(name, value) "x-codex-primary-" name ": " value "\r\n"

/* Sources, one by one, in docs/providers.md. */
const struct provider_error openai_errors[] = {
    {.name = "rate_limit_exceeded",
     .also = "rate_limit quota:tokens",
     .status = 429,
     .type = "tokens",
     .code = "rate_limit_exceeded",
     .message = LIMIT_TEXT("tokens per min (TPM)", "30000", "29937", "385"),
     .headers = FAMILY("59", "0", "1", "wait")},
    {.name = "rate_limit_requests",
     .also = "quota:requests",
     .status = 429,
     .type = "requests",
     .code = "rate_limit_exceeded",
     .message = LIMIT_TEXT("requests per min (RPM)", "60", "60", "1"),
     .headers = FAMILY("0", "149984", "wait", "0.006")},
    {.name = "rate_limit_requests_per_day",
     .also = "quota:requests_per_day",
     .status = 429,
     .type = "requests",
     .code = "rate_limit_exceeded",
     .message = LIMIT_TEXT("requests per day (RPD)", "200", "200", "1"),
     .headers = FAMILY("0", "149984", "wait", "0.006")},
    {.name = "request_too_large",
     .status = 429,
     .type = "tokens",
     .code = "rate_limit_exceeded",
     .message = "Request too large for {{model}} in organization "
                "org-PLACEHOLDER on tokens per min (TPM): Limit 30000, "
                "Requested 30601. The input or output tokens must be reduced "
                "in order to run successfully. Visit "
                "https://platform.openai.com/account/rate-limits to learn "
                "more.",
     .headers = FAMILY("59", "30000", "1", "0")},
    {.name = "slow_down",
     .also = "quota:acceleration",
     .status = 429,
     .type = "rate_limit_error",
     .code = "slow_down",
     .message = "Your request rate increased too quickly. Please slow down.",
     .headers = ID},
    {.name = "resource_unavailable",
     .status = 429,
     .type = "resource_unavailable",
     .message = "Resource Unavailable",
     .headers = ID},
    {.name = "insufficient_quota",
     .also = "quota usage_limit",
     .status = 429,
     .type = "insufficient_quota",
     .code = "insufficient_quota",
     .message = "You exceeded your current quota, please check your plan and "
                "billing details.",
     .headers = ID},
    {.name = "credit_balance_exhausted",
     .status = 429,
     .type = "insufficient_quota",
     .code = "credit_balance_exhausted",
     .message = "Your organization has no prepaid credits remaining.",
     .headers = ID},
    {.name = "organization_usage_limit_exceeded",
     .status = 429,
     .type = "insufficient_quota",
     .code = "organization_usage_limit_exceeded",
     .message = "Your organization reached its usage limit.",
     .headers = ID},
    {.name = "organization_spend_limit_exceeded",
     .status = 429,
     .type = "insufficient_quota",
     .code = "organization_spend_limit_exceeded",
     .message = "Your organization reached its enforced spend limit.",
     .headers = ID},
    {.name = "project_spend_limit_exceeded",
     .status = 429,
     .type = "insufficient_quota",
     .code = "project_spend_limit_exceeded",
     .message = "Your project reached its spend limit.",
     .headers = ID},
    {.name = "usage_limit_reached",
     .status = 429,
     .type = "usage_limit_reached",
     .message = "The usage limit has been reached",
     .whole = "{\"type\":\"usage_limit_reached\",\"message\":\"The usage "
              "limit has been reached\",\"plan_type\":\"plus\","
              "\"resets_at\":{{epoch:+reset}},"
              "\"resets_in_seconds\":{{seconds:reset}}}",
     .headers = ID CODEX("used-percent", "100") CODEX("window-minutes", "300")
         CODEX("reset-at", "{{epoch:+reset}}")},
    {.name = "usage_not_included",
     .status = 429,
     .type = "usage_not_included",
     .message = "x",
     .whole = "{\"type\":\"usage_not_included\",\"message\":\"x\"}",
     .headers = ID},
    {.name = "server_is_overloaded",
     .also = "overloaded",
     .status = 503,
     .type = "service_unavailable_error",
     .code = "server_is_overloaded",
     .message = "Our servers are currently overloaded. Please try again "
                "later.",
     .headers = ID},
    {.name = "slow_down_503",
     .status = 503,
     .type = "server_error",
     .code = "slow_down",
     .message = "Slow down",
     .headers = ID},
    {.name = "engine_overloaded",
     .status = 503,
     .type = "server_error",
     .message = "The engine is currently overloaded, please try again later",
     .headers = ID},
    {.name = "server_error",
     .status = 500,
     .type = "server_error",
     .message = "The server had an error while processing your request. "
                "Sorry about that!",
     .headers = ID},
    {.name = "gateway_timeout",
     .also = "timeout",
     .status = 504,
     .type = "server_error",
     .message = "Request timed out.",
     .headers = ID},
    {.name = "invalid_api_key",
     .also = "auth",
     .status = 401,
     .type = "invalid_request_error",
     .code = "invalid_api_key",
     .message = "Incorrect API key provided: sk-PLACEHOLDER. You can find "
                "your API key at https://platform.openai.com/account/api-"
                "keys.",
     .headers = ID},
    {.name = "permission_denied",
     .also = "permission",
     .status = 403,
     .type = "invalid_request_error",
     .message = "You do not have access to this resource.",
     .headers = ID},
    {.name = "model_not_found",
     .also = "not_found",
     .status = 404,
     .type = "invalid_request_error",
     .code = "model_not_found",
     .message = "The model `{{model}}` does not exist or you do not have "
                "access to it.",
     .headers = ID},
    {.name = "context_length_exceeded",
     .also = "invalid_request",
     .status = 400,
     .type = "invalid_request_error",
     .param = "messages",
     .code = "context_length_exceeded",
     .message = "This model's maximum context length is 8192 tokens. "
                "However, your messages resulted in 9000 tokens. Please "
                "reduce the length of the messages.",
     .headers = ID},
    {.name = NULL}};

static void add_or_null(const char *key, const char *value, struct buf *ret)
{
  if (value)
    buf_addf(ret, ",\"%s\":\"%s\"", key, value);
  else
    buf_addf(ret, ",\"%s\":null", key);
}

void openai_error_body(const struct provider_error *e,
                       const struct value_scope *s, struct buf *ret)
{
  buf_adds(ret, "{\"error\":");
  if (e->whole) {
    value_expand(bytes_of(e->whole), s, ret);
  } else {
    buf_adds(ret, "{\"message\":\"");
    value_expand(bytes_of(e->message), s, ret);
    buf_addf(ret, "\",\"type\":\"%s\"", e->type);
    add_or_null("param", e->param, ret);
    add_or_null("code", e->code, ret);
    buf_addc(ret, '}');
  }
  buf_addc(ret, '}');
}

void openai_request_id(struct ids *ids, struct buf *ret)
{
  buf_adds(ret, "req_");
  ids_hex(ids, 32, ret);
}

void openai_id(struct ids *ids, const char *prefix, size_t n, char ret[80])
{
  struct buf id;
  buf_init(&id, 79);
  buf_adds(&id, prefix);
  ids_hex(ids, n, &id);
  memcpy(ret, buf_str(&id), id.n + 1);
  buf_release(&id);
}
