/*
 * Ways through the code: questions answered the same always, branches never
 * taken, loops that do not end.
 */
#include "mutants/generate/names.h"
#include "mutants/generate/operator.h"

/* Longer conditions do many things at once. */
enum { LONGEST_CONDITION = 40, NEAR = 60 };

static bool asks(const struct source *s, const struct function *f)
{
  static const char *const questions[] = {
      "is",      "has",      "should",  "can",       "may",       "allow*",
      "detect*", "check*",   "needs",   "admit*",    "retryable", "retriable",
      "limited", "exceeded", "expired", "exhausted", NULL};
  struct bytes name = source_text(s, f->name);
  bool typed = f->yes_or_no && !source_is(s, f->name - 1, "int");
  if (!name_has(name, NAMES_CONTROL) && !name_has(name, questions + 12))
    return false;
  return typed || (name_has(name, questions) &&
                   (f->yes_or_no || s->lang->id == LANGUAGE_PYTHON ||
                    s->lang->id == LANGUAGE_JAVASCRIPT ||
                    s->lang->id == LANGUAGE_TYPESCRIPT));
}

static bool has_return(const struct source *s, struct range r)
{
  if (s->lang->id == LANGUAGE_RUST)
    return true;
  for (int i = r.start; i < r.end; i++)
    if (source_is(s, i, "return"))
      return true;
  return false;
}

/* Put in front of the body: what is behind stays used. "if (true)" is for
 * compilers that refuse what can never be reached. */
static void answer(const struct source *s, const struct function *f,
                   const char *value, struct suggestions *ret)
{
  size_t at = s->token[f->body.start].start;
  if (s->lang->syntax & SYNTAX_INDENT) {
    struct bytes indent = source_indent(s, at);
    suggest(ret, at, at, "return %s\n%.*s", value, (int)indent.n, indent.p);
    return;
  }
  bool refuses = s->lang->id == LANGUAGE_JAVA ||
                 s->lang->id == LANGUAGE_JAVASCRIPT ||
                 s->lang->id == LANGUAGE_TYPESCRIPT;
  at = s->token[f->body.start - 1].end;
  suggest(ret, at, at, " %sreturn %s;", refuses ? "if (true) " : "", value);
}

static void detectors(const struct source *s, const char *value,
                      struct suggestions *ret)
{
  for (int i = 0; i < s->n; i++) {
    struct function f;
    if (shape_function(s, i, &f) && f.body.end > f.body.start && asks(s, &f) &&
        has_return(s, f.body))
      answer(s, &f, value, ret);
  }
}

void operator_detector_never(const struct source *s, struct suggestions *ret)
{
  detectors(s, s->lang->no, ret);
}

void operator_detector_always(const struct source *s, struct suggestions *ret)
{
  detectors(s, s->lang->yes, ret);
}

static bool tells_status(const struct source *s, struct range r)
{
  static const char *const statuses[] = {"429", "529", "503", NULL};
  for (int i = r.start; i < r.end; i++)
    if (source_is_one_of(s, i, statuses))
      return true;
  return false;
}

void operator_branch(const struct source *s, struct suggestions *ret)
{
  for (int i = 0; i < s->n; i++) {
    struct range c;
    if (!source_is(s, i, "while") && shape_condition(s, i, &c) &&
        c.end - c.start <= LONGEST_CONDITION &&
        (source_names(s, c, NAMES_CONTROL) || tells_status(s, c)))
      suggest_never(ret, c);
  }
}

void operator_stream_check(const struct source *s, struct suggestions *ret)
{
  static const char *const ends[] = {
      "done",        "complete*",    "finished", "ended",
      "terminated",  "sawend",       "sawstop",  "stopped",
      "messagestop", "finishreason", "eos",      NULL};
  static const char *const nots[] = {"!",       "not",  "None",  "nil",
                                     "null",    "NULL", "false", "False",
                                     "is_none", NULL};
  for (int i = 0; i < s->n; i++) {
    struct range c;
    bool negated = false;
    if (source_is(s, i, "while") || !shape_condition(s, i, &c) ||
        c.end - c.start > LONGEST_CONDITION || !source_names(s, c, ends))
      continue;
    for (int k = c.start; k < c.end; k++)
      negated = negated || source_is_one_of(s, k, nots);
    if (negated)
      suggest_never(ret, c);
  }
}

