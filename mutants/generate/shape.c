#include "mutants/generate/shape.h"

static bool is_c_like(const struct source *s)
{
  return s->lang->id == LANGUAGE_C || s->lang->id == LANGUAGE_JAVA;
}

static bool is_script(const struct source *s)
{
  return s->lang->id == LANGUAGE_JAVASCRIPT ||
         s->lang->id == LANGUAGE_TYPESCRIPT;
}

static bool by_indent(const struct source *s)
{
  return (s->lang->syntax & SYNTAX_INDENT) != 0;
}

static bool is_line(const struct source *s, int token)
{
  return token >= 0 && token < s->n && s->token[token].kind == TOKEN_LINE;
}

static bool opens(const struct source *s, int token)
{
  return source_is(s, token, "(") || source_is(s, token, "[") ||
         source_is(s, token, "{");
}

static bool closes(const struct source *s, int token)
{
  return source_is(s, token, ")") || source_is(s, token, "]") ||
         source_is(s, token, "}");
}

/* "case 429:" and "default:", seen from the ':' backwards. */
static bool ends_label(const struct source *s, int colon)
{
  if (by_indent(s) || s->lang->id == LANGUAGE_RUST)
    return false;
  for (int i = colon - 1; i >= 0 && i > colon - 8; i--) {
    if (source_is(s, i, "case") || source_is(s, i, "default"))
      return true;
    if (is_line(s, i) || source_is(s, i, ";") || source_is(s, i, "?"))
      return false;
  }
  return false;
}

/* The first token of the statement around `at`, or -1 inside arguments. */
static int back_to_start(const struct source *s, int at)
{
  for (int i = at; i > 0;) {
    int p = i - 1;
    if (is_line(s, p) || source_is(s, p, ";") || source_is(s, p, "{"))
      return by_indent(s) && source_is(s, p, "{") ? -1 : i;
    if (source_is(s, p, "}") && !by_indent(s))
      return i;
    if (source_is(s, p, ":") && ends_label(s, p))
      return i;
    if (source_is(s, p, "(") || source_is(s, p, "["))
      return -1;
    i = closes(s, p) && source_match(s, p) >= 0 ? source_match(s, p) : p;
  }
  return 0;
}

static int to_colon(const struct source *s, int at)
{
  for (; at < s->n && !is_line(s, at); at++) {
    if (source_is(s, at, ":"))
      return at;
    if (opens(s, at) && source_match(s, at) > at)
      at = source_match(s, at);
  }
  return -1;
}

/* Behind "if (...)", "else" and the like, up to the statement they lead. */
static int skip_heads(const struct source *s, int first, int at)
{
  static const char *const heads[] = {"if",   "while",  "for", "elif",
                                      "with", "except", NULL};
  static const char *const bare[] = {"else", "do", "try", "finally", NULL};
  while (first <= at) {
    bool head = source_is_one_of(s, first, heads);
    if (!head && !source_is_one_of(s, first, bare))
      return first;
    if (by_indent(s)) {
      int colon = to_colon(s, first);
      return colon >= 0 && colon < at ? colon + 1 : -1;
    }
    if (!head)
      first++;
    else if (source_is(s, first + 1, "(") && source_match(s, first + 1) >= 0)
      first = source_match(s, first + 1) + 1;
    else
      return -1;
  }
  return -1;
}

static int to_end(const struct source *s, int at)
{
  while (at < s->n && !is_line(s, at) && !source_is(s, at, ";") &&
         !closes(s, at)) {
    if (opens(s, at) && source_match(s, at) < 0)
      return -1;
    at = opens(s, at) ? source_match(s, at) + 1 : at + 1;
  }
  return at;
}

/* A line of JavaScript goes on in the next one. */
static bool goes_on(const struct source *s, int end)
{
  return is_line(s, end) &&
         (source_is(s, end + 1, ".") || source_is(s, end + 1, "?."));
}

bool statement_at(const struct source *s, int at, struct statement *ret)
{
  int first = back_to_start(s, at);
  if (first >= 0)
    first = skip_heads(s, first, at);
  int end = first >= 0 ? to_end(s, at) : -1;
  if (end <= first || first < 0 || goes_on(s, end))
    return false;
  bool semicolon = source_is(s, end, ";");
  if (!semicolon && !(s->lang->syntax & SYNTAX_LINES))
    return false;
  ret->tokens = (struct range){first, end};
  ret->start = s->token[first].start;
  ret->end = s->token[semicolon && !by_indent(s) ? end : end - 1].end;
  return true;
}

