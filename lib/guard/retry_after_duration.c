/* Go's time.ParseDuration and the JSON form of google.protobuf.Duration. */
#include "guard/hint.h"

#define NS_PER_S INT64_C(1000000000)

static bool take_unit(struct guard_scan *s, int64_t *ret_ns)
{
  static const struct {
    const char *name;
    int64_t ns;
  } units[] = {
      {"ns", 1},
      {"us", 1000},
      {"\xc2\xb5s", 1000}, /* MICRO SIGN */
      {"\xce\xbcs", 1000}, /* GREEK SMALL LETTER MU */
      {"ms", 1000000},
      {"s", NS_PER_S},
      {"m", 60 * NS_PER_S},
      {"h", 3600 * NS_PER_S},
  };

  for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
    if (guard_scan_lit(s, units[i].name)) {
      *ret_ns = units[i].ns;
      return true;
    }
  return false;
}

/* Go takes ".5" and "5." as well; a lone point is no number. */
static bool take_go_number(struct guard_scan *s, struct guard_decimal *ret)
{
  char digits[12] = "0."; /* a fraction of nine digits and one more */
  size_t n = 2;
  struct guard_scan fraction;

  if (guard_scan_decimal(s, ret)) {
    guard_scan_byte(s, '.');
    return true;
  }
  if (!guard_scan_byte(s, '.'))
    return false;
  for (; guard_is_digit(guard_scan_peek(s)); s->p++)
    if (n < sizeof(digits))
      digits[n++] = *s->p;
  fraction = guard_scan_of(digits, n);
  return guard_scan_decimal(&fraction, ret) && ret->has_fraction;
}

static enum guard_hint go_duration(struct guard_scan s,
                                   struct guard_hint_value *ret)
{
  struct guard_span span = {0, 0};

  if (guard_scan_done(&s))
    return GUARD_HINT_INVALID;
  while (!guard_scan_done(&s)) {
    struct guard_decimal d;
    int64_t unit_ns;

    if (!take_go_number(&s, &d) || !take_unit(&s, &unit_ns))
      return GUARD_HINT_INVALID;
    guard_span_add(&span, &d, unit_ns);
  }
  *ret = (struct guard_hint_value){guard_span_ms(&span), 0};
  return GUARD_HINT_WAIT;
}

enum guard_hint guard_hint_go(struct guard_scan s, int64_t now_ms,
                              struct guard_hint_value *ret)
{
  enum guard_hint hint;

  guard_scan_trim(&s);
  if (guard_scan_left(&s) == 1 && guard_scan_byte(&s, '0')) {
    *ret = (struct guard_hint_value){0, 0}; /* the one unitless duration */
    return GUARD_HINT_WAIT;
  }
  hint = go_duration(s, ret);
  return hint == GUARD_HINT_WAIT ? hint : guard_hint_rfc3339(s, now_ms, ret);
}

/* gemini-cli googleQuotaErrors.ts accepts "ms" beside "s". */
enum guard_hint guard_hint_protobuf(struct guard_scan s, int64_t now_ms,
                                    struct guard_hint_value *ret)
{
  struct guard_decimal d;
  struct guard_span span = {0, 0};
  int64_t unit_ns;

  (void)now_ms;
  guard_scan_trim(&s);
  if (!guard_scan_decimal(&s, &d))
    return GUARD_HINT_INVALID;
  unit_ns = guard_scan_lit(&s, "ms") ? NS_PER_S / 1000 : NS_PER_S;
  if (unit_ns == NS_PER_S && !guard_scan_byte(&s, 's'))
    return GUARD_HINT_INVALID;
  if (!guard_scan_done(&s))
    return GUARD_HINT_INVALID;
  guard_span_add(&span, &d, unit_ns);
  *ret = (struct guard_hint_value){guard_span_ms(&span), 0};
  return GUARD_HINT_WAIT;
}
