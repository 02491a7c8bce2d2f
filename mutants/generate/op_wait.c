/*
 * Waits: dropped, in the wrong unit, not growing, not spread.
 */
#include "mutants/generate/names.h"
#include "mutants/generate/operator.h"

#include <stdlib.h>

/* How many tokens around a place may say that it is about waits. */
enum { NEAR = 30, FAR = 60 };

static bool about_waits(const struct source *s, struct range r)
{
  return source_names(s, r, NAMES_WAIT) || source_names(s, r, NAMES_CONTROL);
}

static bool uses(const struct source *s, unsigned languages)
{
  return (languages >> s->lang->id & 1) != 0;
}

/* The value is still used, so that nothing becomes unused. */
static void suggest_zero(const struct source *s, struct range value,
                         struct suggestions *ret)
{
  struct bytes x = source_slice(s, value);
  char *with = s->lang->id == LANGUAGE_RUST
                   ? mem_format("(%.*s) * 0", (int)x.n, x.p)
                   : mem_format("0 * (%.*s)", (int)x.n, x.p);
  suggest_range(ret, value, with);
  free(with);
}

static bool is_sleep(const struct source *s, int i)
{
  static const char *const sleeps[] = {"sleep*", "usleep", "nanosleep",
                                       "msleep", NULL};
  static const char *const waits[] = {"delay", "pause", "backoff", NULL};
  if (!shape_is_call(s, i))
    return false;
  return name_has(source_text(s, i), sleeps) ||
         (source_is(s, shape_path(s, i) - 1, "await") &&
          name_has(source_text(s, i), waits)) ||
         (s->lang->id == LANGUAGE_GO && source_is(s, i, "After") &&
          source_is(s, i - 2, "time"));
}

void operator_sleep(const struct source *s, struct suggestions *ret)
{
  const unsigned drops =
      LANG(C) | LANG(PYTHON) | LANG(JAVASCRIPT) | LANG(TYPESCRIPT);
  for (int i = 0; i < s->n; i++) {
    struct statement st;
    struct arguments a;
    if (!is_sleep(s, i) || !shape_arguments(s, i + 1, &a) || a.n == 0)
      continue;
    if (uses(s, drops) && statement_at(s, i, &st) &&
        statement_is_call(s, &st) && st.tokens.end == a.close + 1)
      suggest_removal(ret, &st);
    else if (a.n == 1)
      suggest_zero(s, a.item[0], ret);
  }
}

/* new Promise(r => setTimeout(r, ms)) */
void operator_timer(const struct source *s, struct suggestions *ret)
{
  for (int i = 0; i < s->n; i++) {
    struct arguments a;
    if (source_is(s, i, "setTimeout") && shape_is_call(s, i) &&
        shape_arguments(s, i + 1, &a) && a.n == 2 &&
        a.item[0].end == a.item[0].start + 1)
      suggest_zero(s, a.item[1], ret);
  }
}

static const struct {
  unsigned languages;
  const char *before, *from, *to;
} UNITS[] = {
    {LANG(GO), ".", "Second", "Millisecond"},
    {LANG(GO), ".", "Millisecond", "Second"},
    {LANG(GO), ".", "Minute", "Second"},
    {LANG(RUST), "::", "from_secs", "from_millis"},
    {LANG(RUST), "::", "from_millis", "from_secs"},
    {LANG(JAVA), ".", "ofSeconds", "ofMillis"},
    {LANG(JAVA), ".", "ofMillis", "ofSeconds"},
    {LANG(JAVA), ".", "SECONDS", "MILLISECONDS"},
    {LANG(JAVA), ".", "MILLISECONDS", "SECONDS"},
    {LANG(PYTHON), "(", "seconds", "milliseconds"},
};

static const char *named_unit(const struct source *s, int i)
{
  for (size_t k = 0; k < sizeof UNITS / sizeof UNITS[0]; k++)
    if (uses(s, UNITS[k].languages) && source_is(s, i, UNITS[k].from) &&
        source_is(s, i - 1, UNITS[k].before) &&
        (s->lang->id != LANGUAGE_PYTHON || source_is(s, i - 2, "timedelta")))
      return UNITS[k].to;
  return NULL;
}

void operator_unit(const struct source *s, struct suggestions *ret)
{
  static const char *const factors[] = {"1000", "1000.0", "1e3", "1000L", NULL};
  for (int i = 0; i < s->n; i++) {
    const char *to = named_unit(s, i);
    bool factor = (source_is(s, i - 1, "*") || source_is(s, i - 1, "/")) &&
                  source_is_one_of(s, i, factors);
    if (to && about_waits(s, shape_near(i, NEAR)))
      suggest_token(ret, i, to);
    else if (factor && about_waits(s, shape_around(s, i)))
      suggest_token(ret, i, source_is(s, i, "1000.0") ? "1.0" : "1");
  }
}

