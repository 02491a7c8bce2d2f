#include "mutants/generate/scanner.h"

#include <ctype.h>
#include <string.h>

/* Letters that may stand before a quote. */
static const char *const PYTHON_PREFIXES[] = {
    "r",  "b",  "f",  "u",  "R",  "B",  "F",  "U",  "br",
    "Br", "bR", "BR", "rb", "rB", "Rb", "RB", "fr", "Fr",
    "fR", "FR", "rf", "rF", "Rf", "RF", "t",  NULL};
static const char *const RUST_PREFIXES[] = {"r", "b", "c", "br", "cr", NULL};
static const char *const C_PREFIXES[] = {"L", "u", "U", "u8", NULL};

static bool prefix_of(const struct scanner *s, struct bytes prefix)
{
  static const char *const none[] = {NULL};
  const char *const *list = s->l->id == LANGUAGE_PYTHON ? PYTHON_PREFIXES
                            : s->l->id == LANGUAGE_RUST ? RUST_PREFIXES
                            : s->l->id == LANGUAGE_C    ? C_PREFIXES
                                                        : none;
  for (; *list; list++)
    if (bytes_equal(prefix, bytes_of(*list)))
      return true;
  return prefix.n == 0;
}

static bool has_letter(struct bytes prefix, char lower)
{
  for (size_t i = 0; i < prefix.n; i++)
    if (tolower((unsigned char)prefix.p[i]) == lower)
      return true;
  return false;
}

static void skip_escape(struct scanner *s)
{
  s->at += scan_peek(s, 1) == '\r' && scan_peek(s, 2) == '\n' ? 3 : 2;
  if (s->at > s->t.n)
    s->at = s->t.n;
}

static bool three(const struct scanner *s, char quote)
{
  return scan_peek(s, 0) == quote && scan_peek(s, 1) == quote &&
         scan_peek(s, 2) == quote;
}

/* A span of text whose part between the quotes can be replaced. */
static void emit_plain(struct scanner *s, size_t start, size_t inner_start,
                       size_t inner_end)
{
  scan_emit(s, SPAN_TEXT, start);
  struct span *last = &s->ret->item[s->ret->n - 1];
  if (!memchr(s->t.p + start, '\n', s->at - start)) {
    last->inner_start = inner_start;
    last->inner_end = inner_end;
  }
}

/* r#"..."#: no escapes; ends with a quote and as many '#'. */
static bool scan_rust_raw(struct scanner *s, size_t start, struct bytes prefix)
{
  size_t hashes = 0, inner;
  while (scan_peek(s, hashes) == '#')
    hashes++;
  if (!has_letter(prefix, 'r') || scan_peek(s, hashes) != '"')
    return false;
  s->at += hashes + 1;
  for (inner = s->at; s->at < s->t.n; s->at++) {
    size_t k = 0;
    if (s->t.p[s->at] != '"')
      continue;
    while (k < hashes && scan_peek(s, k + 1) == '#')
      k++;
    if (k == hashes) {
      size_t end = s->at;
      s->at += hashes + 1;
      emit_plain(s, start, inner, end);
      return true;
    }
  }
  scan_emit(s, SPAN_TEXT, start);
  return true;
}

/* 'a and 'static are code, 'a' is a character. */
static bool is_lifetime(const struct scanner *s)
{
  struct bytes rest = {s->t.p + s->at + 1, s->t.n - s->at - 1};
  size_t n = rest.n > 0 ? bytes_utf8_length(rest) : 0;
  return scan_syntax(s, SYNTAX_RUST) && scan_peek(s, 1) != '\\' &&
         scan_peek(s, 1 + (n ? n : 1)) != '\'';
}

/* True when the text goes on inside code in braces; `at` is then in it. */
static bool enter_hole(struct scanner *s, const struct scan_hole *h)
{
  bool template = h->quote == '`';
  if (s->holes == SCAN_DEPTH)
    return false;
  if (template ? scan_peek(s, 0) != '$' || scan_peek(s, 1) != '{'
               : scan_peek(s, 0) != '{')
    return false;
  s->at += template ? 2 : 1;
  s->hole[s->holes++] = *h;
  s->value = false;
  return true;
}