static const char *const NO_CALL[] = {
    "return", "raise", "throw", "if",    "while",    "for",   "def",  "class",
    "fn",     "func",  "new",   "goto",  "function", "async", "case", "delete",
    "assert", "del",   "go",    "defer", "switch",   "catch", NULL};

bool statement_is_call(const struct source *s, const struct statement *st)
{
  int i = st->tokens.start, end = st->tokens.end;
  bool name_before = false, called = false;
  if (source_is(s, i, "await") || source_is(s, i, "yield"))
    i++;
  else if (source_is(s, i, "(") && source_is(s, i + 1, "void"))
    i += 3;
  if (!source_is_name(s, i) || source_is_one_of(s, i, NO_CALL))
    return false;
  for (; i < end; i++) {
    bool name = source_is_name(s, i);
    if (name && name_before)
      return false;
    name_before = name;
    if (source_is(s, i, "(") && source_match(s, i) > i) {
      called = true;
      i = source_match(s, i);
    } else if (!name && !source_is(s, i, ".") && !source_is(s, i, "->") &&
               !source_is(s, i, "::") && !source_is(s, i, "?.") &&
               !source_is(s, i, "?") && !source_is(s, i, "!"))
      return false;
  }
  return called;
}

int shape_path(const struct source *s, int at)
{
  static const char *const joins[] = {".", "::", "->", "?.", NULL};
  while (at >= 2 && source_is_one_of(s, at - 1, joins) &&
         source_is_name(s, at - 2))
    at -= 2;
  return at;
}

bool shape_is_call(const struct source *s, int at)
{
  static const char *const may_stand[] = {
      "await", "return", "yield", "else",  "do",    "not",  "and", "or",
      "in",    "go",     "defer", "throw", "raise", "case", "if",  NULL};
  int before = shape_path(s, at) - 1, close = source_match(s, at + 1);
  if (!source_is_name(s, at) || !source_is(s, at + 1, "(") || close < 0)
    return false;
  if (source_is_name(s, before) && !source_is_one_of(s, before, may_stand))
    return false;
  /* a method of a class: name(...) { */
  return !(is_script(s) && source_is(s, close + 1, "{"));
}

struct range shape_around(const struct source *s, int at)
{
  struct range r = {at, at};
  while (r.start > 0 && !is_line(s, r.start - 1) &&
         !source_is(s, r.start - 1, ";") && !source_is(s, r.start - 1, "{") &&
         !source_is(s, r.start - 1, "}"))
    r.start--;
  while (r.end < s->n && !is_line(s, r.end) && !source_is(s, r.end, ";") &&
         !source_is(s, r.end, "{") && !source_is(s, r.end, "}"))
    r.end++;
  return r;
}

struct range shape_near(int at, int reach)
{
  return (struct range){at - reach, at + reach + 1};
}

bool shape_arguments(const struct source *s, int open, struct arguments *ret)
{
  int close = source_match(s, open);
  *ret = (struct arguments){.close = close};
  if (!source_is(s, open, "(") || close < 0)
    return false;
  for (int start = open + 1, i = start; i <= close; i++) {
    if (i < close && opens(s, i) && source_match(s, i) > i)
      i = source_match(s, i);
    else if (i == close || source_is(s, i, ",")) {
      if (i > start) {
        if (ret->n == SHAPE_ARGUMENTS)
          return false;
        ret->item[ret->n++] = (struct range){start, i};
      }
      start = i + 1;
    }
  }
  return true;
}

static bool declares(const struct source *s, struct range r)
{
  for (int i = r.start; i < r.end; i++)
    if (source_is(s, i, ":=") || source_is(s, i, ";") ||
        source_is(s, i, "let") || is_line(s, i))
      return true;
  return false;
}

/* Up to the first '{' that is in no other bracket. */
static int to_brace(const struct source *s, int at)
{
  for (; at < s->n && !source_is(s, at, ";"); at++) {
    if (source_is(s, at, "{"))
      return at;
    if ((source_is(s, at, "(") || source_is(s, at, "[")) &&
        source_match(s, at) > at)
      at = source_match(s, at);
    else if (is_line(s, at) || closes(s, at))
      return -1;
  }
  return -1;
}

