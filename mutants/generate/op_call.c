/*
 * Calls and arguments whose absence nobody sees in a good run: releases,
 * reports to the breaker, metrics, time-outs.
 */
#include "mutants/generate/names.h"
#include "mutants/generate/operator.h"

#include <stdlib.h>
#include <string.h>

/* The whole statement that is the call of name i. */
static bool whole_call(const struct source *s, int i, struct statement *ret)
{
  return shape_is_call(s, i) && statement_at(s, i, ret) &&
         statement_is_call(s, ret);
}

static void drop_calls(const struct source *s, const char *const *words,
                       struct suggestions *ret)
{
  for (int i = 0; i < s->n; i++) {
    struct statement st;
    if (source_is_name(s, i) && name_has(source_text(s, i), words) &&
        whole_call(s, i, &st))
      suggest_removal(ret, &st);
  }
}

void operator_finally(const struct source *s, struct suggestions *ret)
{
  for (int i = 0; i < s->n; i++) {
    struct range b;
    if (!source_is(s, i, "finally") || source_is(s, i - 1, ".") ||
        !shape_block(s, i, &b))
      continue;
    while (b.end > b.start && s->token[b.end - 1].kind == TOKEN_LINE)
      b.end--;
    if (b.end > b.start)
      suggest_range(ret, b,
                    s->lang->syntax & SYNTAX_INDENT ? s->lang->nothing : "");
  }
}

/* Without it the next caller hangs, which says nothing about limits. */
static bool unlocks(const struct source *s, const struct statement *st)
{
  static const char *const words[] = {"unlock*", "runlock", NULL};
  return source_names(s, st->tokens, words);
}

void operator_defer(const struct source *s, struct suggestions *ret)
{
  for (int i = 0; i < s->n; i++) {
    struct statement st;
    if (source_is(s, i, "defer") && statement_at(s, i, &st) &&
        st.tokens.start == i && !unlocks(s, &st))
      suggest_removal(ret, &st);
  }
}

void operator_release(const struct source *s, struct suggestions *ret)
{
  static const char *const words[] = {"release*", "giveback", "putback", NULL};
  drop_calls(s, words, ret);
  for (int i = 0; s->lang->id == LANGUAGE_RUST && i < s->n; i++) {
    struct statement st;
    if (source_is(s, i, "drop") && !source_is(s, i - 1, ".") &&
        whole_call(s, i, &st) && st.tokens.start == i)
      suggest_token(ret, i, "std::mem::forget");
  }
}

void operator_told(const struct source *s, struct suggestions *ret)
{
  static const char *const words[] = {"recordfailure",
                                      "recordsuccess",
                                      "recordhit",
                                      "recordlimit",
                                      "recordresult",
                                      "recorderror",
                                      "onfailure",
                                      "onsuccess",
                                      "notehit",
                                      "notefailure",
                                      "notesuccess",
                                      "markfailed",
                                      "reportfailure",
                                      "reportsuccess",
                                      "reportresult",
                                      "trip",
                                      "openbreaker",
                                      "breakeropen",
                                      NULL};
  drop_calls(s, words, ret);
}

static bool tells_numbers(const struct source *s, struct range r)
{
  static const char *const texts[] = {
      "metric", "stats", "hits=", "retries=", "attempts=", NULL};
  if (source_names(s, r, NAMES_METRIC))
    return true;
  for (int i = r.start; i < r.end; i++)
    for (const char *const *t = texts; *t; t++)
      if (s->token[i].kind == TOKEN_TEXT &&
          bytes_find(source_text(s, i), bytes_of(*t)) >= 0)
        return true;
  return false;
}

void operator_metrics(const struct source *s, struct suggestions *ret)
{
  static const char *const prints[] = {
      "print*",   "println", "printf", "fprintf", "log*",       "info",
      "write*",   "puts",    "emit*",  "observe", "increment*", "inc",
      "eprintln", "incr",    "add",    "warn",    NULL};
  for (int i = 0; i < s->n; i++) {
    struct statement st;
    int open = source_is(s, i + 1, "!") ? i + 2 : i + 1;
    if (!source_is_name(s, i) || !source_is(s, open, "(") ||
        !name_has(source_text(s, i), prints) || !statement_at(s, i, &st) ||
        !statement_is_call(s, &st))
      continue;
    if (tells_numbers(s, st.tokens))
      suggest_removal(ret, &st);
  }
}