static bool is_two(const struct source *s, int i)
{
  struct bytes t = source_text(s, i);
  return source_is_number(s, i) && t.p[0] == '2' &&
         (t.n == 1 || bytes_equal(t, BYTES("2.0")) ||
          (t.p[1] != '.' && (t.p[1] < '0' || t.p[1] > '9')));
}

/* The base of a power, or the factor of *= 2. */
static bool is_base(const struct source *s, int i)
{
  if (!is_two(s, i))
    return false;
  bool power = source_is(s, i - 1, "(") &&
               (source_is(s, i - 2, "pow") || source_is(s, i - 2, "Pow")) &&
               source_is(s, i + 1, ",");
  return power || source_is(s, i + 1, "**") || source_is(s, i - 1, "*=") ||
         source_is(s, i - 1, "*") ||
         (source_is(s, i + 1, ".") && source_is(s, i + 2, "pow"));
}

/* 1 << n, at the sign: the n is made 0. */
static void shift(const struct source *s, int i, struct suggestions *ret)
{
  struct range n = {i + 1, i + 2};
  if (!source_is_number(s, i - 1))
    return;
  if (source_is(s, i + 1, "(") && source_match(s, i + 1) > 0)
    n.end = source_match(s, i + 1) + 1;
  else if (!source_is_name(s, i + 1) || source_is(s, i + 2, "(") ||
           source_is(s, i + 2, ".") || source_is(s, i + 2, "->"))
    return;
  struct bytes x = source_slice(s, n);
  char *with = mem_format("(0 * %.*s)", (int)x.n, x.p);
  suggest_range(ret, n, with);
  free(with);
}

void operator_growth(const struct source *s, struct suggestions *ret)
{
  for (int i = 0; i < s->n; i++) {
    bool base = is_base(s, i);
    if ((!base && !source_is(s, i, "<<")) ||
        !about_waits(s, shape_near(i, NEAR)))
      continue;
    if (!base) {
      shift(s, i, ret);
      continue;
    }
    struct bytes t = source_text(s, i);
    char *one = mem_format("1%.*s", (int)(t.n - 1), t.p + 1);
    suggest_token(ret, i, one);
    free(one);
  }
}

static const char *const FRACTIONS[] = {"random",     "drand48", "Float64",
                                        "nextDouble", "Float32", NULL};
static const char *const WHOLES[] = {"rand",      "Intn",    "Int63n",
                                     "Int31n",    "randint", "nextInt",
                                     "randrange", NULL};

/* The '(' behind name i, also behind random::<f64>; or -1. */
static int call_open(const struct source *s, int i)
{
  if (source_is(s, i + 1, "::") && source_is(s, i + 2, "<") &&
      source_is(s, i + 4, ">"))
    i += 4;
  return source_is(s, i + 1, "(") && source_match(s, i + 1) > 0 ? i + 1 : -1;
}

static void unspread(const struct source *s, int i, int open,
                     struct suggestions *ret)
{
  struct range r = {shape_path(s, i), source_match(s, open) + 1};
  struct arguments a;
  struct bytes x = source_slice(s, r);
  char *with = NULL;
  if (source_is_one_of(s, i, FRACTIONS))
    with = mem_format("(0.5 + 0.0 * %.*s)", (int)x.n, x.p);
  else if (source_is_one_of(s, i, WHOLES))
    with = mem_format("(0 * %.*s)", (int)x.n, x.p);
  else if (shape_arguments(s, open, &a) && a.n == 2) {
    struct bytes upper = source_slice(s, a.item[1]);
    with = mem_format("(%.*s)", (int)upper.n, upper.p);
  }
  if (with)
    suggest_range(ret, r, with);
  free(with);
}

void operator_jitter(const struct source *s, struct suggestions *ret)
{
  for (int i = 0; i < s->n; i++) {
    bool known = source_is_one_of(s, i, FRACTIONS) ||
                 source_is_one_of(s, i, WHOLES) || source_is(s, i, "uniform");
    int open = known ? call_open(s, i) : -1;
    int before = shape_path(s, i) - 1;
    bool declared =
        source_is_name(s, before) && !source_is(s, before, "return");
    /* new Random().nextInt(): what is before the path is a call */
    if (open < 0 || declared || source_is(s, before, ".") ||
        !about_waits(s, shape_near(i, FAR)))
      continue;
    unspread(s, i, open, ret);
  }
}
