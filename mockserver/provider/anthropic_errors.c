#include "mockserver/provider/anthropic_errors.h"

#define ID "request-id: {{request_id}}\r\n"

/* The family of an API key's limits. Which bucket is empty differs. Header
 * names: platform docs "rate limits"; values: a public write-up of a 429 on
 * input tokens (tests/fixtures/index.json, anthropic/rate_limit_error). */
#define BUCKET(name, limit, remaining, reset)                                  \
  "anthropic-ratelimit-" name "-limit: " limit "\r\n"                          \
  "anthropic-ratelimit-" name "-remaining: " remaining "\r\n"                  \
  "anthropic-ratelimit-" name "-reset: {{rfc3339:" reset "}}\r\n"

#define FAMILY(requests, input, output)                                        \
  BUCKET("requests", "1000", requests, "+4")                                   \
  BUCKET("input-tokens", "450000", input, "+wait")                             \
  BUCKET("output-tokens", "90000", output, "+10")                              \
  BUCKET("tokens", "540000", "14000", "+wait")

/* A subscription window that is used up: headers of a recorded answer. */
#define UNIFIED(name, value)                                                   \
  "anthropic-ratelimit-unified-" name ": " value "\r\n"
#define FIVE_HOURS                                                             \
  UNIFIED("status", "rejected")                                                \
  UNIFIED("5h-status", "rejected")                                             \
  UNIFIED("5h-reset", "{{epoch:+reset}}")                                      \
  UNIFIED("5h-utilization", "1.0")                                             \
  UNIFIED("7d-status", "allowed")                                              \
  UNIFIED("7d-reset", "{{epoch:+118800}}")                                     \
  UNIFIED("7d-utilization", "0.59")                                            \
  UNIFIED("representative-claim", "five_hour")                                 \
  UNIFIED("fallback-percentage", "0.5")                                        \
  UNIFIED("reset", "{{epoch:+reset}}")                                         \
  UNIFIED("overage-status", "rejected")                                        \
  UNIFIED("overage-disabled-reason", "out_of_credits")

#define SEVEN_DAYS                                                             \
  UNIFIED("status", "rejected")                                                \
  UNIFIED("representative-claim", "seven_day_overage_included")                \
  UNIFIED("7d-status", "allowed")                                              \
  UNIFIED("7d-utilization", "0.69")                                            \
  UNIFIED("5h-utilization", "0.00")                                            \
  UNIFIED("7d_oi-status", "rejected")                                          \
  UNIFIED("7d_oi-utilization", "1.02")                                         \
  UNIFIED("overage-status", "rejected")                                        \
  UNIFIED("overage-disabled-reason", "org_spend_cap_reached")

#define LIMIT_TEXT(n, what)                                                    \
  "This request would exceed your organization's rate limit of " n " " what    \
  " per minute (org: ORG_PLACEHOLDER, model: {{model}}). For details, refer "  \
  "to: https://docs.claude.com/en/api/rate-limits. You can see the response "  \
  "headers for current usage. Please reduce the prompt length or the "         \
  "maximum tokens requested, or try again later. You may also contact sales "  \
  "at https://claude.com/contact-sales to discuss your options for a rate "    \
  "limit increase."

#define ACCOUNT_TEXT                                                           \
  "This request would exceed your account's rate limit. Please try again "     \
  "later."

