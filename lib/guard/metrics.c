#include "guard/metrics.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

/* log2 of GUARD_METRICS_PER_OCTAVE, and of the first duration that is beyond
 * the histogram. */
enum { OCTAVE_BITS = 3, LAST_BITS = 26 };

static int bucket_of(int64_t ms)
{
  int bits = OCTAVE_BITS;
  if (ms < GUARD_METRICS_PER_OCTAVE)
    return ms < 0 ? 0 : (int)ms;
  if (ms >> LAST_BITS)
    return GUARD_METRICS_BUCKETS - 1;
  while (ms >> (bits + 1))
    bits++;
  int in_octave = (int)(ms >> (bits - OCTAVE_BITS)) - GUARD_METRICS_PER_OCTAVE;
  return (bits - OCTAVE_BITS + 1) * GUARD_METRICS_PER_OCTAVE + in_octave;
}

/* The longest duration that falls into bucket |i|. */
static int64_t end_of(int i)
{
  int octave = i / GUARD_METRICS_PER_OCTAVE;
  int64_t in_octave = i % GUARD_METRICS_PER_OCTAVE;
  if (octave == 0)
    return i;
  return ((GUARD_METRICS_PER_OCTAVE + in_octave + 1) << (octave - 1)) - 1;
}

void guard_metrics_ended(struct guard_metrics *m, const struct guard_ended *e)
{
  int64_t ms = e->duration_ms > 0 ? e->duration_ms : 0;
  m->retried += e->retries > 0;
  m->recovered += e->retries > 0 && e->done;
  m->overruns += e->overran;
  if (e->retries > m->most_retries)
    m->most_retries = e->retries;
  if (ms > m->longest_ms)
    m->longest_ms = ms;
  m->duration_sum_ms +=
      ms < INT64_MAX - m->duration_sum_ms ? ms : INT64_MAX - m->duration_sum_ms;
  m->durations[bucket_of(ms)]++;
}

void guard_metrics_add(struct guard_metrics *to,
                       const struct guard_metrics *add)
{
#define COUNTER(field, name, help) to->field += add->field;
#define TIMER(field, name, help) to->field += add->field;
#include "guard/metrics.def"
#undef COUNTER
#undef TIMER
  if (add->most_retries > to->most_retries)
    to->most_retries = add->most_retries;
  if (add->longest_ms > to->longest_ms)
    to->longest_ms = add->longest_ms;
  to->duration_sum_ms += add->duration_sum_ms;
  for (int i = 0; i < GUARD_METRICS_BUCKETS; i++)
    to->durations[i] += add->durations[i];
}

static int64_t ended_calls(const struct guard_metrics *m, int nbuckets)
{
  int64_t n = 0;
  for (int i = 0; i < nbuckets; i++)
    n += m->durations[i];
  return n;
}

int64_t guard_metrics_quantile_ms(const struct guard_metrics *m, int permille)
{
  int64_t n = ended_calls(m, GUARD_METRICS_BUCKETS), seen = 0;
  /* nearest rank: the ceiling of n x permille / 1000, without overflow */
  int64_t rank = n / 1000 * permille + (n % 1000 * permille + 999) / 1000;
  int i = 0;
  if (n == 0)
    return 0;
  while (i < GUARD_METRICS_BUCKETS - 1 && (seen += m->durations[i]) < rank)
    i++;
  if (i == GUARD_METRICS_BUCKETS - 1 || end_of(i) > m->longest_ms)
    return m->longest_ms;
  return end_of(i);
}

int64_t guard_metrics_within(const struct guard_metrics *m, int exponent)
{
  /* the last bucket also holds what is longer than the histogram, so that
   * LAST_BITS itself has no exact count */
  assert(exponent >= OCTAVE_BITS && exponent < LAST_BITS);
  return ended_calls(m,
                     (exponent - OCTAVE_BITS + 1) * GUARD_METRICS_PER_OCTAVE);
}

/* |part| of |whole|, 0 when there is no whole. */
static double share(int64_t part, int64_t whole)
{
  return whole > 0 ? (double)part / (double)whole : 0;
}

static double s_of(int64_t ms)
{
  return (double)ms / 1000;
}

void guard_metrics_line(const struct guard_metrics *m, const char *label,
                        enum guard_breaker_state state, char *ret, size_t size)
{
  int64_t tenths =
      m->backoff_total_ms / 100 + (m->backoff_total_ms % 100 >= 50 ? 1 : 0);
  snprintf(
      ret, size,
      "rate_limit metrics label=%s state=%s hits=%" PRId64 " rejected=%" PRId64
      " opened=%" PRId64 " backoff_total=%" PRId64 ".%" PRId64
      "s calls=%" PRId64 " attempts=%" PRId64 " retries=%" PRId64
      " timeouts=%" PRId64 " done=%" PRId64 " degraded=%" PRId64
      " failed=%" PRId64 " limit_rate=%.3f retried=%" PRId64
      " recovered=%" PRId64 " recovery_rate=%.3f p95=%.3fs p99=%.3fs"
      " overruns=%" PRId64 " retries_mean=%.3f retries_max=%" PRId64
      " paced=%" PRId64 " paced_total=%.3fs throttled=%" PRId64,
      label, guard_breaker_state_name(state), m->hits, m->rejected, m->opened,
      tenths / 10, tenths % 10, m->calls, m->attempts, m->retries, m->timeouts,
      m->done, m->degraded, m->failed, share(m->hits, m->attempts), m->retried,
      m->recovered, share(m->recovered, m->retried),
      s_of(guard_metrics_quantile_ms(m, 950)),
      s_of(guard_metrics_quantile_ms(m, 990)), m->overruns,
      share(m->retries, m->calls), m->most_retries, m->paced,
      s_of(m->paced_total_ms), m->throttled);
}
