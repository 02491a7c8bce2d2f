#include "mutants/generate/source.h"

#include "mutants/generate/names.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Signs of more than one letter, longer ones first. */
static const char *const SIGNS[] = {
    ">>>=", "===", "!==", "**=", "<<=", ">>=", "...", "..=", "==", "!=", "<=",
    ">=",   "=>",  "->",  "::",  ":=",  "&&",  "||",  "++",  "--", "+=", "-=",
    "*=",   "/=",  "%=",  "|=",  "&=",  "<<",  "**",  "??",  "?.", "..", NULL};

static bool word_byte(char c)
{
  return isalnum((unsigned char)c) || c == '_' || c == '$' ||
         (unsigned char)c >= 0x80;
}

struct lexer {
  struct source *s;
  int *open; /* brackets without a partner yet */
  int nopen, cap;
  bool directive; /* in a line of the C preprocessor */
};

static void add(struct lexer *x, enum token_kind kind, size_t start, size_t end)
{
  struct source *s = x->s;
  if (s->n == s->cap) {
    s->cap = s->cap ? 2 * s->cap : 256;
    s->token = mem_realloc(s->token, (size_t)s->cap * sizeof *s->token);
  }
  s->token[s->n++] = (struct token){kind, start, end, 0, 0, -1};
}

static void push(struct lexer *x, int token)
{
  if (x->nopen == x->cap) {
    x->cap = x->cap ? 2 * x->cap : 64;
    x->open = mem_realloc(x->open, (size_t)x->cap * sizeof *x->open);
  }
  x->open[x->nopen++] = token;
}

static char letter(const struct source *s, int token)
{
  return s->text.p[s->token[token].start];
}

/* Finds the partner of the sign just added, if it is a bracket. */
static void match(struct lexer *x)
{
  struct source *s = x->s;
  int me = s->n - 1;
  char c = letter(s, me);
  if (c == '(' || c == '[' || c == '{')
    push(x, me);
  if (x->nopen == 0 || (c != ')' && c != ']' && c != '}'))
    return;
  int other = x->open[x->nopen - 1];
  char o = letter(s, other);
  if ((o == '(' && c == ')') || (o == '[' && c == ']') ||
      (o == '{' && c == '}')) {
    s->token[me].match = other;
    s->token[other].match = me;
    x->nopen--;
  }
}

/* "a &&" goes on in the next line, whatever the language. */
static bool wants_more(const struct source *s)
{
  static const char *const ends[] = {")", "]", "}", "++", "--", NULL};
  return s->n > 0 && s->token[s->n - 1].kind == TOKEN_SIGN &&
         !source_is_one_of(s, s->n - 1, ends);
}

static bool line_counts(const struct lexer *x)
{
  const struct source *s = x->s;
  char open = x->nopen ? letter(s, x->open[x->nopen - 1]) : '\0';
  if (x->directive)
    return true;
  if (!(s->lang->syntax & SYNTAX_LINES) || open == '(' || open == '[')
    return false;
  if (!(s->lang->syntax & SYNTAX_INDENT) && wants_more(s))
    return false;
  return open != '{' || !(s->lang->syntax & SYNTAX_INDENT);
}

/* "# define" at the beginning of a line of C: the lines around it count. */
static bool begins_directive(const struct lexer *x, size_t at)
{
  struct bytes t = x->s->text;
  if (x->s->lang->id != LANGUAGE_C || t.p[at] != '#')
    return false;
  while (at > 0 && (t.p[at - 1] == ' ' || t.p[at - 1] == '\t'))
    at--;
  return at == 0 || t.p[at - 1] == '\n';
}

static size_t sign_length(struct bytes rest)
{
  for (const char *const *sign = SIGNS; *sign; sign++)
    if (bytes_starts(rest, bytes_of(*sign)))
      return strlen(*sign);
  return 1;
}

/* The end of the name or number at `at`, not behind `end`. */
static size_t word_end(struct bytes t, size_t at, size_t end)
{
  bool number = isdigit((unsigned char)t.p[at]) != 0;
  while (at < end &&
         (word_byte(t.p[at]) || (number && t.p[at] == '.' && at + 1 < end &&
                                 isdigit((unsigned char)t.p[at + 1]))))
    at++;
  return at;
}

