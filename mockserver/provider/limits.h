/*
 * limits.h - how a provider tells of its rate limits: what it counts, the
 * headers of every answer, the body of a refusal.
 *
 * Sources: docs/limits.md, one by one. Numbers come from the limiter
 * (limit_view.h), words from here.
 */
#ifndef MOCKSERVER_PROVIDER_LIMITS_H
#define MOCKSERVER_PROVIDER_LIMITS_H

#include "mockserver/limit_view.h"
#include "mockserver/provider/provider.h"

/* A refusal made into an error of the provider. `error` points into the
 * buffers, which the caller has set up and releases. */
struct limit_answer {
  struct provider_error error;
  struct buf message, details; /* values {{...}} in them are expanded */
  struct buf headers;          /* "name: value\r\n": retry-after and so on */
  char retry_after[24];        /* its value, "": none is sent */
};

struct provider_limits {
  bool counts_refused;     /* a refused request counts as a request */
  bool counts_cache_reads; /* tokens from the cache count */
  bool counts_max_tokens;  /* output counts as max_tokens at the start */
  /* Appends "name: value\r\n" lines; `now_ns` is the wall clock. */
  void (*headers)(const struct limit_view *v, int64_t now_ns, struct buf *ret);
  void (*refuse)(const struct limit_refusal *r, struct limit_answer *ret);
};

extern const struct provider_limits anthropic_limits, openai_limits,
    gemini_limits;
/* Whose error tables the refusals are made from. */
extern const struct provider provider_anthropic, provider_openai_chat,
    provider_gemini;

/* Whole seconds and milliseconds, rounded up: never before the moment. */
int64_t limit_seconds(int64_t us);
int64_t limit_ms(int64_t us);
/* 50000 as "50,000". */
void limit_grouped(int64_t n, struct buf *ret);
/* "retry-after: N" for the wait, in whole seconds from 1. */
void limit_retry_after(const struct limit_refusal *r, struct limit_answer *ret);

#endif
