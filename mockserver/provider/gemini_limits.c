/*
 * Gemini's quotas: no headers on any answer, a QuotaFailure and a RetryInfo
 * in the body of a refusal. Sources: recorded answers as in gemini_errors.c;
 * docs/limits.md.
 */
#include "mockserver/provider/gemini_errors.h"
#include "mockserver/provider/limits.h"

#include <inttypes.h>

#define METRIC "generativelanguage.googleapis.com/generate_content_free_tier_"

static void headers(const struct limit_view *v, int64_t now_ns, struct buf *ret)
{
  (void)v;
  (void)now_ns;
  (void)ret;
}

static const char *metric(const struct limit_refusal *r)
{
  return r->of == LIMIT_REQUESTS ? METRIC "requests"
                                 : METRIC "input_token_count";
}

/* Seen: per minute and per day; the form of the others follows them. */
static void add_quota_id(const struct limit_refusal *r, struct buf *ret)
{
  static const char *const per[] = {[LIMIT_SECOND] = "Second",
                                    [LIMIT_MINUTE] = "Minute",
                                    [LIMIT_HOUR] = "Hour",
                                    [LIMIT_DAY] = "Day"};
  if (r->of == LIMIT_REQUESTS)
    buf_addf(ret, "GenerateRequestsPer%sPerProjectPerModel-FreeTier",
             per[r->per]);
  else
    buf_addf(ret, "GenerateContentInputTokensPerModelPer%s-FreeTier",
             per[r->per]);
}

static void add_details(const struct limit_refusal *r, struct buf *ret)
{
  buf_addf(ret,
           "      {\n"
           "        \"@type\": \"type.googleapis.com/google.rpc."
           "QuotaFailure\",\n"
           "        \"violations\": [\n"
           "          {\n"
           "            \"quotaMetric\": \"%s\",\n"
           "            \"quotaId\": \"",
           metric(r));
  add_quota_id(r, ret);
  buf_addf(ret,
           "\",\n"
           "            \"quotaDimensions\": {\n"
           "              \"location\": \"global\",\n"
           "              \"model\": \"{{model}}\"\n"
           "            },\n"
           "            \"quotaValue\": \"%" PRId64 "\"\n"
           "          }\n"
           "        ]\n"
           "      }",
           r->limit);
  if (r->too_large)
    return;
  int64_t ms = limit_ms(r->wait_us);
  buf_addf(ret,
           ",\n"
           "      {\n"
           "        \"@type\": \"type.googleapis.com/google.rpc."
           "RetryInfo\",\n"
           "        \"retryDelay\": \"{{seconds:%" PRId64 ".%03d}}s\"\n"
           "      }",
           ms / 1000, (int)(ms % 1000));
}

static void add_message(const struct limit_refusal *r, struct buf *ret)
{
  buf_addf(ret,
           "You exceeded your current quota, please check your plan and "
           "billing details. For more information on this error, head to: "
           "https://ai.google.dev/gemini-api/docs/rate-limits. To monitor "
           "your current usage, head to: https://ai.dev/rate-limit. \\n* "
           "Quota exceeded for metric: %s, limit: %" PRId64
           ", model: {{model}}",
           metric(r), r->limit);
  if (r->too_large)
    return;
  int64_t ms = limit_ms(r->wait_us);
  buf_addf(ret, "\\nPlease retry in {{seconds:%" PRId64 ".%03d}}s.", ms / 1000,
           (int)(ms % 1000));
}

static void refuse(const struct limit_refusal *r, struct limit_answer *ret)
{
  const char *name = r->of != LIMIT_REQUESTS ? "input_tokens_per_minute"
                     : r->per == LIMIT_DAY   ? "requests_per_day"
                     : r->limit == 0         ? "limit_zero"
                                             : "RESOURCE_EXHAUSTED";
  ret->error = *provider_error_find(&provider_gemini, name);
  add_message(r, &ret->message);
  add_details(r, &ret->details);
  ret->error.message = buf_str(&ret->message);
  ret->error.details = buf_str(&ret->details);
  ret->error.headers = provider_gemini.headers;
}

const struct provider_limits gemini_limits = {
    .counts_cache_reads = true, .headers = headers, .refuse = refuse};
