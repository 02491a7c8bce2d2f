/*
 * Ceilings: swapped, removed, cut short.
 */
#include "mutants/generate/names.h"
#include "mutants/generate/operator.h"

#include <stdlib.h>

static const struct {
  const char *from, *to;
} SWAPS[] = {{"min", "max"}, {"max", "min"}, {"fmin", "fmax"}, {"fmax", "fmin"},
             {"MIN", "MAX"}, {"MAX", "MIN"}, {"Min", "Max"},   {"Max", "Min"}};

static bool bounded(const struct source *s, struct range r)
{
  return source_names(s, r, NAMES_WAIT) || source_names(s, r, NAMES_LIMIT) ||
         source_names(s, r, NAMES_CONTROL);
}

/* Whether the line speaks of waits or limits, beside the name itself. */
static bool line_bounded(const struct source *s, int i)
{
  struct range r = shape_around(s, i);
  return bounded(s, (struct range){r.start, i}) ||
         bounded(s, (struct range){i + 1, r.end});
}

void operator_min_max(const struct source *s, struct suggestions *ret)
{
  for (int i = 0; i < s->n; i++)
    for (size_t k = 0; k < sizeof SWAPS / sizeof SWAPS[0]; k++)
      if (source_is(s, i, SWAPS[k].from) && shape_is_call(s, i) &&
          line_bounded(s, i))
        suggest_token(ret, i, SWAPS[k].to);
}

static bool is_cap(const struct source *s, struct range r)
{
  static const char *const caps[] = {"max*",    "cap",      "limit*",
                                     "ceiling", "remain*",  "upper",
                                     "longest", "deadline", NULL};
  return (r.end == r.start + 1 && source_is_number(s, r.start)) ||
         source_names(s, r, caps);
}

static void uncap_call(const struct source *s, int i, struct suggestions *ret)
{
  struct arguments a;
  int path = shape_path(s, i);
  if (!shape_arguments(s, i + 1, &a) || source_is(s, path - 1, "."))
    return;
  if (a.n == 1 && s->lang->id == LANGUAGE_RUST && source_is(s, i - 1, ".")) {
    suggest_range(ret, (struct range){i - 1, a.close + 1}, "");
    return;
  }
  if (a.n != 2 || is_cap(s, a.item[0]) == is_cap(s, a.item[1]))
    return;
  struct bytes kept = source_slice(s, a.item[is_cap(s, a.item[0]) ? 1 : 0]);
  char *with = mem_format("(%.*s)", (int)kept.n, kept.p);
  suggest_range(ret, (struct range){path, a.close + 1}, with);
  free(with);
}

void operator_cap(const struct source *s, struct suggestions *ret)
{
  static const char *const mins[] = {"min", "fmin", "MIN", "Min", NULL};
  for (int i = 0; i < s->n; i++)
    if (source_is_one_of(s, i, mins) && source_is(s, i + 1, "(") &&
        source_match(s, i + 1) > 0 && line_bounded(s, i) &&
        (source_is(s, i - 1, ".") || shape_is_call(s, i)))
      uncap_call(s, i, ret);
}

/* Where "<" or its like stands in a condition of two plain values; or -1. */
static int comparison(const struct source *s, struct range r)
{
  static const char *const signs[] = {">", ">=", "<", "<=", NULL};
  int found = -1;
  for (int i = r.start; i < r.end; i++) {
    bool sign = source_is_one_of(s, i, signs);
    if (sign && found >= 0)
      return -1;
    if (sign)
      found = i;
    else if (source_is(s, i, "&&") || source_is(s, i, "||") ||
             source_is(s, i, "and") || source_is(s, i, "or"))
      return -1;
  }
  return found > r.start && found < r.end - 1 ? found : -1;
}

static bool same(const struct source *s, struct range a, struct range b)
{
  if (a.end - a.start != b.end - b.start || a.end <= a.start)
    return false;
  for (int i = 0; i < a.end - a.start; i++)
    if (!bytes_equal(source_text(s, a.start + i), source_text(s, b.start + i)))
      return false;
  return true;
}

/* The tokens of the only statement behind a condition, without its ';'. */
static bool only_statement(const struct source *s, int at, struct range cond,
                           struct range *ret)
{
  int behind = cond.end + 1; /* the ')' of C is at cond.end */
  bool bare = s->lang->id == LANGUAGE_C || s->lang->id == LANGUAGE_JAVA ||
              s->lang->id == LANGUAGE_JAVASCRIPT ||
              s->lang->id == LANGUAGE_TYPESCRIPT;
  if (bare && !source_is(s, behind, "{")) {
    struct statement st;
    if (!source_is_name(s, behind) || !statement_at(s, behind, &st) ||
        st.tokens.start != behind)
      return false;
    *ret = st.tokens;
    return true;
  }
  if (!shape_block(s, at, ret))
    return false;
  while (ret->end > ret->start && (source_is(s, ret->end - 1, ";") ||
                                   s->token[ret->end - 1].kind == TOKEN_LINE))
    ret->end--;
  while (ret->start < ret->end && s->token[ret->start].kind == TOKEN_LINE)
    ret->start++;
  return ret->start < ret->end;
}

/* if (x > LIMIT) x = LIMIT; */
void operator_clamp(const struct source *s, struct suggestions *ret)
{
  for (int i = 0; i < s->n; i++) {
    struct range cond, body;
    if (!source_is(s, i, "if") || !shape_condition(s, i, &cond))
      continue;
    int sign = comparison(s, cond), assign;
    if (sign < 0 || !bounded(s, cond) || !only_statement(s, i, cond, &body))
      continue;
    for (assign = body.start; assign < body.end; assign++)
      if (source_is(s, assign, "="))
        break;
    if (same(s, (struct range){cond.start, sign},
             (struct range){body.start, assign}) &&
        same(s, (struct range){sign + 1, cond.end},
             (struct range){assign + 1, body.end}))
      suggest_never(ret, cond);
  }
}
