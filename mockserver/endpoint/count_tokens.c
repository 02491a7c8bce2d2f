/*
 * Token counts before a call. The number is the header x-faultwire-tokens'
 * input, else the server's one estimate (limits_request.h).
 */
#include "mockserver/endpoint.h"

#include "mockserver/limits_request.h"

#include <inttypes.h>

static int64_t count(const struct endpoint_ask *q)
{
  struct limit_cost cost;
  limit_cost_read(&cost, q->request);
  return cost.input;
}

static void anthropic(const struct endpoint_ask *q, struct endpoint_answer *ret)
{
  buf_addf(&ret->body, "{\"input_tokens\":%" PRId64 "}", count(q));
}

static void openai(const struct endpoint_ask *q, struct endpoint_answer *ret)
{
  buf_addf(&ret->body,
           "{\"object\":\"response.input_tokens\",\"input_tokens\":%" PRId64
           "}",
           count(q));
}

static void gemini(const struct endpoint_ask *q, struct endpoint_answer *ret)
{
  buf_addf(&ret->body, "{\n  \"totalTokens\": %" PRId64 "\n}\n", count(q));
}

#define ROUTE(path, provider, star, answer)                                    \
  {                                                                            \
    "count_tokens", "POST", path, provider, false, star, ENDPOINT_COUNT,       \
        answer                                                                 \
  }

static const struct endpoint_route routes[] = {
    ROUTE("/v1/messages/count_tokens", "anthropic", false, anthropic),
    /* some clients leave the version to the base URL */
    ROUTE("/messages/count_tokens", "anthropic", false, anthropic),
    ROUTE("/v1/responses/input_tokens", "openai-responses", false, openai),
    ROUTE("/v1beta/models/*:countTokens", "gemini", true, gemini),
    ROUTE("/v1/models/*:countTokens", "gemini", true, gemini),
    {.name = NULL}};

const struct endpoint_family endpoint_count_tokens = {
    .name = "count_tokens",
    .summary = "Token counts of a request that is not made.",
    .routes = routes};
