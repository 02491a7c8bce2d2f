/*
 * Hints in messages and CLI lines. A phrase counts at the beginning of a
 * word and with its value right behind it; "retry after refactoring 30
 * files" is no hint.
 */
#include "guard/hint_clock.h"

static enum guard_hint form_words(struct guard_scan s, int64_t now_ms,
                                  struct guard_hint_value *ret)
{
  return guard_hint_words(s, now_ms, ret);
}

static enum guard_hint form_clock(struct guard_scan s, int64_t now_ms,
                                  struct guard_hint_value *ret)
{
  return guard_hint_clock(s, now_ms, ret);
}

static enum guard_hint form_field_ms(struct guard_scan s, int64_t now_ms,
                                     struct guard_hint_value *ret)
{
  struct guard_decimal d;

  (void)now_ms;
  guard_scan_blanks(&s);
  if (!guard_scan_decimal(&s, &d) || guard_is_alpha(guard_scan_peek(&s)))
    return GUARD_HINT_INVALID;
  *ret = (struct guard_hint_value){d.whole, 0};
  return GUARD_HINT_WAIT;
}

/* A header's value: seconds, unless a unit follows. */
static enum guard_hint form_field_s(struct guard_scan s, int64_t now_ms,
                                    struct guard_hint_value *ret)
{
  struct guard_decimal d;
  struct guard_span span = {0, 0};

  if (guard_hint_words(s, now_ms, ret) == GUARD_HINT_WAIT)
    return GUARD_HINT_WAIT;
  guard_scan_blanks(&s);
  if (!guard_scan_decimal(&s, &d) || guard_is_alpha(guard_scan_peek(&s)))
    return GUARD_HINT_INVALID;
  guard_span_add(&span, &d, INT64_C(1000000000));
  *ret = (struct guard_hint_value){guard_span_ms(&span), 0};
  return GUARD_HINT_WAIT;
}

/* retryDelay": "26s", also with single quotes or escaped. */
static enum guard_hint form_quoted(struct guard_scan s, int64_t now_ms,
                                   struct guard_hint_value *ret)
{
  for (int c = guard_scan_peek(&s);
       c == '"' || c == '\'' || c == '\\' || c == ':' || c == ' ';
       c = guard_scan_peek(&s))
    s.p++;
  return guard_hint_words(s, now_ms, ret);
}

/* "Claude AI usage limit reached|1764558420"; people edit the words before
 * the bar. 0 was printed for "unknown". */
static enum guard_hint form_pipe(struct guard_scan s, int64_t now_ms,
                                 struct guard_hint_value *ret)
{
  const int64_t max = INT64_C(1000000000000000);
  const size_t longest = 200; /* words before the bar: bounded work */
  int64_t epoch;

  if (guard_scan_left(&s) > longest)
    s.end = s.p + longest;
  while (!guard_scan_done(&s) && *s.p != '|' && *s.p != '\n')
    s.p++;
  if (!guard_scan_byte(&s, '|') || !guard_scan_number(&s, max, &epoch) ||
      epoch == 0)
    return GUARD_HINT_INVALID;
  return guard_hint_until_epoch(epoch, now_ms, ret);
}

/* "retry attempt 5 in 2.0 seconds" */
static enum guard_hint form_attempt(struct guard_scan s, int64_t now_ms,
                                    struct guard_hint_value *ret)
{
  int64_t attempt;

  guard_scan_blanks(&s);
  if (!guard_scan_number(&s, INT64_MAX, &attempt) ||
      !guard_scan_lit(&s, " in "))
    return GUARD_HINT_INVALID;
  return guard_hint_words(s, now_ms, ret);
}

struct phrase {
  const char *words;
  guard_hint_reader *read;
};

static const struct phrase phrases[] = {
#define PHRASE(words, form) {words, form_##form},
#include "guard/phrases.def"
#undef PHRASE
};

static enum guard_hint find(const struct phrase *phrase, struct guard_scan text,
                            int64_t now_ms, struct guard_hint_value *ret)
{
  struct guard_scan s = text;

  while (guard_scan_past(&s, phrase->words)) {
    struct guard_scan word = guard_scan_str(phrase->words);
    const char *start = s.p - guard_scan_left(&word);

    if (start > text.p && guard_is_alnum((unsigned char)start[-1]))
      continue;
    if (phrase->read(s, now_ms, ret) == GUARD_HINT_WAIT)
      return GUARD_HINT_WAIT;
  }
  return GUARD_HINT_ABSENT;
}

enum guard_hint guard_hint_text(struct guard_scan s, int64_t now_ms,
                                struct guard_hint_value *ret)
{
  for (size_t i = 0; i < sizeof(phrases) / sizeof(phrases[0]); i++)
    if (find(&phrases[i], s, now_ms, ret) == GUARD_HINT_WAIT)
      return GUARD_HINT_WAIT;
  return GUARD_HINT_ABSENT;
}
