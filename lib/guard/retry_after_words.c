/* Durations in words and letters, as messages write them. */
#include "guard/hint_clock.h"

#define NS_PER_S INT64_C(1000000000)

struct unit {
  const char *name;
  int64_t ns; /* of one, or 0: a day, which is 24 hours */
};

static const struct unit units[] = {
    {"milliseconds", 1000000},
    {"millisecond", 1000000},
    {"ms", 1000000},
    {"seconds", NS_PER_S},
    {"second", NS_PER_S},
    {"secs", NS_PER_S},
    {"sec", NS_PER_S},
    {"s", NS_PER_S},
    {"minutes", 60 * NS_PER_S},
    {"minute", 60 * NS_PER_S},
    {"mins", 60 * NS_PER_S},
    {"min", 60 * NS_PER_S},
    {"m", 60 * NS_PER_S},
    {"hours", 3600 * NS_PER_S},
    {"hour", 3600 * NS_PER_S},
    {"hrs", 3600 * NS_PER_S},
    {"hr", 3600 * NS_PER_S},
    {"h", 3600 * NS_PER_S},
    {"days", 0},
    {"day", 0},
    {"d", 0},
    {"us", 1000},
    {"ns", 1},
};

/* A unit ends where its letters end: "30 seconds" yes, "30 servers" no. */
static const struct unit *take_unit(struct guard_scan *s)
{
  for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
    struct guard_scan at = *s;

    if (guard_scan_fold(&at, units[i].name) &&
        !guard_is_alpha(guard_scan_peek(&at))) {
      *s = at;
      return &units[i];
    }
  }
  return NULL;
}

static bool take_part(struct guard_scan *s, struct guard_span *span)
{
  struct guard_scan at = *s;
  struct guard_decimal d;
  const struct unit *unit;

  if (!guard_scan_decimal(&at, &d))
    return false;
  guard_scan_blanks(&at);
  unit = take_unit(&at);
  if (!unit)
    return false;
  if (unit->ns == 0)
    d.whole = guard_mul_sat(d.whole, 24);
  guard_span_add(span, &d, unit->ns ? unit->ns : 3600 * NS_PER_S);
  *s = at;
  return true;
}

enum guard_hint guard_hint_words(struct guard_scan s, int64_t now_ms,
                                 struct guard_hint_value *ret)
{
  struct guard_span span = {0, 0};

  (void)now_ms;
  guard_scan_blanks(&s);
  if (!take_part(&s, &span))
    return GUARD_HINT_INVALID;
  for (;;) {
    struct guard_scan at = s;

    guard_scan_byte(&at, ',');
    guard_scan_blanks(&at);
    if (guard_scan_fold(&at, "and "))
      guard_scan_blanks(&at);
    if (!take_part(&at, &span))
      break;
    s = at;
  }
  *ret = (struct guard_hint_value){guard_span_ms(&span), 0};
  return GUARD_HINT_WAIT;
}
