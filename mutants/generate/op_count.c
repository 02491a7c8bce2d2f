/*
 * Numbers: attempts, thresholds, counters, limits, cool-downs.
 */
#include "mutants/generate/names.h"
#include "mutants/generate/operator.h"

#include "base/number.h"

#include <stdlib.h>
#include <string.h>

/* Attempts beyond this are no number of attempts. */
enum { MOST = 1000000 };

/* NAME = 4, NAME: 4, NAME: u32 = 4, #define NAME 4; the number, or -1. */
static int number_of(const struct source *s, int name)
{
  static const char *const assigns[] = {"=", ":", ":=", "??", "||", NULL};
  int at = name + 1;
  if (!source_is_name(s, name))
    return -1;
  if (source_is(s, name - 1, "define"))
    return source_is_number(s, at) ? at : -1;
  if (!source_is_one_of(s, at, assigns))
    return -1;
  if (source_is(s, at, ":") && source_is_name(s, at + 1) &&
      source_is(s, at + 2, "="))
    at += 2;
  return source_is_number(s, at + 1) ? at + 1 : -1;
}

/* The digits in front and what stands behind them ("4u32"); false for 0 and
 * for what is no whole number. */
static bool whole(const struct source *s, int i, uint64_t *ret,
                  struct bytes *ret_rest)
{
  struct bytes text = source_text(s, i);
  if (number_take_u64(&text, MOST, ret) != NUMBER_OK || *ret == 0)
    return false;
  *ret_rest = text;
  return text.n == 0 || strchr("uUlLi", *text.p) != NULL;
}

static void change(const struct source *s, int i, uint64_t times, uint64_t plus,
                   struct suggestions *ret)
{
  uint64_t value;
  struct bytes rest;
  if (!whole(s, i, &value, &rest))
    return;
  char *with =
      mem_format("%llu%.*s", (unsigned long long)(value * times + plus),
                 (int)rest.n, rest.p);
  suggest_token(ret, i, with);
  free(with);
}

static bool is_attempts(const struct source *s, int i)
{
  static const char *const many[] = {"max*",  "limit*", "attempts", "retries",
                                     "tries", "num*",   "total*",   NULL};
  return name_has(source_text(s, i), NAMES_ATTEMPT) &&
         name_has(source_text(s, i), many);
}

/* A number of attempts, not a wait between them. */
static bool is_wait(const struct source *s, int i)
{
  static const char *const waits[] = {
      "wait*",     "delay*",   "after",    "ms",    "seconds",
      "interval*", "backoff*", "timeout*", "code*", NULL};
  return name_has(source_text(s, i), waits);
}

static void attempts(const struct source *s, uint64_t times, uint64_t plus,
                     struct suggestions *ret)
{
  for (int i = 0; i < s->n; i++) {
    int number = number_of(s, i);
    if (number >= 0 && is_attempts(s, i) && !is_wait(s, i))
      change(s, number, times, plus, ret);
  }
}

void operator_attempts_more(const struct source *s, struct suggestions *ret)
{
  attempts(s, 1, 1, ret);
}

void operator_attempts_double(const struct source *s, struct suggestions *ret)
{
  attempts(s, 2, 0, ret);
}

void operator_threshold(const struct source *s, struct suggestions *ret)
{
  static const char *const words[] = {
      "threshold*", "maxfailures", "maxhits", "failurelimit",
      "hitstoopen", "tripafter",   NULL};
  for (int i = 0; i < s->n; i++) {
    int number = number_of(s, i);
    if (number >= 0 && name_has(source_text(s, i), words) && !is_wait(s, i))
      change(s, number, 1, 1, ret);
  }
}

void operator_cooldown(const struct source *s, struct suggestions *ret)
{
  static const char *const words[] = {"cooldown*",   "resettimeout", "openfor",
                                      "sleepwindow", "opentimeout",  NULL};
  for (int i = 0; i < s->n; i++) {
    int number = number_of(s, i);
    if (number < 0 || !name_has(source_text(s, i), words))
      continue;
    struct bytes text = source_text(s, number);
    suggest_token(ret, number, memchr(text.p, '.', text.n) ? "0.0" : "0");
  }
}

