/*
 * scan.h - a cursor over bytes with an end, for readers of untrusted text;
 * inside lib/guard only.
 *
 * Rule: nothing is read past the end, a NUL is a byte like any other, every
 * number has a maximum it saturates at. A function that returns false has
 * not moved the cursor. The style is curl's lib/curlx/strparse.c.
 */
#ifndef GUARD_SCAN_H
#define GUARD_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct guard_scan {
  const char *p;
  const char *end;
};

/* A plain decimal: DIGIT+ with an optional fraction. */
struct guard_decimal {
  int64_t whole; /* saturates at INT64_MAX */
  int64_t nano;  /* fraction in 1e-9, 0..999999999 */
  bool more;     /* a digit behind the ninth was not zero */
  bool has_fraction;
};

/* What is called for every byte is inline: a header's value has few bytes,
 * and a call costs as much as reading one. */

static inline bool guard_is_digit(int c)
{
  return c >= '0' && c <= '9';
}

static inline bool guard_is_alpha(int c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static inline bool guard_is_alnum(int c)
{
  return guard_is_digit(c) || guard_is_alpha(c);
}

/* ASCII only: tolower() would ask the locale. */
static inline int guard_lower(int c)
{
  return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

static inline struct guard_scan guard_scan_of(const char *p, size_t n)
{
  return p ? (struct guard_scan){p, p + n} : (struct guard_scan){"", ""};
}

/* Of a NUL-terminated text; NULL is empty. */
struct guard_scan guard_scan_str(const char *text);

static inline size_t guard_scan_left(const struct guard_scan *s)
{
  return (size_t)(s->end - s->p);
}

static inline bool guard_scan_done(const struct guard_scan *s)
{
  return s->p == s->end;
}

/* The next byte as 0..255, or -1 at the end. */
static inline int guard_scan_peek(const struct guard_scan *s)
{
  return s->p < s->end ? (unsigned char)*s->p : -1;
}

/* Takes one byte when it is `c`. */
static inline bool guard_scan_byte(struct guard_scan *s, char c)
{
  if (s->p == s->end || *s->p != c)
    return false;
  s->p++;
  return true;
}

/* Behind the first byte of a literal; see below. */
bool guard_scan_lit_rest(struct guard_scan *s, const char *lit);
bool guard_scan_fold_rest(struct guard_scan *s, const char *lit);

/* Takes the literal, which is not empty; the second folds ASCII letters. Most
 * are not there, which their first byte tells. */
static inline bool guard_scan_lit(struct guard_scan *s, const char *lit)
{
  return guard_scan_peek(s) == (unsigned char)*lit &&
         guard_scan_lit_rest(s, lit);
}

static inline bool guard_scan_fold(struct guard_scan *s, const char *lit)
{
  return guard_lower(guard_scan_peek(s)) == guard_lower((unsigned char)*lit) &&
         guard_scan_fold_rest(s, lit);
}

/* Skips SP and HTAB. */
void guard_scan_blanks(struct guard_scan *s);
/* Drops SP and HTAB on both sides: OWS of RFC 9110 5.6.3. */
void guard_scan_trim(struct guard_scan *s);

/* Exactly `n` digits, 1..9, a digit behind them is allowed. */
bool guard_scan_fixed(struct guard_scan *s, int n, int *ret);
/* 1*DIGIT; larger values give `max`. */
bool guard_scan_number(struct guard_scan *s, int64_t max, int64_t *ret);
/* DIGIT+ [ "." DIGIT+ ]; a point without a digit behind it stays. */
bool guard_scan_decimal(struct guard_scan *s, struct guard_decimal *ret);

/* Moves behind the first `needle` (ASCII letters fold). */
bool guard_scan_past(struct guard_scan *s, const char *needle);
/* As above, without moving. */
bool guard_scan_has(struct guard_scan s, const char *needle);
/* Takes the bytes up to LF (which is skipped) or the end; false at the end. */
bool guard_scan_line(struct guard_scan *s, struct guard_scan *ret);

/* Structured fields (RFC 8941), as far as their ends must be found: a string
 * in quotes; a key, token or number; any value. False when it is none. */
bool guard_scan_sf_string(struct guard_scan *s);
struct guard_scan guard_scan_sf_word(struct guard_scan *s);
bool guard_scan_sf_value(struct guard_scan *s);

#endif
