/*
 * limits.h - what `limits` of a scenario says, and the limiter made of it:
 * which bucket a request meets, whether it gets through, what is counted.
 *
 * Rules: docs/limits.md. A request meets every bucket of its pool that fits
 * its model; each bucket exists once per name in its scope (organisation,
 * workspace, project, key, model). All must have room; the bucket with the
 * longest wait is the one a refusal names. The numbers of a bucket are
 * limiter.h's; the bytes of headers and refusals are the provider's.
 */
#ifndef MOCKSERVER_LIMITS_H
#define MOCKSERVER_LIMITS_H

#include "base/param.h"
#include "mockserver/limit_view.h"
#include "mockserver/limiter.h"
#include "mockserver/limits_request.h"

struct attempt;
struct provider_limits;

struct limit_rule {
  const char *name; /* of the scenario, or "requests per minute" */
  char made_name[48];
  enum limit_of of;
  enum limit_scope scope;
  enum limit_per per; /* what the provider's texts call the period */
  bool per_model;
  const char *model; /* pattern, NULL: all */
  enum limit_pool pool;
  struct limiter_rule rule;
};

/* Ceiling of a scenario's buckets. */
enum { LIMITS_MAX_RULES = 32 };

/* What a scenario says; -1: as the provider does. */
struct limits_config {
  struct limit_rule *rules;
  size_t nrules;
  int count_refused, count_cache_reads, by_max_tokens;
};

/* Keys of `limits` and of one of its `buckets`. */
extern const struct param limits_params[];
extern const struct param limit_bucket_params[];

/* Reads the member `limits` of the scenario; none there: *ret stays NULL.
 * The caller frees with limits_config_free(). Texts point into the
 * document. */
int limits_config_read(struct limits_config **ret, const struct jval *root,
                       struct diag *diag);
void limits_config_free(struct limits_config *c);

struct limits;
/* `config` must outlive it. */
struct limits *limits_new(const struct limits_config *config);
void limits_free(struct limits *l);
/* Every bucket full again. */
void limits_rewind(struct limits *l);

/*
 * Asks for one request. What was admitted is charged; what was refused is
 * charged as the provider does. *ret_view says what the headers are to say
 * afterwards. True: refused, and *ret tells by what; else a number for
 * limits_answer().
 */
struct limit_ask {
  const struct provider_limits *provider;
  const struct limit_who *who;
  const struct limit_cost *cost;
  struct limiter_time now;
};
bool limits_ask(struct limits *l, const struct limit_ask *q,
                struct limit_view *ret_view, struct limit_refusal *ret,
                uint64_t *ret_ticket);

/* The answer of an admitted request is going out: `output_tokens` in all,
 * spread over `text_events` events, 0: at once. Until limits_ended() they
 * are counted as the attempt's events go out. */
void limits_answer(struct limits *l, uint64_t ticket, const struct attempt *a,
                   int64_t output_tokens, uint64_t text_events);
/* The attempt is over: what was counted becomes what was produced. An
 * attempt that nothing is known of is fine. */
void limits_ended(struct limits *l, const struct attempt *a,
                  struct limiter_time now);

/* All buckets that exist as a JSON array. */
void limits_json(struct limits *l, struct limiter_time now, struct buf *ret);

#endif
