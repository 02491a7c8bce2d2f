#include "mockserver/engine_late.h"

#include <assert.h>
#include <string.h>

void late_clear(struct late *l)
{
  memset(l, 0, sizeof *l);
}

/* How far a value is shifted so that five bits are left, the first a one. */
static unsigned shift_of(uint64_t value)
{
  return value < 16 ? 0 : 59U - (unsigned)__builtin_clzll(value);
}

static size_t bucket_of(uint64_t value)
{
  unsigned shift = shift_of(value);
  return (size_t)(16 * shift + (value >> shift));
}

/* The largest value of a bucket. */
static uint64_t bucket_end(size_t i)
{
  if (i < 32)
    return i;
  unsigned shift = (unsigned)(i / 16 - 1);
  return ((uint64_t)(i - 16 * shift + 1) << shift) - 1;
}

void late_add(struct late *l, int64_t ns)
{
  if (ns < 0)
    ns = 0;
  size_t i = bucket_of((uint64_t)ns);
  assert(i < LATE_BUCKETS);
  l->bucket[i]++;
  l->n++;
  if (ns > l->max_ns)
    l->max_ns = ns;
}

int64_t late_percentile(const struct late *l, unsigned percent)
{
  uint64_t wanted = l->n / 100 * percent + (l->n % 100 * percent + 99) / 100;
  uint64_t seen = 0;
  for (size_t i = 0; i < LATE_BUCKETS && l->n; i++) {
    seen += l->bucket[i];
    if (seen < wanted || seen == 0)
      continue;
    int64_t end = (int64_t)bucket_end(i);
    return end < l->max_ns ? end : l->max_ns;
  }
  return 0;
}
