#include "guard/scan.h"

#include <string.h>

struct guard_scan guard_scan_str(const char *text)
{
  return guard_scan_of(text, text ? strlen(text) : 0);
}

bool guard_scan_lit_rest(struct guard_scan *s, const char *lit)
{
  const char *p = s->p + 1;

  for (lit++; *lit; lit++, p++)
    if (p == s->end || *p != *lit)
      return false;
  s->p = p;
  return true;
}

bool guard_scan_fold_rest(struct guard_scan *s, const char *lit)
{
  const char *p = s->p + 1;

  for (lit++; *lit; lit++, p++)
    if (p == s->end ||
        guard_lower((unsigned char)*p) != guard_lower((unsigned char)*lit))
      return false;
  s->p = p;
  return true;
}

static bool is_blank(char c)
{
  return c == ' ' || c == '\t';
}

void guard_scan_blanks(struct guard_scan *s)
{
  while (s->p < s->end && is_blank(*s->p))
    s->p++;
}

void guard_scan_trim(struct guard_scan *s)
{
  guard_scan_blanks(s);
  while (s->end > s->p && is_blank(s->end[-1]))
    s->end--;
}

bool guard_scan_fixed(struct guard_scan *s, int n, int *ret)
{
  int value = 0;

  if (guard_scan_left(s) < (size_t)n)
    return false;
  for (int i = 0; i < n; i++) {
    if (!guard_is_digit((unsigned char)s->p[i]))
      return false;
    value = value * 10 + (s->p[i] - '0');
  }
  s->p += n;
  *ret = value;
  return true;
}

bool guard_scan_number(struct guard_scan *s, int64_t max, int64_t *ret)
{
  int64_t value = 0;

  if (!guard_is_digit(guard_scan_peek(s)))
    return false;
  for (; guard_is_digit(guard_scan_peek(s)); s->p++)
    if (__builtin_mul_overflow(value, 10, &value) ||
        __builtin_add_overflow(value, *s->p - '0', &value))
      value = INT64_MAX;
  *ret = value < max ? value : max;
  return true;
}

static void take_fraction(struct guard_scan *s, struct guard_decimal *d)
{
  int64_t weight = 100000000; /* of the first digit, in 1e-9 */

  d->has_fraction = true;
  for (; guard_is_digit(guard_scan_peek(s)); s->p++) {
    int digit = *s->p - '0';

    if (weight == 0)
      d->more = d->more || digit != 0;
    d->nano += digit * weight;
    weight /= 10;
  }
}

bool guard_scan_decimal(struct guard_scan *s, struct guard_decimal *ret)
{
  struct guard_decimal d = {0, 0, false, false};

  if (!guard_scan_number(s, INT64_MAX, &d.whole))
    return false;
  if (guard_scan_left(s) >= 2 && s->p[0] == '.' &&
      guard_is_digit((unsigned char)s->p[1])) {
    s->p++;
    take_fraction(s, &d);
  }
  *ret = d;
  return true;
}

bool guard_scan_past(struct guard_scan *s, const char *needle)
{
  int first = guard_lower((unsigned char)needle[0]);

  for (struct guard_scan at = *s; !guard_scan_done(&at); at.p++)
    if (guard_lower((unsigned char)*at.p) == first &&
        guard_scan_fold(&at, needle)) {
      s->p = at.p;
      return true;
    }
  return false;
}

bool guard_scan_has(struct guard_scan s, const char *needle)
{
  return guard_scan_past(&s, needle);
}

bool guard_scan_line(struct guard_scan *s, struct guard_scan *ret)
{
  const char *lf;

  if (guard_scan_done(s))
    return false;
  lf = memchr(s->p, '\n', guard_scan_left(s));
  *ret = (struct guard_scan){s->p, lf ? lf : s->end};
  s->p = lf ? lf + 1 : s->end;
  return true;
}

bool guard_scan_sf_string(struct guard_scan *s)
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

/* A key, a token or a number: enough of the grammar to find its end. */
struct guard_scan guard_scan_sf_word(struct guard_scan *s)
{
  struct guard_scan word = {s->p, s->p};

  while (guard_scan_peek(s) > 0 && (guard_is_alnum(guard_scan_peek(s)) ||
                                    strchr("_-.*", guard_scan_peek(s))))
    s->p++;
  word.end = s->p;
  return word;
}

bool guard_scan_sf_value(struct guard_scan *s)
{
  struct guard_scan word;

  if (guard_scan_peek(s) == '"')
    return guard_scan_sf_string(s);
  if (guard_scan_byte(s, ':')) /* bytes in base64 */
    return guard_scan_past(s, ":");
  guard_scan_byte(s, '?'); /* a boolean */
  word = guard_scan_sf_word(s);
  return !guard_scan_done(&word);
}
