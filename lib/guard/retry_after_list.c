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

static bool take_string(struct guard_scan *s)
{
  if (!guard_scan_byte(s, '"'))
    return false;
  while (!guard_scan_done(s)) {
    int c = guard_scan_peek(s);

    s->p++;
    if (c == '"')
      return true;
    if (c == '\\' && !guard_scan_byte(s, '"') && !guard_scan_byte(s, '\\'))
      return false;
    if (c < 0x20 || c > 0x7e)
      return false;
  }
  return false;
}

/* A key or a token: enough of the grammar to find its end. */
static struct guard_scan take_word(struct guard_scan *s)
{
  struct guard_scan word = {s->p, s->p};

  while (guard_is_alnum(guard_scan_peek(s)) || guard_scan_peek(s) == '_' ||
         guard_scan_peek(s) == '-' || guard_scan_peek(s) == '.' ||
         guard_scan_peek(s) == '*')
    s->p++;
  word.end = s->p;
  return word;
}

/* A value that is neither r nor t: string, bytes, boolean, token, number. */
static bool skip_value(struct guard_scan *s)
{
  struct guard_scan word;

  if (guard_scan_peek(s) == '"')
    return take_string(s);
  if (guard_scan_byte(s, ':'))
    return guard_scan_past(s, ":");
  guard_scan_byte(s, '?');
  word = take_word(s);
  return !guard_scan_done(&word);
}

static bool take_parameter(struct guard_scan *s, struct limit *l)
{
  struct guard_scan key;
  int64_t number;
  bool is_r, is_t;

  guard_scan_blanks(s);
  key = take_word(s);
  if (guard_scan_done(&key))
    return false;
  is_r = guard_scan_left(&key) == 1 && *key.p == 'r';
  is_t = guard_scan_left(&key) == 1 && *key.p == 't';
  if (!guard_scan_byte(s, '='))
    return !is_r && !is_t; /* a bare key is true: fine for the others */
  if (!is_r && !is_t)
    return skip_value(s);
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
  if (!take_string(s))
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
