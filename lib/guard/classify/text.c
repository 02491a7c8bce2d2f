#include "guard/classify/text.h"

#include <stdlib.h>
#include <string.h>

/* Longest literal that is translated: an error body is far smaller. */
enum { MAX_LITERAL_BYTES = 64 * 1024 };

static const struct {
  const char *from, *to;
} spellings[] = {
    {"\xe2\x88\x99", "*"},   /* U+2219 */
    {"\xc2\xb7", "*"},       /* U+00B7 */
    {"\xe2\x80\xa2", "*"},   /* U+2022 */
    {"\xe2\x80\x99", "'"},   /* U+2019 */
    {"\xe2\x80\x98", "'"},   /* U+2018 */
    {"\xe2\x80\xa6", "..."}, /* U+2026 */
    {"\xe2\x80\x93", "-"},   /* U+2013 */
    {"\xe2\x80\x94", "-"},   /* U+2014 */
    {"\xc2\xa0", " "},       /* U+00A0 */
    {"\xe2\x80\xaf", " "},   /* U+202F, in times of day of newer ICU */
    {"\r\n", "\n"},          {"\r", " "},
};

/* What a spelling above, or a NUL, begins with. */
static const char starts[] = {'\0', '\r', '\xc2', '\xe2'};

enum {
  NSPELLINGS = sizeof(spellings) / sizeof(spellings[0]),
  NSTARTS = sizeof(starts)
};

/* Where each of them comes next. Most texts have none, which memchr() tells
 * many bytes at a time. */
struct nearest {
  const char *at[NSTARTS];
};

/* The first of them from |s| on, or the end; looks anew only for those that
 * were passed. */
static const char *next_start(struct nearest *near, const struct guard_scan *s)
{
  const char *first = s->end;

  for (int i = 0; i < NSTARTS; i++) {
    if (near->at[i] < s->p) {
      near->at[i] = memchr(s->p, starts[i], guard_scan_left(s));
      if (!near->at[i])
        near->at[i] = s->end;
    }
    if (near->at[i] < first)
      first = near->at[i];
  }
  return first;
}

/* One spelling, or one byte as it is. */
static char *put_spelling(struct guard_scan *s, char *to)
{
  const char *text;

  for (int i = 0; i < NSPELLINGS; i++)
    if (guard_scan_lit(s, spellings[i].from)) {
      for (text = spellings[i].to; *text; text++)
        *to++ = *text;
      return to;
    }
  *to = *s->p ? *s->p : ' ';
  s->p++;
  return to + 1;
}

char *guard_text_normal(const char *p, size_t n)
{
  struct guard_scan s = guard_scan_of(p, n);
  struct nearest near = {{NULL}};
  char *text = malloc(n + 1);
  char *to = text;

  if (!text)
    return NULL;
  while (!guard_scan_done(&s)) {
    size_t plain = (size_t)(next_start(&near, &s) - s.p);

    memcpy(to, s.p, plain);
    to += plain;
    s.p += plain;
    if (!guard_scan_done(&s))
      to = put_spelling(&s, to);
  }
  *to = '\0';
  return text;
}

struct out {
  char *p;
  size_t n, cap;
};

static void put(struct out *o, const char *p, size_t n)
{
  if (n <= o->cap - o->n)
    memcpy(o->p + o->n, p, n);
  else
    n = o->cap - o->n;
  o->n += n;
}

/* One quoted string; the quote becomes a double one. */
static bool put_string(struct guard_scan *s, struct out *o)
{
  char quote = *s->p++;

  put(o, "\"", 1);
  while (!guard_scan_done(s) && *s->p != quote) {
    char c = *s->p++;

    if (c == '\\' && guard_scan_byte(s, '\''))
      put(o, "'", 1);
    else if (c == '\\' && !guard_scan_done(s))
      put(o, (char[]){c, *s->p++}, 2);
    else if (c == '"')
      put(o, "\\\"", 2);
    else
      put(o, &c, 1);
  }
  put(o, "\"", 1);
  return guard_scan_byte(s, quote);
}

static void put_other(struct guard_scan *s, struct out *o)
{
  if (guard_scan_lit(s, "None")) {
    put(o, "null", 4);
  } else if (guard_scan_lit(s, "True")) {
    put(o, "true", 4);
  } else if (guard_scan_lit(s, "False")) {
    put(o, "false", 5);
  } else {
    put(o, s->p, 1);
    s->p++;
  }
}

/* Python's repr of a dict as JSON; stops behind its closing bracket. */
static bool translate(struct guard_scan s, struct out *o)
{
  int open = 0;

  do {
    int c = guard_scan_peek(&s);

    if (c < 0)
      return false;
    if (c == '\'' || c == '"') {
      if (!put_string(&s, o))
        return false;
      continue;
    }
    open += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
    put_other(&s, o);
  } while (open > 0);
  return true;
}

char *guard_text_json(struct guard_scan s)
{
  struct out o;
  int c;

  guard_scan_blanks(&s);
  c = guard_scan_peek(&s);
  if (c != '{' && c != '[')
    return NULL;
  if (guard_scan_left(&s) > MAX_LITERAL_BYTES)
    s.end = s.p + MAX_LITERAL_BYTES;
  /* at most twice as long: each double quote gets a backslash */
  o = (struct out){NULL, 0, 2 * guard_scan_left(&s) + 16};
  o.p = malloc(o.cap + 1);
  if (!o.p)
    return NULL;
  if (!translate(s, &o)) {
    free(o.p);
    return NULL;
  }
  o.p[o.n] = '\0';
  return o.p;
}
