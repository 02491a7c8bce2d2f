#include "mockserver/limits_priv.h"

/* Life of a cached prefix without the longer one asked for: five minutes
 * from its last use (Anthropic's prompt caching, "ephemeral"). */
#define CACHE_US INT64_C(300000000)

/* A cache belongs to an organisation and a model. */
static uint64_t hash_of(const struct limit_ask *q)
{
  uint64_t hash = bytes_hash(q->cost->prefix);
  hash ^= bytes_hash(bytes_of(q->who->name[LIMIT_ORGANIZATION])) * 3;
  return hash ^ bytes_hash(bytes_of(q->who->name[LIMIT_MODEL])) * 5;
}

static ptrdiff_t find(const struct limits *l, uint64_t hash,
                      struct limiter_time now)
{
  for (size_t i = 0; i < LIMITS_CACHED; i++)
    if (l->cached[i].hash == hash && l->cached[i].until_us > now.mono_us)
      return (ptrdiff_t)i;
  return -1;
}

int64_t limits_cache_read(const struct limits *l, const struct limit_ask *q)
{
  if (q->cost->cached >= 0)
    return q->cost->cached < q->cost->input ? q->cost->cached : q->cost->input;
  if (!q->cost->prefix.n || find(l, hash_of(q), q->now) < 0)
    return 0;
  int64_t tokens = tokens_estimate(q->cost->prefix);
  return tokens < q->cost->input ? tokens : q->cost->input;
}

void limits_cache_keep(struct limits *l, const struct limit_ask *q)
{
  if (!q->cost->prefix.n)
    return;
  uint64_t hash = hash_of(q);
  ptrdiff_t at = find(l, hash, q->now);
  if (at < 0)
    at = (ptrdiff_t)(l->next_cached++ % LIMITS_CACHED);
  l->cached[at] = (struct limit_cached){hash, q->now.mono_us + CACHE_US};
}
