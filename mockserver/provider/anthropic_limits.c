/*
 * Anthropic's rate limits. Sources: platform docs "rate limits" (header
 * names, token bucket, what counts) and "errors" (acceleration limits); the
 * text of a 429 as in anthropic_errors.c; docs/limits.md.
 */
#include "mockserver/provider/limits.h"

#include "base/clock.h"

#include <inttypes.h>

/* Token counts are told to the nearest thousand (docs, "rate limits"). */
static int64_t rounded(const struct limit_row *row)
{
  int64_t n = (row->remaining + 500) / 1000 * 1000;
  return n < row->limit ? n : row->limit;
}

static void add_row(const char *name, const struct limit_row *row,
                    int64_t remaining, int64_t now_ns, struct buf *ret)
{
  char reset[32];
  if (!row->there)
    return;
  /* RFC 3339 in whole seconds, never before the true moment */
  clock_rfc3339(limit_seconds(now_ns / 1000 + row->reset_us), reset);
  buf_addf(ret,
           "anthropic-ratelimit-%s-limit: %" PRId64 "\r\n"
           "anthropic-ratelimit-%s-remaining: %" PRId64 "\r\n"
           "anthropic-ratelimit-%s-reset: %s\r\n",
           name, row->limit, name, remaining, name, reset);
}

/* `tokens` shows the most restrictive token limit in force. */
static const struct limit_row *tightest(const struct limit_view *v)
{
  const struct limit_row *best = &v->row[LIMIT_TOKENS];
  for (int of = LIMIT_INPUT_TOKENS; of <= LIMIT_OUTPUT_TOKENS; of++)
    if (v->row[of].there &&
        (!best->there || v->row[of].remaining < best->remaining))
      best = &v->row[of];
  return best;
}

static void headers(const struct limit_view *v, int64_t now_ns, struct buf *ret)
{
  const struct limit_row *row = v->row, *all = tightest(v);
  add_row("requests", &row[LIMIT_REQUESTS], row[LIMIT_REQUESTS].remaining,
          now_ns, ret);
  add_row("input-tokens", &row[LIMIT_INPUT_TOKENS],
          rounded(&row[LIMIT_INPUT_TOKENS]), now_ns, ret);
  add_row("output-tokens", &row[LIMIT_OUTPUT_TOKENS],
          rounded(&row[LIMIT_OUTPUT_TOKENS]), now_ns, ret);
  add_row("tokens", all, rounded(all), now_ns, ret);
}

static const char *const of_words[] = {[LIMIT_REQUESTS] = "requests",
                                       [LIMIT_INPUT_TOKENS] = "input tokens",
                                       [LIMIT_OUTPUT_TOKENS] = "output tokens",
                                       [LIMIT_TOKENS] = "tokens"};
static const char *const per_words[] = {[LIMIT_SECOND] = "second",
                                        [LIMIT_MINUTE] = "minute",
                                        [LIMIT_HOUR] = "hour",
                                        [LIMIT_DAY] = "day"};

static void refuse(const struct limit_refusal *r, struct limit_answer *ret)
{
  const struct provider_error *like =
      provider_error_find(&provider_anthropic, r->growth ? "ramp_limit_exceeded"
                                                         : "rate_limit_error");
  ret->error = *like;
  if (r->growth) {
    ret->error.message = like->message;
  } else {
    buf_adds(&ret->message, "This request would exceed your organization's "
                            "rate limit of ");
    limit_grouped(r->limit, &ret->message);
    buf_addf(&ret->message,
             " %s per %s (org: ORG_PLACEHOLDER, model: {{model}}). For "
             "details, refer to: "
             "https://docs.claude.com/en/api/rate-limits. You can see the "
             "response headers for current usage. Please reduce the prompt "
             "length or the maximum tokens requested, or try again later. "
             "You may also contact sales at "
             "https://claude.com/contact-sales to discuss your options for "
             "a rate limit increase.",
             of_words[r->of], per_words[r->per]);
    ret->error.message = buf_str(&ret->message);
  }
  ret->error.headers = provider_anthropic.headers;
  if (!r->too_large)
    limit_retry_after(r, ret);
}

const struct provider_limits anthropic_limits = {.headers = headers,
                                                 .refuse = refuse};
