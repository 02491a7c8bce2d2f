#include "mockserver/provider/gemini_errors.h"

#define QUOTA_TEXT                                                             \
  "You exceeded your current quota, please check your plan and billing "       \
  "details. For more information on this error, head to: "                     \
  "https://ai.google.dev/gemini-api/docs/rate-limits. To monitor your "        \
  "current usage, head to: https://ai.dev/rate-limit. \\n* Quota exceeded "    \
  "for metric: "

#define METRIC "generativelanguage.googleapis.com/generate_content_free_tier_"
#define RETRY_TEXT "\\nPlease retry in {{seconds:wait}}s."

/* Members of `details`, indented as the API prints them. */
#define FAILURE(metric, id, value)                                             \
  "      {\n"                                                                  \
  "        \"@type\": \"type.googleapis.com/google.rpc.QuotaFailure\",\n"      \
  "        \"violations\": [\n"                                                \
  "          {\n"                                                              \
  "            \"quotaMetric\": \"" metric "\",\n"                             \
  "            \"quotaId\": \"" id "\",\n"                                     \
  "            \"quotaDimensions\": {\n"                                       \
  "              \"location\": \"global\",\n"                                  \
  "              \"model\": \"{{model}}\"\n"                                   \
  "            },\n"                                                           \
  "            \"quotaValue\": \"" value "\"\n"                                \
  "          }\n"                                                              \
  "        ]\n"                                                                \
  "      }"
#define HELP                                                                   \
  "      {\n"                                                                  \
  "        \"@type\": \"type.googleapis.com/google.rpc.Help\",\n"              \
  "        \"links\": [\n"                                                     \
  "          {\n"                                                              \
  "            \"description\": \"Learn more about Gemini API quotas\",\n"     \
  "            \"url\": "                                                      \
  "\"https://ai.google.dev/gemini-api/docs/rate-limits\"\n"                    \
  "          }\n"                                                              \
  "        ]\n"                                                                \
  "      }"
#define RETRY                                                                  \
  "      {\n"                                                                  \
  "        \"@type\": \"type.googleapis.com/google.rpc.RetryInfo\",\n"         \
  "        \"retryDelay\": \"{{seconds:wait}}s\"\n"                            \
  "      }"

#define PER_MINUTE "GenerateRequestsPerMinutePerProjectPerModel-FreeTier"
#define PER_DAY "GenerateRequestsPerDayPerProjectPerModel-FreeTier"
#define TOKENS "GenerateContentInputTokensPerModelPerMinute-FreeTier"
#define H GEMINI_HEADERS

/* Sources, one by one, in docs/providers.md. */
const struct provider_error gemini_errors[] = {
    {.name = "RESOURCE_EXHAUSTED",
     .also = "rate_limit quota:minute quota:requests",
     .status = 429,
     .type = "RESOURCE_EXHAUSTED",
     .message =
         QUOTA_TEXT METRIC "requests, limit: 5, model: {{model}}" RETRY_TEXT,
     .details =
         FAILURE(METRIC "requests", PER_MINUTE, "5") ",\n" HELP ",\n" RETRY,
     .headers = H},
    {.name = "input_tokens_per_minute",
     .also = "quota:tokens",
     .status = 429,
     .type = "RESOURCE_EXHAUSTED",
     .message = QUOTA_TEXT METRIC
     "input_token_count, limit: 250000, model: {{model}}" RETRY_TEXT,
     .details = FAILURE(METRIC "input_token_count", TOKENS,
                        "250000") ",\n" HELP ",\n" RETRY,
     .headers = H},
    {.name = "requests_per_minute_no_retry_info",
     .also = "quota:no_hint",
     .status = 429,
     .type = "RESOURCE_EXHAUSTED",
     .message = "You exceeded your current quota, please check your plan and "
                "billing details. For more information on this error, head "
                "to: https://ai.google.dev/gemini-api/docs/rate-limits.",
     .details = FAILURE(METRIC "requests", PER_MINUTE, "5") ",\n" HELP,
     .headers = H},
    {.name = "resource_exhausted_plain",
     .also = "quota:plain",
     .status = 429,
     .type = "RESOURCE_EXHAUSTED",
     .message = "Resource has been exhausted (e.g. check quota).",
     .headers = H},
    {.name = "requests_per_day",
     .also = "usage_limit quota quota:day",
     .status = 429,
     .type = "RESOURCE_EXHAUSTED",
     .message = QUOTA_TEXT METRIC
     "requests, limit: 250, model: {{model}}\\nPlease retry in "
     "{{duration:reset}}.",
     .details =
         FAILURE(METRIC "requests", PER_DAY,
                 "250") ",\n" HELP ",\n      {\n"
                        "        \"@type\": "
                        "\"type.googleapis.com/google.rpc.RetryInfo\",\n"
                        "        \"retryDelay\": \"{{seconds:reset}}s\"\n"
                        "      }",
     .headers = H},
    {.name = "limit_zero",
     .status = 429,
     .type = "RESOURCE_EXHAUSTED",
     .message =
         QUOTA_TEXT METRIC "requests, limit: 0, model: {{model}}" RETRY_TEXT,
     .details = HELP ",\n" FAILURE(METRIC "requests", PER_DAY, "0") ",\n" RETRY,
     .headers = H},
    {.name = "UNAVAILABLE",
     .also = "overloaded",
     .status = 503,
     .type = "UNAVAILABLE",
     .message = "The model is overloaded. Please try again later.",
     .headers = H},
    {.name = "INTERNAL",
     .also = "server_error",
     .status = 500,
     .type = "INTERNAL",
     .message = "An internal error has occurred. Please retry or report in "
                "https://developers.generativeai.google/guide/"
                "troubleshooting",
     .headers = H},
    {.name = "DEADLINE_EXCEEDED",
     .also = "timeout",
     .status = 504,
     .type = "DEADLINE_EXCEEDED",
     .message = "Deadline expired before operation could complete.",
     .headers = H},
    {.name = "API_KEY_INVALID",
     .also = "auth",
     .status = 400,
     .type = "INVALID_ARGUMENT",
     .message = "API key not valid. Please pass a valid API key.",
     .details = "      {\n"
                "        \"@type\": "
                "\"type.googleapis.com/google.rpc.ErrorInfo\",\n"
                "        \"reason\": \"API_KEY_INVALID\",\n"
                "        \"domain\": \"googleapis.com\",\n"
                "        \"metadata\": {\n"
                "          \"service\": "
                "\"generativelanguage.googleapis.com\"\n"
                "        }\n"
                "      }",
     .headers = H},
    {.name = "INVALID_ARGUMENT",
     .also = "invalid_request",
     .status = 400,
     .type = "INVALID_ARGUMENT",
     .message = "Request contains an invalid argument.",
     .headers = H},
    {.name = "FAILED_PRECONDITION",
     .status = 400,
     .type = "FAILED_PRECONDITION",
     .message = "User location is not supported for the API use.",
     .headers = H},
    {.name = "PERMISSION_DENIED",
     .also = "permission",
     .status = 403,
     .type = "PERMISSION_DENIED",
     .message = "Permission denied.",
     .headers = H},
    {.name = "NOT_FOUND",
     .also = "not_found",
     .status = 404,
     .type = "NOT_FOUND",
     .message = "models/{{model}} is not found for API version v1beta, or is "
                "not supported for generateContent.",
     .headers = H},
    {.name = NULL}};