bool shape_condition(const struct source *s, int at, struct range *ret)
{
  bool elif = by_indent(s) && source_is(s, at, "elif");
  if (!source_is(s, at, "if") && !source_is(s, at, "while") && !elif)
    return false;
  *ret = (struct range){at + 1, -1};
  if (by_indent(s)) {
    if (at > 0 && !is_line(s, at - 1)) /* "a if b else c" */
      return false;
    ret->end = to_colon(s, at);
  } else if (is_c_like(s) || is_script(s)) {
    if (!source_is(s, at + 1, "(") || source_match(s, at + 1) < 0)
      return false;
    *ret = (struct range){at + 2, source_match(s, at + 1)};
  } else {
    ret->end = to_brace(s, at);
  }
  return ret->end > ret->start && !declares(s, *ret);
}

/* From behind the ':' to the first line that is not indented more. */
static bool indented_block(const struct source *s, int at, struct range *ret)
{
  int colon = to_colon(s, at);
  if (colon < 0 || !is_line(s, colon + 1))
    return false;
  size_t head = source_indent(s, s->token[at].start).n;
  int i = colon + 2;
  while (is_line(s, i))
    i++;
  *ret = (struct range){i, i};
  for (; i < s->n; i++) {
    bool first = !is_line(s, i) && is_line(s, i - 1);
    if (first && source_indent(s, s->token[i].start).n <= head)
      break;
    if (!is_line(s, i))
      ret->end = i + 1;
  }
  return ret->end > ret->start;
}

bool shape_block(const struct source *s, int at, struct range *ret)
{
  if (by_indent(s))
    return indented_block(s, at, ret);
  int open = to_brace(s, at);
  if (source_match(s, open) < 0)
    return false;
  *ret = (struct range){open + 1, source_match(s, open)};
  return true;
}

/* What must stand around NAME(...) for it to be a function's head. */
static bool is_head(const struct source *s, int name, int close, bool *ret_bool)
{
  int before = name - 1, after = close + 1;
  switch (s->lang->id) {
  case LANGUAGE_PYTHON:
    *ret_bool = source_is(s, after, "->") && source_is(s, after + 1, "bool");
    return source_is(s, before, "def");
  case LANGUAGE_GO:
    *ret_bool = source_is(s, after, "bool");
    return source_is(s, before, "func") ||
           (source_is(s, before, ")") &&
            source_is(s, source_match(s, before) - 1, "func"));
  case LANGUAGE_RUST:
    *ret_bool = source_is(s, after, "->") && source_is(s, after + 1, "bool") &&
                source_is(s, after + 2, "{");
    return source_is(s, before, "fn");
  case LANGUAGE_C:
    *ret_bool = source_is(s, before, "bool") || source_is(s, before, "int");
    return source_is(s, after, "{") && source_is_name(s, before);
  case LANGUAGE_JAVA:
    *ret_bool = source_is(s, before, "boolean");
    return source_is_name(s, before);
  default:
    *ret_bool = source_is(s, after, ":") && source_is(s, after + 1, "boolean");
    return source_is(s, after, "{") ||
           (*ret_bool && source_is(s, after + 2, "{"));
  }
}

/* "x = (...) => {", seen from x; the '(' or -1. */
static int arrow_open(const struct source *s, int name)
{
  int open = name + 1;
  if (!is_script(s) || !source_is(s, open, "="))
    return -1;
  open += source_is(s, open + 1, "async") ? 2 : 1;
  return source_is(s, open, "(") &&
                 source_is(s, source_match(s, open) + 1, "=>") &&
                 source_is(s, source_match(s, open) + 2, "{")
             ? open
             : -1;
}

bool shape_function(const struct source *s, int at, struct function *ret)
{
  static const char *const no_name[] = {
      "if", "while", "for", "switch", "catch", "return", "with", "else", NULL};
  int arrow = arrow_open(s, at), open = arrow >= 0 ? arrow : at + 1;
  if (!source_is_name(s, at) || source_is_one_of(s, at, no_name))
    return false;
  int close = source_is(s, open, "(") ? source_match(s, open) : -1;
  bool yes_or_no = false;
  if (close < 0 || (arrow < 0 && !is_head(s, at, close, &yes_or_no)))
    return false;
  *ret = (struct function){.name = at, .yes_or_no = yes_or_no};
  int from = at;
  while (by_indent(s) && from > 0 && !is_line(s, from - 1))
    from--;
  return shape_block(s, arrow >= 0 ? close + 2 : from, &ret->body);
}