static bool is_timeout(const struct source *s, int i)
{
  static const char *const words[] = {"timeout*", "deadline*", NULL};
  return source_is_name(s, i) && name_has(source_text(s, i), words);
}

/* The number a time-out is set to: behind '=', ':' or ',', or the only one
 * in the brackets behind the name; or -1. */
static int timeout_number(const struct source *s, int i)
{
  static const char *const sets[] = {"=", ":", ":=", ",", NULL};
  int found = -1, at = i + 1;
  if (source_is(s, i - 1, "define") && source_is_number(s, at))
    return at;
  if (source_is(s, at, ":") && source_is_name(s, at + 1) &&
      source_is(s, at + 2, "="))
    at += 2;
  if (source_is_one_of(s, at, sets))
    at++;
  if (source_is_number(s, at))
    return at;
  for (int k = at; k < at + 8 && k < s->n; k++) {
    bool part = source_is_name(s, k) || source_is(s, k, "(") ||
                source_is(s, k, ".") || source_is(s, k, "::");
    if (source_is_number(s, k))
      found = k;
    if (!part)
      break;
  }
  return found;
}

void operator_timeout_long(const struct source *s, struct suggestions *ret)
{
  for (int i = 0; i < s->n; i++) {
    int number = is_timeout(s, i) ? timeout_number(s, i) : -1;
    struct bytes text = source_text(s, number);
    if (number < 0 || bytes_equal(text, BYTES("0")))
      continue;
    char *with = mem_format("(1000 * %.*s)", (int)text.n, text.p);
    suggest_token(ret, number, with);
    free(with);
  }
}

/* An argument or member from token i up to its ',' or bracket, with one of
 * the commas beside it. */
static void drop_argument(const struct source *s, int i,
                          struct suggestions *ret)
{
  int end = i;
  while (end < s->n && !source_is(s, end, ",") && !source_is(s, end, ")") &&
         !source_is(s, end, "}") && s->token[end].kind != TOKEN_LINE)
    end = source_match(s, end) > end ? source_match(s, end) + 1 : end + 1;
  if (end >= s->n)
    return;
  if (source_is(s, i - 1, ","))
    suggest_range(ret, (struct range){i - 1, end}, "");
  else if (source_is(s, end, ",") && end + 1 < s->n)
    suggest(ret, s->token[i].start, s->token[end + 1].start, "%s", "");
  else
    suggest_range(ret, (struct range){i, end}, "");
}

static bool in_declaration(const struct source *s, int i)
{
  struct range r = shape_around(s, i);
  return source_is(s, r.start, "def") || source_is(s, r.start + 1, "def") ||
         source_is(s, r.start, "class");
}

static bool is_python_argument(const struct source *s, int i)
{
  return s->lang->id == LANGUAGE_PYTHON && source_is(s, i, "timeout") &&
         source_is(s, i + 1, "=") &&
         (source_is(s, i - 1, ",") || source_is(s, i - 1, "(")) &&
         !in_declaration(s, i);
}

static bool is_script_signal(const struct source *s, int i)
{
  return (s->lang->id == LANGUAGE_JAVASCRIPT ||
          s->lang->id == LANGUAGE_TYPESCRIPT) &&
         source_is(s, i, "signal") && source_is(s, i + 1, ":") &&
         (source_is(s, i - 1, ",") || source_is(s, i - 1, "{"));
}

/* setSoTimeout(...), set_read_timeout(...), curl_easy_setopt(h,
 * CURLOPT_TIMEOUT_MS, ...) */
static bool sets_timeout(const struct source *s, int i)
{
  static const char *const sets[] = {"set*", "setopt", NULL};
  struct arguments a;
  if (!source_is_name(s, i) || source_is(s, i, "setTimeout") ||
      !name_has(source_text(s, i), sets))
    return false;
  if (is_timeout(s, i))
    return true;
  return source_is(s, i, "curl_easy_setopt") && shape_arguments(s, i + 1, &a) &&
         a.n == 3 && is_timeout(s, a.item[1].start);
}

void operator_timeout_gone(const struct source *s, struct suggestions *ret)
{
  for (int i = 0; i < s->n; i++) {
    struct statement st;
    if (is_python_argument(s, i) || is_script_signal(s, i))
      drop_argument(s, i, ret);
    else if (sets_timeout(s, i) && whole_call(s, i, &st))
      suggest_removal(ret, &st);
  }
}
