/* Which limit is the tightest, and how long to slow down for it. */
#include "guard/rate_rules.h"

int64_t guard_rate_scale(int64_t a, int64_t b, int64_t c, int64_t most)
{
  double scaled;
  int64_t whole;

  if (a <= 0 || b <= 0 || c <= 0 || most <= 0)
    return 0;
  if (b <= INT64_MAX / a) /* the exact way, nearly always */
    whole = a * b / c + (a * b % c ? 1 : 0);
  else {
    scaled = (double)a * (double)b / (double)c;
    if (scaled >= (double)most)
      return most;
    whole = (int64_t)scaled + 1;
  }
  return whole < most ? whole : most;
}

static bool has(const struct guard_rate *r, enum guard_rate_field field)
{
  return (r->seen & (1u << field)) != 0;
}

static bool is_status(const struct guard_rate *r, enum guard_rate_status status)
{
  return has(r, GUARD_RATE_STATUS) && r->value[GUARD_RATE_STATUS] == status;
}

/* -1: not told. Rounded up, so that 0 is really nothing. */
static int64_t left_ppm(const struct guard_rate *r)
{
  int64_t left = -1;

  if (is_status(r, GUARD_RATE_REJECTED))
    return 0;
  if (has(r, GUARD_RATE_UTILIZATION)) {
    int64_t used = r->value[GUARD_RATE_UTILIZATION];

    left = used < GUARD_RATE_WHOLE_PPM ? GUARD_RATE_WHOLE_PPM - used : 0;
  }
  if (has(r, GUARD_RATE_REMAINING) && r->value[GUARD_RATE_REMAINING] == 0)
    return 0;
  if (has(r, GUARD_RATE_REMAINING) && has(r, GUARD_RATE_QUOTA)) {
    int64_t share =
        guard_rate_scale(r->value[GUARD_RATE_REMAINING], GUARD_RATE_WHOLE_PPM,
                         r->value[GUARD_RATE_QUOTA], GUARD_RATE_WHOLE_PPM);

    if (left < 0 || share < left)
      left = share;
  }
  return left;
}

/* The wait for |units| at the speed at which a missing part comes back; the
 * whole reset when that speed is not told (remaining is rounded, or no limit
 * was sent). */
static int64_t refill_ms(const struct guard_rate *r, int64_t units)
{
  int64_t reset_ms = r->value[GUARD_RATE_RESET];
  int64_t missing = r->value[GUARD_RATE_QUOTA] - r->value[GUARD_RATE_REMAINING];

  if (!r->refills || !has(r, GUARD_RATE_QUOTA) || missing <= 0)
    return reset_ms;
  return guard_rate_scale(units, reset_ms, missing, reset_ms);
}

/* Few left: a window has to last until its reset, a refilling limit is used
 * no faster than it fills. */
static int64_t pace_ms(const struct guard_rate *r, int64_t cost)
{
  int64_t reset_ms = r->value[GUARD_RATE_RESET];

  if (r->refills && has(r, GUARD_RATE_QUOTA) &&
      r->value[GUARD_RATE_QUOTA] > r->value[GUARD_RATE_REMAINING])
    return refill_ms(r, cost);
  return guard_rate_scale(cost, reset_ms, r->value[GUARD_RATE_REMAINING],
                          reset_ms);
}

static struct guard_rate_advice
advise(const struct guard_rate *r, enum guard_rate_family family, int64_t cost)
{
  struct guard_rate_advice a = {family, false, left_ppm(r), 0};

  if (!has(r, GUARD_RATE_REMAINING)) {
    a.empty = a.left_ppm == 0;
    a.slow_ms =
        a.empty && has(r, GUARD_RATE_RESET) ? r->value[GUARD_RATE_RESET] : 0;
    return a;
  }
  a.empty = r->value[GUARD_RATE_REMAINING] < cost;
  if (!has(r, GUARD_RATE_RESET))
    return a;
  if (a.empty)
    a.slow_ms = refill_ms(r, cost - r->value[GUARD_RATE_REMAINING]);
  else if (a.left_ppm < GUARD_RATE_SLOW_PPM)
    a.slow_ms = pace_ms(r, cost);
  return a;
}

/* A call always costs one request; a family of tokens what was estimated, at
 * least one. */
static int64_t cost_of(enum guard_rate_family family,
                       const struct guard_rate_cost *cost)
{
  int64_t in = cost->input_tokens > 0 ? cost->input_tokens : 0;
  int64_t out = cost->output_tokens > 0 ? cost->output_tokens : 0;
  int64_t n = 1;

  if (family == GUARD_RATE_INPUT_TOKENS || family == GUARD_RATE_PRIORITY_INPUT)
    n = in;
  else if (family == GUARD_RATE_OUTPUT_TOKENS ||
           family == GUARD_RATE_PRIORITY_OUTPUT)
    n = out;
  else if (family == GUARD_RATE_TOKENS || family == GUARD_RATE_PROJECT_TOKENS)
    n = guard_add_sat(in, out);
  return n > 0 ? n : 1;
}

/* True when a used-up window does not stop the call: the subscription as a
 * whole is allowed, or what is paid beyond the windows carries it. */
static bool is_paid_beyond(const struct guard_rates *r)
{
  const struct guard_rate *whole = &r->family[GUARD_RATE_UNIFIED];

  if (!has(whole, GUARD_RATE_STATUS))
    whole = &r->family[GUARD_RATE_OVERAGE];
  return has(whole, GUARD_RATE_STATUS) &&
         !is_status(whole, GUARD_RATE_REJECTED);
}

/* Families that stop no call by themselves: overage (a window does), and
 * Priority Tier, beyond which the standard tier serves. */
static bool stops(const struct guard_rates *r, enum guard_rate_family f)
{
  if (f == GUARD_RATE_PRIORITY_INPUT || f == GUARD_RATE_PRIORITY_OUTPUT ||
      f == GUARD_RATE_OVERAGE)
    return false;
  if (f == GUARD_RATE_WINDOW_5H || f == GUARD_RATE_WINDOW_7D ||
      f == GUARD_RATE_WINDOW_MODEL)
    return left_ppm(&r->family[f]) != 0 || !is_paid_beyond(r);
  return true;
}

static bool is_worse(const struct guard_rate_advice *a,
                     const struct guard_rate_advice *b)
{
  if (a->empty != b->empty)
    return a->empty;
  if (a->slow_ms != b->slow_ms)
    return a->slow_ms > b->slow_ms;
  return a->left_ppm >= 0 && (b->left_ppm < 0 || a->left_ppm < b->left_ppm);
}

struct guard_rate_advice guard_rates_advise(const struct guard_rates *r,
                                            const struct guard_rate_cost *cost)
{
  struct guard_rate_advice worst = {GUARD_RATE_NFAMILIES, false, -1, 0};

  for (int i = 0; i < GUARD_RATE_NFAMILIES; i++) {
    enum guard_rate_family f = (enum guard_rate_family)i;
    struct guard_rate_advice a;

    if (!r->family[f].seen || !stops(r, f))
      continue;
    a = advise(&r->family[f], f, cost_of(f, cost));
    if (worst.family == GUARD_RATE_NFAMILIES || is_worse(&a, &worst))
      worst = a;
  }
  return worst;
}