static bool is_counter(const struct source *s, int i)
{
  return source_is_name(s, i) && name_has(source_text(s, i), NAMES_COUNTER);
}

/* hits++ where its value is not used. */
static bool ends_value(const struct source *s, int i)
{
  return i >= s->n || s->token[i].kind == TOKEN_LINE || source_is(s, i, ";") ||
         source_is(s, i, ")") || source_is(s, i, "{") || source_is(s, i, "}");
}

static bool begins_value(const struct source *s, int i)
{
  return i < 0 || s->token[i].kind == TOKEN_LINE || source_is(s, i, ";") ||
         source_is(s, i, "{") || source_is(s, i, "}") || source_is(s, i, ")");
}

/* atomic_fetch_add(&hits, 1), hits.fetch_add(1, Relaxed) */
static void stuck_atomic(const struct source *s, int i, struct suggestions *ret)
{
  struct arguments a;
  if (!shape_arguments(s, i + 1, &a) ||
      !source_names(s, shape_around(s, i), NAMES_COUNTER))
    return;
  for (int k = 0; k < a.n; k++)
    if (a.item[k].end == a.item[k].start + 1 &&
        source_is(s, a.item[k].start, "1"))
      suggest_range(ret, a.item[k], "0");
}

void operator_counter(const struct source *s, struct suggestions *ret)
{
  static const char *const adds[] = {
      "fetch_add", "atomic_fetch_add", "AddInt64", "AddInt32",
      "AddUint64", "addAndGet",        NULL};
  for (int i = 0; i < s->n; i++) {
    bool after = source_is(s, i, "++") && is_counter(s, i - 1) &&
                 ends_value(s, i + 1) && !source_is(s, i - 2, "*") &&
                 begins_value(s, shape_path(s, i - 1) - 1);
    if (after)
      suggest_token(ret, i, " += 0");
    else if (source_is(s, i, "+=") && is_counter(s, i - 1) &&
             source_is(s, i + 1, "1"))
      suggest_token(ret, i + 1, "0");
    else if (source_is_one_of(s, i, adds))
      stuck_atomic(s, i, ret);
    else if (source_is(s, i, "incrementAndGet") && source_is(s, i + 1, "(") &&
             is_counter(s, i - 2))
      suggest_token(ret, i, "get");
  }
}

/* "a < b" with a blank on both sides: List<Attempt> is something else. */
static bool stands_free(const struct source *s, int i)
{
  struct bytes t = s->text;
  size_t start = s->token[i].start, end = s->token[i].end;
  return start > 0 && end < t.n && strchr(" \n\t", t.p[start - 1]) &&
         strchr(" \n\t", t.p[end]);
}

static bool beside_limit(const struct source *s, int i)
{
  int last = i + 1;
  while (source_is_name(s, last) &&
         (source_is(s, last + 1, ".") || source_is(s, last + 1, "->") ||
          source_is(s, last + 1, "::")) &&
         source_is_name(s, last + 2))
    last += 2;
  return (source_is_name(s, i - 1) &&
          name_has(source_text(s, i - 1), NAMES_LIMIT)) ||
         (source_is_name(s, last) &&
          name_has(source_text(s, last), NAMES_LIMIT));
}

void operator_limit(const struct source *s, struct suggestions *ret)
{
  static const struct {
    const char *from, *to;
  } signs[] = {{"<", "<="}, {">", ">="}, {"<=", "<"}, {">=", ">"}};
  for (int i = 0; i < s->n; i++)
    for (size_t k = 0; k < sizeof signs / sizeof signs[0]; k++)
      if (source_is(s, i, signs[k].from) && stands_free(s, i) &&
          beside_limit(s, i))
        suggest_token(ret, i, signs[k].to);
}
