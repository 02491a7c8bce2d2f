/*
 * limits_request.h - what the limiter reads of a request: whose it is and
 * what it costs.
 *
 * Whose (docs/limits.md, "Whose bucket"): x-faultwire-organization,
 * x-faultwire-workspace and x-faultwire-project, else the provider's own
 * header (openai-organization, anthropic-workspace-id, openai-project,
 * x-goog-user-project), else "-org-NAME", "-workspace-NAME", "-project-NAME"
 * inside the API key, else everybody's. Keys are told apart by a hash.
 *
 * What it costs: the header "x-faultwire-tokens: input=12 output=3 cached=4"
 * where it says so, else tokens_estimate() of the body and the body's own
 * max_tokens.
 */
#ifndef MOCKSERVER_LIMITS_REQUEST_H
#define MOCKSERVER_LIMITS_REQUEST_H

#include "mockserver/limit_view.h"
#include "mockserver/request.h"

struct call;

/* Which buckets a request meets. */
enum limit_pool { LIMIT_CALLS, LIMIT_BATCH, LIMIT_COUNT, LIMIT_EMBEDDINGS };

struct limit_who {
  char name[LIMIT_SCOPES][80]; /* "" : nobody in particular */
  enum limit_pool pool;
};

/* -1: not said. */
struct limit_cost {
  int64_t requests;
  int64_t input, cached; /* cached is a part of input */
  int64_t max_output;    /* what the request allows the model */
  int64_t output;        /* what the header says it will be */
  struct bytes prefix;   /* what the body marks for the cache, when the
                            header says nothing of it */
};

/* Four bytes a token, the usual rule of thumb; never none. The one estimate
 * of the server: usage numbers, token counts and limits agree. */
int64_t tokens_estimate(struct bytes text);

void limit_who_read(struct limit_who *ret, const struct call *c,
                    const struct request *r);
/* How many requests the body of a batch holds, never none: by their
 * custom_id. A batch over a file counts as one. */
int64_t limit_batch_requests(struct bytes body);
/* `prefix` points into the request. */
void limit_cost_read(struct limit_cost *ret, const struct request *r);
#endif
