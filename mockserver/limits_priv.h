/*
 * limits_priv.h - what the files of the limiter share; nobody else includes
 * it.
 */
#ifndef MOCKSERVER_LIMITS_PRIV_H
#define MOCKSERVER_LIMITS_PRIV_H

#include "mockserver/limits.h"

/* One bucket of one owner. */
struct limit_instance {
  const struct limit_rule *rule;
  const struct provider_limits *provider; /* no vendor knows of another */
  char whom[164]; /* name in the scope, "/" and the model with per_model */
  struct limiter_bucket bucket;
  uint64_t refused;
};

/* An admitted request until its attempt is over. */
struct limit_open {
  uint64_t ticket;
  const struct attempt *attempt; /* NULL before limits_answer() */
  struct limiter_time then;
  int64_t counted; /* output tokens counted so far */
  int64_t total;   /* output tokens of the whole answer */
  uint64_t text_events;
  size_t instance[LIMITS_MAX_RULES]; /* those that count output */
  size_t ninstances;
};

/* A body's prefix that is in the cache. */
struct limit_cached {
  uint64_t hash;
  int64_t until_us; /* monotonic */
};
enum { LIMITS_CACHED = 256 };

struct limits {
  const struct limits_config *config;
  struct limit_instance *list;
  size_t n, cap;
  struct limit_open *open;
  size_t nopen, open_cap;
  uint64_t tickets;
  struct limit_cached cached[LIMITS_CACHED];
  size_t next_cached;
};

/* limits_open.c: counts what has been produced up to now. */
void limits_settle(struct limits *l, struct limiter_time now);
struct limit_open *limits_open_add(struct limits *l, struct limiter_time now);

/* limits_cache.c: tokens of the prefix that are in the cache; 0: none. */
int64_t limits_cache_read(const struct limits *l, const struct limit_ask *q);
/* The prefix is in the cache for five more minutes. */
void limits_cache_keep(struct limits *l, const struct limit_ask *q);

#endif
