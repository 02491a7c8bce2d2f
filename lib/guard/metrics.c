#include "guard/metrics.h"

#include <inttypes.h>
#include <stdio.h>

void guard_metrics_add(struct guard_metrics *to,
                       const struct guard_metrics *add)
{
  to->hits += add->hits;
  to->rejected += add->rejected;
  to->opened += add->opened;
  to->backoff_total_ms += add->backoff_total_ms;
  to->calls += add->calls;
  to->attempts += add->attempts;
  to->retries += add->retries;
  to->timeouts += add->timeouts;
  to->done += add->done;
  to->degraded += add->degraded;
  to->failed += add->failed;
}

void guard_metrics_line(const struct guard_metrics *m, const char *label,
                        enum guard_breaker_state state, char *ret, size_t size)
{
  int64_t tenths =
      m->backoff_total_ms / 100 + (m->backoff_total_ms % 100 >= 50 ? 1 : 0);
  snprintf(ret, size,
           "rate_limit metrics label=%s state=%s hits=%" PRId64
           " rejected=%" PRId64 " opened=%" PRId64 " backoff_total=%" PRId64
           ".%" PRId64 "s calls=%" PRId64 " attempts=%" PRId64
           " retries=%" PRId64 " timeouts=%" PRId64 " done=%" PRId64
           " degraded=%" PRId64 " failed=%" PRId64,
           label, guard_breaker_state_name(state), m->hits, m->rejected,
           m->opened, tenths / 10, tenths % 10, m->calls, m->attempts,
           m->retries, m->timeouts, m->done, m->degraded, m->failed);
}
