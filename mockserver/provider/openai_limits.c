/*
 * OpenAI's rate limits, both APIs. Sources: the API guide's table of
 * x-ratelimit headers, its error texts as reported by clients, help article
 * 5955604 (failed requests count); docs/limits.md.
 */
#include "mockserver/provider/limits.h"
#include "mockserver/provider/openai_errors.h"

#include <inttypes.h>

static void add_row(const char *name, const struct limit_row *row,
                    struct buf *ret)
{
  if (!row->there)
    return;
  buf_addf(ret,
           "x-ratelimit-limit-%s: %" PRId64 "\r\n"
           "x-ratelimit-remaining-%s: %" PRId64 "\r\n"
           "x-ratelimit-reset-%s: ",
           name, row->limit, name, row->remaining, name);
  value_duration(limit_ms(row->reset_us), ret);
  buf_adds(ret, "\r\n");
}

static void headers(const struct limit_view *v, int64_t now_ns, struct buf *ret)
{
  (void)now_ns;
  const struct limit_row *tokens = &v->row[LIMIT_TOKENS];
  add_row("requests", &v->row[LIMIT_REQUESTS], ret);
  add_row("tokens", tokens->there ? tokens : &v->row[LIMIT_INPUT_TOKENS], ret);
  add_row("project-tokens", &v->project_tokens, ret);
}

static void add_what(const struct limit_refusal *r, struct buf *ret)
{
  static const char *const letters[] = {[LIMIT_SECOND] = "sec",
                                        [LIMIT_MINUTE] = "min",
                                        [LIMIT_HOUR] = "hour",
                                        [LIMIT_DAY] = "day"};
  static const char initial[] = {[LIMIT_SECOND] = 'S',
                                 [LIMIT_MINUTE] = 'M',
                                 [LIMIT_HOUR] = 'H',
                                 [LIMIT_DAY] = 'D'};
  bool requests = r->of == LIMIT_REQUESTS;
  buf_addf(ret, "%s per %s (%cP%c)", requests ? "requests" : "tokens",
           letters[r->per], requests ? 'R' : 'T', initial[r->per]);
}

static void add_message(const struct limit_refusal *r, struct buf *ret)
{
  buf_adds(ret,
           r->too_large ? "Request too large for " : "Rate limit reached for ");
  buf_adds(ret, "{{model}} in organization org-PLACEHOLDER on ");
  add_what(r, ret);
  buf_addf(ret, ": Limit %" PRId64, r->limit);
  if (r->too_large) {
    buf_addf(ret,
             ", Requested %" PRId64 ". The input or output tokens must be "
             "reduced in order to run successfully.",
             r->requested);
  } else {
    buf_addf(ret,
             ", Used %" PRId64 ", Requested %" PRId64 ". Please try again in ",
             r->used, r->requested);
    value_duration(limit_ms(r->wait_us), ret);
    buf_addc(ret, '.');
  }
  buf_adds(ret, " Visit https://platform.openai.com/account/rate-limits to "
                "learn more.");
}

static void refuse(const struct limit_refusal *r, struct limit_answer *ret)
{
  const struct provider_error *like = provider_error_find(
      &provider_openai_chat, r->growth ? "slow_down" : "rate_limit_exceeded");
  ret->error = *like;
  if (!r->growth) {
    add_message(r, &ret->message);
    ret->error.message = buf_str(&ret->message);
    ret->error.type = r->of == LIMIT_REQUESTS ? "requests" : "tokens";
    if (r->too_large)
      ret->error.name = "request_too_large";
  }
  ret->error.headers = provider_openai_chat.headers;
  if (r->too_large)
    return; /* waiting is useless, so nothing names a wait */
  limit_retry_after(r, ret);
  buf_addf(&ret->headers, "retry-after-ms: %" PRId64 "\r\n",
           limit_ms(r->wait_us));
}

const struct provider_limits openai_limits = {.counts_refused = true,
                                              .counts_cache_reads = true,
                                              .counts_max_tokens = true,
                                              .headers = headers,
                                              .refuse = refuse};