static size_t lex_one(struct lexer *x, size_t at, size_t end)
{
  struct bytes t = x->s->text;
  size_t stop = at + 1;
  if (t.p[at] == '\n') {
    if (line_counts(x))
      add(x, TOKEN_LINE, at, stop);
    x->directive = false;
  } else if (t.p[at] == '\\') {
    /* joins two lines: the end of this one is none */
    while (stop < end && (t.p[stop] == '\r' || t.p[stop] == '\n') &&
           t.p[stop - 1] != '\n')
      stop++;
  } else if (word_byte(t.p[at])) {
    stop = word_end(t, at, end);
    add(x, isdigit((unsigned char)t.p[at]) ? TOKEN_NUMBER : TOKEN_NAME, at,
        stop);
  } else if (!isspace((unsigned char)t.p[at]) && t.p[at] != '\0') {
    if (begins_directive(x, at)) {
      x->directive = true;
      add(x, TOKEN_LINE, at, at);
    }
    stop = at + sign_length((struct bytes){t.p + at, end - at});
    add(x, TOKEN_SIGN, at, stop);
    match(x);
  }
  return stop;
}

static void lex_span(struct lexer *x, const struct span *p)
{
  if (p->kind == SPAN_COMMENT)
    return;
  if (p->kind == SPAN_CODE) {
    for (size_t at = p->start; at < p->end;)
      at = lex_one(x, at, p->end);
    return;
  }
  add(x, TOKEN_TEXT, p->start, p->end);
  x->s->token[x->s->n - 1].inner_start = p->inner_start;
  x->s->token[x->s->n - 1].inner_end = p->inner_end;
}

void source_init(struct source *ret, const struct language *l,
                 struct bytes text)
{
  struct lexer x = {.s = ret};
  *ret = (struct source){.lang = l, .text = text};
  assert(text.n <= SOURCE_MAX_BYTES);
  scan(l, text, &ret->spans);
  for (int i = 0; i < ret->spans.n; i++)
    lex_span(&x, &ret->spans.item[i]);
  free(x.open);
}

void source_release(struct source *s)
{
  spans_release(&s->spans);
  free(s->token);
  *s = (struct source){0};
}

static bool inside(const struct source *s, int token)
{
  return token >= 0 && token < s->n;
}

struct bytes source_text(const struct source *s, int token)
{
  if (!inside(s, token))
    return (struct bytes){"", 0};
  const struct token *t = &s->token[token];
  return (struct bytes){s->text.p + t->start, t->end - t->start};
}

struct bytes source_inner(const struct source *s, int token)
{
  if (!inside(s, token) || s->token[token].kind != TOKEN_TEXT)
    return (struct bytes){"", 0};
  const struct token *t = &s->token[token];
  return (struct bytes){s->text.p + t->inner_start,
                        t->inner_end - t->inner_start};
}

bool source_is(const struct source *s, int token, const char *text)
{
  return inside(s, token) && s->token[token].kind != TOKEN_TEXT &&
         bytes_equal(source_text(s, token), bytes_of(text));
}

bool source_is_one_of(const struct source *s, int token,
                      const char *const *list)
{
  for (; *list; list++)
    if (source_is(s, token, *list))
      return true;
  return false;
}

bool source_is_name(const struct source *s, int token)
{
  return inside(s, token) && s->token[token].kind == TOKEN_NAME;
}

bool source_is_number(const struct source *s, int token)
{
  return inside(s, token) && s->token[token].kind == TOKEN_NUMBER;
}

int source_match(const struct source *s, int token)
{
  return inside(s, token) ? s->token[token].match : -1;
}

bool source_names(const struct source *s, struct range r,
                  const char *const *words)
{
  for (int i = r.start < 0 ? 0 : r.start; i < r.end && i < s->n; i++)
    if (source_is_name(s, i) && name_has(source_text(s, i), words))
      return true;
  return false;
}

struct bytes source_slice(const struct source *s, struct range r)
{
  assert(r.start >= 0 && r.start < r.end && r.end <= s->n);
  size_t start = s->token[r.start].start;
  return (struct bytes){s->text.p + start, s->token[r.end - 1].end - start};
}

struct bytes source_indent(const struct source *s, size_t at)
{
  size_t start = at, end;
  while (start > 0 && s->text.p[start - 1] != '\n')
    start--;
  for (end = start;
       end < at && (s->text.p[end] == ' ' || s->text.p[end] == '\t');)
    end++;
  return (struct bytes){s->text.p + start, end - start};
}
