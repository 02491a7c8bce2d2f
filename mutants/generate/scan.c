#include "mutants/generate/scanner.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

char scan_peek(const struct scanner *s, size_t k)
{
  return k < s->t.n - s->at ? s->t.p[s->at + k] : '\0';
}

bool scan_syntax(const struct scanner *s, unsigned wanted)
{
  return (s->l->syntax & wanted) != 0;
}

static struct span *add_span(struct spans *s, enum span_kind kind, size_t start,
                             size_t end)
{
  if (s->n == s->cap) {
    s->cap = s->cap ? 2 * s->cap : 64;
    s->item = mem_realloc(s->item, (size_t)s->cap * sizeof *s->item);
  }
  s->item[s->n] = (struct span){.kind = kind, .start = start, .end = end};
  return &s->item[s->n++];
}

static void flush_code(struct scanner *s, size_t end)
{
  if (end > s->code_start)
    add_span(s->ret, SPAN_CODE, s->code_start, end);
}

void scan_emit(struct scanner *s, enum span_kind kind, size_t start)
{
  flush_code(s, start);
  if (s->at > start)
    add_span(s->ret, kind, start, s->at);
  s->code_start = s->at;
}

/* Up to the end of the line, or of the last line it is joined with. */
static void skip_line(struct scanner *s)
{
  while (s->at < s->t.n && s->t.p[s->at] != '\n') {
    if (s->t.p[s->at] == '\\' && s->l->id == LANGUAGE_C)
      s->at += scan_peek(s, 1) == '\r' && scan_peek(s, 2) == '\n' ? 2 : 1;
    if (s->at < s->t.n)
      s->at++;
  }
}

static void skip_block(struct scanner *s)
{
  int depth = 0;
  do {
    char a = s->t.p[s->at], b = scan_peek(s, 1);
    bool opens = a == '/' && b == '*', ends = a == '*' && b == '/';
    if (opens && (depth == 0 || scan_syntax(s, SYNTAX_NESTED)))
      depth++;
    else if (ends)
      depth--;
    else
      opens = false;
    s->at += opens || ends ? 2 : 1;
  } while (depth > 0 && s->at < s->t.n);
}

static bool scan_comment(struct scanner *s)
{
  size_t start = s->at;
  char a = scan_peek(s, 0), b = scan_peek(s, 1);
  bool slash = scan_syntax(s, SYNTAX_SLASH) && a == '/';
  /* "#!/usr/bin/env node"; "#![...]" is Rust code */
  bool bang = start == 0 && a == '#' && b == '!' && scan_peek(s, 2) != '[';
  if (slash && b == '*')
    skip_block(s);
  else if ((slash && b == '/') || bang ||
           (a == '#' && scan_syntax(s, SYNTAX_HASH)))
    skip_line(s);
  else
    return false;
  scan_emit(s, SPAN_COMMENT, start);
  return true;
}

static bool ends_in_line(const struct scanner *s, size_t *ret)
{
  bool set = false; /* inside [...], where '/' is itself */
  for (size_t i = s->at + 1; i < s->t.n && s->t.p[i] != '\n'; i++) {
    char c = s->t.p[i];
    if (c == '\\')
      i++;
    else if (c == '[')
      set = true;
    else if (c == ']')
      set = false;
    else if (c == '/' && !set) {
      *ret = i + 1;
      return true;
    }
  }
  return false;
}

static bool scan_regex(struct scanner *s)
{
  size_t end, start = s->at;
  if (!scan_syntax(s, SYNTAX_REGEX) || s->value || scan_peek(s, 0) != '/' ||
      !ends_in_line(s, &end))
    return false;
  while (end < s->t.n && isalpha((unsigned char)s->t.p[end]))
    end++; /* flags */
  s->at = end;
  s->value = true;
  scan_emit(s, SPAN_REGEX, start);
  return true;
}

static bool word_byte(char c)
{
  return isalnum((unsigned char)c) || c == '_' || c == '$' ||
         (unsigned char)c >= 0x80;
}

static bool is_one_of(struct bytes word, const char *const *list)
{
  for (; *list; list++)
    if (bytes_equal(word, bytes_of(*list)))
      return true;
  return false;
}

/* After these words of JavaScript a '/' begins a regular expression. */
static const char *const BEFORE_VALUE[] = {
    "return", "typeof", "case",       "in",    "of",
    "delete", "void",   "throw",      "new",   "else",
    "do",     "await",  "instanceof", "yield", NULL};
static const char *const HEADS[] = {"if", "while", "for", "with", NULL};

static void scan_word(struct scanner *s)
{
  size_t start = s->at;
  bool number = isdigit((unsigned char)s->t.p[start]) != 0;
  while (s->at < s->t.n &&
         (word_byte(s->t.p[s->at]) ||
          (number && s->t.p[s->at] == '.' &&
           isdigit((unsigned char)scan_peek(s, 1))) ||
          /* 1'000 of C23 */
          (number && s->l->id == LANGUAGE_C && s->t.p[s->at] == '\'' &&
           isalnum((unsigned char)scan_peek(s, 1)))))
    s->at++;
  s->word = (struct bytes){s->t.p + start, s->at - start};
  if (!number && scan_text(s, start, s->word))
    return;
  s->value = !is_one_of(s->word, BEFORE_VALUE);
}

static void note_punctuation(struct scanner *s, char c)
{
  char before = s->at > 0 ? s->t.p[s->at - 1] : '\0';
  bool twice = (c == '+' || c == '-') && before == c; /* x++ / 2 */
  if (c == '(') {
    if (s->parens < SCAN_DEPTH)
      s->head[s->parens] = is_one_of(s->word, HEADS);
    s->parens++;
  }
  if (!isspace((unsigned char)c))
    s->value = twice || c == ']';
  if (c == ')') {
    s->parens -= s->parens > 0;
    s->value = s->parens >= SCAN_DEPTH || !s->head[s->parens];
  }
}

/* True when this brace ended the code inside a text. */
static bool leave_hole(struct scanner *s, char c)
{
  struct scan_hole *h = s->holes > 0 ? &s->hole[s->holes - 1] : NULL;
  if (h && c == '{')
    h->braces++;
  if (!h || c != '}' || h->braces-- > 0)
    return false;
  scan_text_again(s);
  return true;
}

static void scan_code(struct scanner *s)
{
  char c = s->t.p[s->at];
  bool was_value = s->value;
  if (leave_hole(s, c))
    return;
  note_punctuation(s, c);
  if (isspace((unsigned char)c))
    s->value = was_value;
  else
    s->word = (struct bytes){NULL, 0};
  s->at++;
}

void scan(const struct language *l, struct bytes text, struct spans *ret)
{
  struct scanner s = {.l = l, .t = text, .ret = ret};
  *ret = (struct spans){0};
  while (s.at < s.t.n) {
    if (scan_comment(&s) || scan_text(&s, s.at, (struct bytes){NULL, 0}) ||
        scan_regex(&s))
      continue;
    if (word_byte(s.t.p[s.at]))
      scan_word(&s);
    else
      scan_code(&s);
  }
  flush_code(&s, s.t.n);
}

void spans_release(struct spans *s)
{
  free(s->item);
  *s = (struct spans){0};
}
