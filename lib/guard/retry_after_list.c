/*
 * RateLimit: a List of Strings with parameters (RFC 9651; draft-ietf-httpapi-
 * ratelimit-headers-10): "policy";r=remaining;t=seconds. A malformed field
 * must be ignored as a whole.
 */
#include "guard/hint.h"

struct limit {
  bool exhausted; /* r=0 */
  bool has_t;
  int64_t t_s;
};

static bool take_parameter(struct guard_scan *s, struct limit *l)
{
  struct guard_scan key;
  int64_t number;
  bool is_r, is_t;

  guard_scan_blanks(s);
  key = guard_scan_sf_word(s);
  if (guard_scan_done(&key))
    return false;
  is_r = guard_scan_left(&key) == 1 && *key.p == 'r';
  is_t = guard_scan_left(&key) == 1 && *key.p == 't';
  if (!guard_scan_byte(s, '='))
    return !is_r && !is_t; /* a bare key is true: fine for the others */
  if (!is_r && !is_t)
    return guard_scan_sf_value(s);
  if (!guard_scan_number(s, INT64_MAX, &number))
    return false;
  if (is_r)
    l->exhausted = number == 0;
  else
    *l = (struct limit){l->exhausted, true, number};
  return true;
}

static bool take_item(struct guard_scan *s, struct limit *ret)
{
  *ret = (struct limit){false, false, 0};
  if (!guard_scan_sf_string(s))
    return false;
  while (guard_scan_byte(s, ';'))
    if (!take_parameter(s, ret))
      return false;
  return true;
}

enum guard_hint guard_hint_ratelimit(struct guard_scan s, int64_t now_ms,
                                     struct guard_hint_value *ret)
{
  int64_t longest_s = -1;

  (void)now_ms;
  guard_scan_trim(&s);
  do {
    struct limit l;

    guard_scan_blanks(&s);
    if (!take_item(&s, &l))
      return GUARD_HINT_INVALID;
    if (l.exhausted && l.has_t && l.t_s > longest_s)
      longest_s = l.t_s;
    guard_scan_blanks(&s);
  } while (guard_scan_byte(&s, ','));
  if (!guard_scan_done(&s))
    return GUARD_HINT_INVALID;
  if (longest_s < 0)
    return GUARD_HINT_ABSENT; /* well formed, and no limit used up */
  *ret = (struct guard_hint_value){guard_mul_sat(longest_s, 1000), 0};
  return GUARD_HINT_WAIT;
}