/* Sources, one by one, in docs/providers.md. */
const struct provider_error anthropic_errors[] = {
    {.name = "invalid_request_error",
     .also = "invalid_request",
     .status = 400,
     .type = "invalid_request_error",
     .message = "max_tokens: Field required",
     .headers = ID},
    {.name = "context_limit_exceeded",
     .status = 400,
     .type = "invalid_request_error",
     .message = "input length and `max_tokens` exceed context limit: 190000 "
                "+ 20000 > 200000, decrease input length or `max_tokens` and "
                "try again",
     .headers = ID},
    {.name = "prompt_too_long",
     .status = 400,
     .type = "invalid_request_error",
     .message = "prompt is too long: 210000 tokens > 200000 maximum",
     .headers = ID},
    {.name = "spend_limit_reached",
     .status = 400,
     .type = "invalid_request_error",
     .message = "You have reached your specified API usage limits. You will "
                "regain access on {{date:+86400}} at 00:00 UTC.",
     .headers = ID},
    {.name = "workspace_spend_limit_reached",
     .status = 400,
     .type = "invalid_request_error",
     .message = "You have reached your specified workspace API usage limits. "
                "You will regain access on {{date:+86400}} at 00:00 UTC.",
     .headers = ID},
    {.name = "credit_balance_too_low",
     .also = "quota",
     .status = 400,
     .type = "invalid_request_error",
     .message = "Your credit balance is too low to access the Anthropic API. "
                "Please go to Plans & Billing to upgrade or purchase "
                "credits.",
     .headers = ID},
    {.name = "authentication_error",
     .also = "auth",
     .status = 401,
     .type = "authentication_error",
     .message = "invalid x-api-key",
     .headers = ID},
    {.name = "oauth_token_expired",
     .status = 401,
     .type = "authentication_error",
     .message = "OAuth token has expired. Please obtain a new token or "
                "refresh your existing token.",
     .headers = ID},
    {.name = "billing_error",
     .status = 402,
     .type = "billing_error",
     .message = "There's an issue with your billing or payment information.",
     .headers = ID},
    {.name = "permission_error",
     .also = "permission",
     .status = 403,
     .type = "permission_error",
     .message = "Your API key does not have permission to use the specified "
                "resource.",
     .headers = ID},
    {.name = "not_found_error",
     .also = "not_found",
     .status = 404,
     .type = "not_found_error",
     .message = "model: {{model}}",
     .headers = ID},
    {.name = "conflict_error",
     .status = 409,
     .type = "conflict_error",
     .message = "The request conflicts with the current state of the "
                "resource.",
     .headers = ID},
    /* sent by the edge before the API: no id anywhere */
    {.name = "request_too_large",
     .status = 413,
     .type = "request_too_large",
     .message = "Request exceeds the maximum allowed number of bytes.",
     .no_request_id = true},
    {.name = "rate_limit_error",
     .also = "rate_limit quota:input_tokens "
             "quota:tokens",
     .status = 429,
     .type = "rate_limit_error",
     .message = LIMIT_TEXT("50,000", "input tokens"),
     .headers = ID FAMILY("994", "0", "14000")},
    {.name = "rate_limit_requests",
     .also = "quota:requests",
     .status = 429,
     .type = "rate_limit_error",
     .message = LIMIT_TEXT("50", "requests"),
     .headers = ID BUCKET("requests", "1000", "0", "+wait")
         BUCKET("input-tokens", "450000", "449000", "+1")
             BUCKET("output-tokens", "90000", "90000", "+0")
                 BUCKET("tokens", "540000", "539000", "+1")},
    {.name = "rate_limit_output_tokens",
     .also = "quota:output_tokens",
     .status = 429,
     .type = "rate_limit_error",
     .message = LIMIT_TEXT("8,000", "output tokens"),
     .headers = ID BUCKET("requests", "1000", "994", "+4")
         BUCKET("input-tokens", "450000", "449000", "+1")
             BUCKET("output-tokens", "90000", "0", "+wait")
                 BUCKET("tokens", "540000", "0", "+wait")},
    {.name = "rate_limit_2024",
     .status = 429,
     .type = "rate_limit_error",
     .message = "Number of request tokens has exceeded your per-minute rate "
                "limit (https://docs.anthropic.com/en/api/rate-limits); see "
                "the response headers for current usage. Please reduce the "
                "prompt length or the maximum tokens requested, or try again "
                "later. You may also contact sales at "
                "https://www.anthropic.com/contact-sales to discuss your "
                "options for a rate limit increase.",
     .headers = ID,
     .no_request_id = true},
    {.name = "account_rate_limit",
     .also = "quota:account",
     .status = 429,
     .type = "rate_limit_error",
     .message = ACCOUNT_TEXT,
     .headers = ID},
    {.name = "ramp_limit_exceeded",
     .also = "quota:acceleration",
     .status = 429,
     .type = "rate_limit_error",
     .details = "{\"error_code\":\"ramp_limit_exceeded\"}",
     .message = "Your organization's usage grew too fast. Please ramp up "
                "gradually.",
     .headers = ID},
    {.name = "enforced_spend_limit_reached",
     .status = 429,
     .type = "rate_limit_error",
     .details = "{\"error_code\":\"enforced_spend_limit_reached\"}",
     .message = "Your organization has reached the monthly usage threshold "
                "of its tier.",
     .headers = ID},
    {.name = "contract_spend_limit_reached",
     .status = 429,
     .type = "rate_limit_error",
     .details = "{\"error_code\":\"contract_spend_limit_reached\"}",
     .message = "The organization has reached the spend limit of its "
                "contract.",
     .headers = ID},
    {.name = "usage_limit_five_hour",
     .also = "usage_limit",
     .status = 429,
     .type = "rate_limit_error",
     .message = ACCOUNT_TEXT,
     .headers = ID FIVE_HOURS},
    {.name = "usage_limit_seven_day",
     .status = 429,
     .type = "rate_limit_error",
     .message = "Usage window rejected.",
     .headers = ID SEVEN_DAYS},
    {.name = "api_error",
     .also = "server_error",
     .status = 500,
     .type = "api_error",
     .message = "Internal server error",
     .headers = ID},
    {.name = "timeout_error",
     .also = "timeout",
     .status = 504,
     .type = "timeout_error",
     .message = "Request timed out",
     .headers = ID},
    {.name = "overloaded_error",
     .also = "overloaded",
     .status = 529,
     .reason = "Overloaded",
     .type = "overloaded_error",
     .message = "Overloaded",
     .headers = ID},
    {.name = "memory_precondition_failed_error",
     .status = 412,
     .type = "memory_precondition_failed_error",
     .message = "The memory changed since it was read.",
     .headers = ID},
    {.name = "memory_path_conflict_error",
     .status = 409,
     .type = "memory_path_conflict_error",
     .message = "The memory path is in use.",
     .headers = ID},
    {.name = NULL}};