/* {{ in f"..." is one brace. */
static bool is_double_brace(const struct scanner *s, const struct scan_hole *h)
{
  return h->quote != '`' && scan_peek(s, 0) == '{' && scan_peek(s, 1) == '{';
}

/* A text with code inside: from behind its quote, or behind that code. */
static void scan_holed(struct scanner *s, struct scan_hole h, size_t start)
{
  while (s->at < s->t.n) {
    char c = s->t.p[s->at];
    if (c == '\\')
      skip_escape(s);
    else if (is_double_brace(s, &h))
      s->at += 2;
    else if (enter_hole(s, &h))
      break;
    else if (c == '\n' && !h.triple && h.quote != '`')
      break;
    else if (c == h.quote && (!h.triple || three(s, c))) {
      s->at += h.triple ? 3 : 1;
      s->value = true;
      break;
    } else
      s->at++;
  }
  scan_emit(s, SPAN_TEXT, start);
}

void scan_text_again(struct scanner *s)
{
  struct scan_hole h = s->hole[--s->holes];
  size_t start = s->at++;
  h.braces = 0;
  scan_holed(s, h, start);
}

/* Reads to the three quotes that end it. */
static void scan_triple(struct scanner *s, char quote, size_t start)
{
  for (s->at += 3; s->at < s->t.n && !three(s, quote);)
    if (s->t.p[s->at] == '\\')
      skip_escape(s);
    else
      s->at++;
  s->at = s->t.n - s->at < 3 ? s->t.n : s->at + 3;
  scan_emit(s, SPAN_TEXT, start);
}

/* "..." and '...', and `...` of Go, which has no escapes. */
static void scan_quoted(struct scanner *s, char quote, size_t start)
{
  bool many = quote == '`' || scan_syntax(s, SYNTAX_RUST);
  size_t inner = ++s->at;
  while (s->at < s->t.n && s->t.p[s->at] != quote &&
         (many || s->t.p[s->at] != '\n'))
    if (s->t.p[s->at] == '\\' && quote != '`')
      skip_escape(s);
    else
      s->at++;
  size_t end = s->at;
  if (s->at < s->t.n && s->t.p[s->at] == quote) {
    s->at++;
    emit_plain(s, start, inner, end);
  } else {
    scan_emit(s, SPAN_TEXT, start);
  }
}

static bool has_triple(const struct scanner *s, char quote)
{
  return scan_syntax(s, SYNTAX_TRIPLE) && three(s, quote) &&
         (quote == '"' || s->l->id == LANGUAGE_PYTHON);
}

bool scan_text(struct scanner *s, size_t start, struct bytes prefix)
{
  char quote = scan_peek(s, 0);
  if (!prefix_of(s, prefix))
    return false;
  if (scan_syntax(s, SYNTAX_RUST) && prefix.n > 0 &&
      scan_rust_raw(s, start, prefix))
    return true;
  bool tick = quote == '`' && scan_syntax(s, SYNTAX_TEMPLATE | SYNTAX_BACKTICK);
  if (quote != '"' && quote != '\'' && !tick)
    return false;
  if (quote == '\'' && is_lifetime(s))
    return false;
  s->value = true;
  s->word = (struct bytes){NULL, 0};
  bool triple = has_triple(s, quote);
  if ((scan_syntax(s, SYNTAX_FORMAT) && has_letter(prefix, 'f')) ||
      (tick && scan_syntax(s, SYNTAX_TEMPLATE))) {
    s->at += triple ? 3 : 1;
    scan_holed(s, (struct scan_hole){quote, triple, 0}, start);
  } else if (triple) {
    scan_triple(s, quote, start);
  } else {
    scan_quoted(s, quote, start);
  }
  return true;
}
