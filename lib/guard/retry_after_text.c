/*
 * Hints in messages and CLI lines. A phrase counts at the beginning of a
 * word and with its value right behind it; "retry after refactoring 30
 * files" is no hint.
 */
#include "guard/hint_clock.h"

#include <string.h>

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

enum { NPHRASES = sizeof(phrases) / sizeof(phrases[0]) };

/* The first two letters of all phrases: bit (second letter & 31) of the word
 * at (first letter & 31). The five low bits are the same for both cases; what
 * else has them is found out by the comparison that follows. */
struct openings {
  uint32_t second[32];
};

struct places {
  struct guard_scan text;
  int64_t now_ms;
  struct openings openings;
};

static void openings_of(struct openings *ret)
{
  *ret = (struct openings){{0}};
  for (int i = 0; i < NPHRASES; i++)
    ret->second[phrases[i].words[0] & 31] |= UINT32_C(1)
                                             << (phrases[i].words[1] & 31);
}

/* The next place before |digit| where a phrase may stand, or |digit|. */
static const char *next_place(const struct openings *o, const char *p,
                              const char *digit)
{
  uint32_t wanted = 0; /* what may follow the letter before */

  for (; p < digit; p++) {
    unsigned letter = *p & 31;

    if (wanted >> letter & 1)
      return p - 1;
    wanted = o->second[letter];
  }
  return digit;
}

/* The best phrase before number |n| that stands at |s| and has a value; |n|
 * when there is none. */
static int read_phrases(struct guard_scan s, int n, int64_t now_ms,
                        struct guard_hint_value *ret)
{
  for (int i = 0; i < n; i++) {
    struct guard_scan rest = s;
    struct guard_hint_value value;

    if (guard_scan_fold(&rest, phrases[i].words) &&
        phrases[i].read(rest, now_ms, &value) == GUARD_HINT_WAIT) {
      *ret = value;
      return i;
    }
  }
  return n;
}

/* Searches from |from| up to |to|. */
static int read_places(const struct places *where, const char *from,
                       const char *to, int best, struct guard_hint_value *ret)
{
  struct guard_scan s = {from, where->text.end};

  while (best > 0) {
    s.p = next_place(&where->openings, s.p, to);
    if (s.p == to)
      break;
    if (s.p == where->text.p || !guard_is_alnum((unsigned char)s.p[-1]))
      best = read_phrases(s, best, where->now_ms, ret);
    s.p++;
  }
  return best;
}

/* Not 0 when one of the eight bytes is a digit: with the bits of '0' gone a
 * digit is below ten, and only then does the difference borrow. */
static uint64_t digits_in(const char *p)
{
  const uint64_t ones = UINT64_C(0x0101010101010101);
  uint64_t x;

  memcpy(&x, p, sizeof(x));
  x ^= ones * '0';
  return (x - ones * 10) & ~x & ones * 0x80;
}

/* The next digit, or the end. */
static const char *next_digit(const char *p, const char *end)
{
  while (end - p >= 32 && (digits_in(p) | digits_in(p + 8) | digits_in(p + 16) |
                           digits_in(p + 24)) == 0)
    p += 32;
  while (p < end && !guard_is_digit((unsigned char)*p))
    p++;
  return p;
}

/* Own choice: the value's first digit is at most so many bytes behind the
 * beginning of the phrase; words may stand before a bar (form_pipe). */
enum { NEAR = 32, NEAR_BAR = 256 };

/* Every value has a digit, and most texts have few. Of two phrases the better
 * one counts, of one phrase its first value: each find leaves only the better
 * ones to look for. */
enum guard_hint guard_hint_text(struct guard_scan s, int64_t now_ms,
                                struct guard_hint_value *ret)
{
  struct places where = {.text = s, .now_ms = now_ms};
  bool bar = memchr(s.p, '|', guard_scan_left(&s)) != NULL;
  const ptrdiff_t near = bar ? NEAR_BAR : NEAR;
  const char *digit = next_digit(s.p, s.end);
  int best = NPHRASES;

  if (digit < s.end)
    openings_of(&where.openings);
  while (best > 0 && digit < s.end) {
    if (digit - s.p > near)
      s.p = digit - near;
    best = read_places(&where, s.p, digit, best, ret);
    while (digit < s.end && guard_is_digit((unsigned char)*digit))
      digit++;
    s.p = digit;
    digit = next_digit(digit, s.end);
  }
  return best < NPHRASES ? GUARD_HINT_WAIT : GUARD_HINT_ABSENT;
}