/* A loop whose head or body speaks of attempts. */
static bool is_retry_loop(const struct source *s, int i, struct range *ret)
{
  static const char *const loops[] = {"for", "while", "loop", "do", NULL};
  if (!source_is_one_of(s, i, loops) || !shape_block(s, i, ret))
    return false;
  return source_names(s, (struct range){i, ret->end}, NAMES_ATTEMPT);
}

/* The break of a switch ends no loop. */
static bool in_switch(const struct source *s, int at)
{
  for (int i = at - 1; i >= 0; i--) {
    if (source_is(s, i, "case") || source_is(s, i, "default"))
      return true;
    if (source_is(s, i, "{"))
      return false;
    if (source_is(s, i, "}") && source_match(s, i) >= 0)
      i = source_match(s, i);
  }
  return false;
}

void operator_loop_break(const struct source *s, struct suggestions *ret)
{
  for (int i = 0; i < s->n; i++) {
    struct range body;
    struct statement st;
    if (!is_retry_loop(s, i, &body))
      continue;
    for (int k = body.start; k < body.end; k++)
      if (source_is(s, k, "break") && !in_switch(s, k) &&
          statement_at(s, k, &st) && st.tokens.start == k &&
          st.tokens.end == k + 1)
        suggest_removal(ret, &st);
  }
}

/* Of "return call()" only the word goes: the call still takes place. */
static void drop_return(const struct source *s, const struct statement *st,
                        struct suggestions *ret)
{
  int i = st->tokens.start;
  bool calls = false;
  for (int k = i + 1; k < st->tokens.end; k++)
    calls = calls || source_is(s, k, "(");
  if (calls && st->tokens.end > i + 1 && !source_is(s, i + 1, "{"))
    suggest(ret, s->token[i].start, s->token[i + 1].start, "%s", "");
  else
    suggest_removal(ret, st);
}

void operator_loop_return(const struct source *s, struct suggestions *ret)
{
  for (int i = 0; i < s->n; i++) {
    struct range body;
    struct statement st;
    if (!is_retry_loop(s, i, &body))
      continue;
    for (int k = body.start; k < body.end; k++)
      if (source_is(s, k, "return") && statement_at(s, k, &st) &&
          st.tokens.start == k)
        drop_return(s, &st, ret);
  }
}

static void drop_throws(const struct source *s, struct range block,
                        struct suggestions *ret)
{
  for (int i = block.start; i < block.end; i++) {
    struct statement st;
    if ((source_is(s, i, "throw") || source_is(s, i, "raise")) &&
        statement_at(s, i, &st) && st.tokens.start == i)
      suggest_removal(ret, &st);
  }
}

/* return -1; near names of resilience code, in C; err != nil in Go. */
static void pass_failure(const struct source *s, int i, struct suggestions *ret)
{
  static const char *const errors[] = {"err*", NULL};
  if (s->lang->id == LANGUAGE_C && source_is(s, i, "return") &&
      source_is(s, i + 1, "-") && source_is(s, i + 2, "1") &&
      source_is(s, i + 3, ";") &&
      source_names(s, shape_near(i, NEAR), NAMES_CONTROL))
    suggest_range(ret, (struct range){i + 1, i + 3}, "0");
  else if (s->lang->id == LANGUAGE_GO && source_is(s, i, "nil") &&
           source_is(s, i - 1, "!=") && source_is(s, i + 1, "{") &&
           name_has(source_text(s, i - 2), errors) &&
           source_names(s, shape_near(i, NEAR), NAMES_CONTROL))
    suggest_token(ret, i, "nil && false");
}

void operator_error_swallowed(const struct source *s, struct suggestions *ret)
{
  for (int i = 0; i < s->n; i++) {
    struct range block;
    if ((source_is(s, i, "catch") || source_is(s, i, "except")) &&
        shape_block(s, i, &block))
      drop_throws(s, block, ret);
    else
      pass_failure(s, i, ret);
  }
}
