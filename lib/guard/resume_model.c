/*
 * Which Claude a model's name means: "claude-sonnet-4-5-20250929",
 * "claude-3-5-haiku-latest", "us.anthropic.claude-opus-4-1-20250805-v1:0",
 * "claude-opus-4-5@20251101", "claude-2.1". The first number is the version,
 * a second one of at most two digits its part; longer numbers are dates.
 */
#include "guard/resume_rules.h"

/* The last generation that can be prefilled: 4.5 (Claude API documentation,
 * "Streaming messages", Error recovery). */
enum { LAST_MAJOR = 4, LAST_MINOR = 5 };

/* At most two digits. */
static bool take_part(struct guard_scan *s, int64_t *ret)
{
  struct guard_scan at = *s;
  int64_t n;

  if (!guard_scan_number(&at, INT64_MAX, &n) || at.p - s->p > 2)
    return false;
  *s = at;
  *ret = n;
  return true;
}

/* Moves to the first word of digits. */
static bool find_number(struct guard_scan *s)
{
  while (!guard_scan_done(s)) {
    if (guard_is_digit(guard_scan_peek(s)))
      return true;
    while (guard_is_alpha(guard_scan_peek(s)))
      s->p++;
    if (!guard_scan_byte(s, '-'))
      return false;
  }
  return false;
}

bool guard_model_takes_prefill(const char *model)
{
  struct guard_scan s = guard_scan_str(model);
  int64_t major, minor = 0;

  if (!guard_scan_past(&s, "claude-") || !find_number(&s) ||
      !take_part(&s, &major))
    return false;
  if (guard_scan_byte(&s, '-') || guard_scan_byte(&s, '.'))
    take_part(&s, &minor);
  return major < LAST_MAJOR || (major == LAST_MAJOR && minor <= LAST_MINOR);
}
