/* Plain numbers: seconds, milliseconds, epochs. */
#include "guard/hint.h"

enum { NS_PER_MS = 1000000, NS_PER_S = 1000000000 };

static enum guard_hint decimal(struct guard_scan s, int64_t unit_ns,
                               struct guard_hint_value *ret)
{
  struct guard_decimal d;
  struct guard_span span = {0, 0};

  guard_scan_trim(&s);
  if (!guard_scan_decimal(&s, &d) || !guard_scan_done(&s))
    return GUARD_HINT_INVALID;
  guard_span_add(&span, &d, unit_ns);
  *ret = (struct guard_hint_value){guard_span_ms(&span), 0};
  return GUARD_HINT_WAIT;
}

enum guard_hint guard_hint_seconds(struct guard_scan s, int64_t now_ms,
                                   struct guard_hint_value *ret)
{
  (void)now_ms;
  return decimal(s, NS_PER_S, ret);
}

/* RFC 9110 10.2.3. A fraction is not in the grammar; every SDK accepts it. */
enum guard_hint guard_hint_delay(struct guard_scan s, int64_t now_ms,
                                 struct guard_hint_value *ret)
{
  enum guard_hint hint = decimal(s, NS_PER_S, ret);

  return hint == GUARD_HINT_WAIT ? hint : guard_hint_http_date(s, now_ms, ret);
}

enum guard_hint guard_hint_ms(struct guard_scan s, int64_t now_ms,
                              struct guard_hint_value *ret)
{
  (void)now_ms;
  return decimal(s, NS_PER_MS, ret);
}

/* botocore retries/standard.py reads it with int(). */
enum guard_hint guard_hint_ms_integer(struct guard_scan s, int64_t now_ms,
                                      struct guard_hint_value *ret)
{
  int64_t ms;

  (void)now_ms;
  guard_scan_trim(&s);
  if (!guard_scan_number(&s, INT64_MAX, &ms) || !guard_scan_done(&s))
    return GUARD_HINT_INVALID;
  *ret = (struct guard_hint_value){ms, 0};
  return GUARD_HINT_WAIT;
}

/* grpc/proposal A6: an int32 without superfluous zeros; all else forbids the
 * retry. */
enum guard_hint guard_hint_pushback(struct guard_scan s, int64_t now_ms,
                                    struct guard_hint_value *ret)
{
  int64_t ms;
  bool zero;

  (void)now_ms;
  guard_scan_trim(&s);
  zero = guard_scan_peek(&s) == '0' && guard_scan_left(&s) > 1;
  if (zero || !guard_scan_number(&s, INT64_MAX, &ms) || !guard_scan_done(&s) ||
      ms > INT32_MAX)
    return GUARD_HINT_STOP;
  *ret = (struct guard_hint_value){ms, 0};
  return GUARD_HINT_WAIT;
}

enum guard_hint guard_hint_epoch(struct guard_scan s, int64_t now_ms,
                                 struct guard_hint_value *ret)
{
  struct guard_decimal d;
  struct guard_span span = {0, 0};
  /* far above any date, far below an overflow of the product */
  const int64_t max = INT64_C(1000000000000000);

  guard_scan_trim(&s);
  if (!guard_scan_decimal(&s, &d) || !guard_scan_done(&s))
    return GUARD_HINT_INVALID;
  if (d.whole > max)
    d.whole = max;
  if (!d.has_fraction)
    return guard_hint_until_epoch(d.whole, now_ms, ret);
  guard_span_add(&span, &d, NS_PER_S);
  return guard_hint_until_ms(guard_span_ms(&span), now_ms, ret);
}

/* x-ratelimit-reset: epoch ms (OpenRouter), epoch s (GitHub) or seconds
 * (Together). */
enum guard_hint guard_hint_reset(struct guard_scan s, int64_t now_ms,
                                 struct guard_hint_value *ret)
{
  const int64_t ten_years_ms = INT64_C(315360000000);
  struct guard_hint_value v;

  if (decimal(s, NS_PER_S, &v) == GUARD_HINT_WAIT && v.wait_ms < ten_years_ms) {
    *ret = v;
    return GUARD_HINT_WAIT;
  }
  return guard_hint_epoch(s, now_ms, ret);
}
