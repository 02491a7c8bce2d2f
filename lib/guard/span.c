#include "guard/hint.h"

enum { NS_PER_MS = 1000000, NS_PER_S = 1000000000 };

int64_t guard_add_sat(int64_t a, int64_t b)
{
  int64_t sum;

  return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

int64_t guard_mul_sat(int64_t a, int64_t b)
{
  int64_t product;

  return __builtin_mul_overflow(a, b, &product) ? INT64_MAX : product;
}

/* The fraction of one unit in ns, what is below one ns rounded up. */
static int64_t fraction_ns(const struct guard_decimal *d, int64_t unit_ns)
{
  int64_t ns, left;

  if (unit_ns >= NS_PER_S) /* an hour at most: the product fits */
    return d->nano * (unit_ns / NS_PER_S) + (d->more ? 1 : 0);
  ns = d->nano * unit_ns / NS_PER_S;
  left = d->nano * unit_ns % NS_PER_S;
  return ns + (left || d->more ? 1 : 0);
}

void guard_span_add(struct guard_span *span, const struct guard_decimal *d,
                    int64_t unit_ns)
{
  int64_t ns = fraction_ns(d, unit_ns) + span->ns;

  if (unit_ns >= NS_PER_MS) {
    int64_t ms = guard_mul_sat(d->whole, unit_ns / NS_PER_MS);

    span->ms = guard_add_sat(span->ms, ms);
  } else {
    int64_t per_ms = NS_PER_MS / unit_ns;

    span->ms = guard_add_sat(span->ms, d->whole / per_ms);
    ns += d->whole % per_ms * unit_ns;
  }
  span->ms = guard_add_sat(span->ms, ns / NS_PER_MS);
  span->ns = ns % NS_PER_MS;
}

int64_t guard_span_ms(const struct guard_span *span)
{
  return guard_add_sat(span->ms, span->ns > 0 ? 1 : 0);
}

enum guard_hint guard_hint_until_ms(int64_t epoch_ms, int64_t now_ms,
                                    struct guard_hint_value *ret)
{
  int64_t wait_ms = 0;

  if (epoch_ms > now_ms)
    wait_ms = now_ms < 0 && epoch_ms > INT64_MAX + now_ms ? INT64_MAX
                                                          : epoch_ms - now_ms;
  *ret = (struct guard_hint_value){wait_ms, 0};
  if (epoch_ms > 0)
    ret->reset_epoch_s = epoch_ms / 1000 + (epoch_ms % 1000 ? 1 : 0);
  return GUARD_HINT_WAIT;
}

enum guard_hint guard_hint_until_epoch(int64_t epoch, int64_t now_ms,
                                       struct guard_hint_value *ret)
{
  /* 1e11 s is the year 5138, 1e11 ms is 1973: no overlap in practice */
  const int64_t first_ms = INT64_C(100000000000);

  if (epoch < first_ms)
    epoch *= 1000;
  return guard_hint_until_ms(epoch, now_ms, ret);
}
