/* The waits nobody asked for: base, growth, cap and jitter. */
#include "harness/probe/curve.h"
#include "harness/probe/delays.h"
#include "harness/probe/probe.h"
#include "harness/probe/trials.h"

#include <string.h>

/* Copies that draw their jitter on their own. */
enum { COPIES = 12 };
#define MAX_TEXT ((size_t)1024)

static const char what[] = "backoff";

static const struct sight *want_copy(struct book *b, enum error_class c, int i)
{
  char *name = mem_format("%s, always, copy %d", class_name(c), i + 1);
  struct trial_ask ask = {.steps = class_steps(&b->face, c, "")};
  const struct sight *s = book_want(b, name, &ask);
  free(name);
  return s;
}

static void add_copy(struct waits *w, const struct sight *s)
{
  double gap = 0;
  if (s->why || s->ncalls < 2)
    return;
  for (size_t k = 0; k < CURVE_STEPS && (gap = sight_gap(s, k)) >= 0; k++)
    w->s[w->copies][w->n[w->copies]++] = gap;
  w->copies++;
}

static double noise_of(struct book *b, enum error_class c)
{
  struct delays d = {0};
  for (int i = 0; i < COPIES; i++) {
    const struct sight *s = want_copy(b, c, i);
    if (s)
      delays_add(&d, s);
  }
  return delays_most(&d);
}

/* False while trials are pending. */
static bool collect(struct book *b, enum error_class c, struct waits *ret)
{
  bool all = true;
  memset(ret, 0, sizeof *ret);
  for (int i = 0; i < COPIES; i++) {
    const struct sight *s = want_copy(b, c, i);
    if (s)
      add_copy(ret, s);
    else
      all = false;
  }
  ret->noise_s = noise_of(b, c);
  return all;
}

static char *range_text(const struct waits *w, size_t steps)
{
  struct buf out;
  buf_init(&out, MAX_TEXT);
  for (size_t k = 0; k < steps; k++) {
    double min = w->s[0][k], max = min;
    for (size_t i = 1; i < w->copies; i++) {
      min = w->s[i][k] < min ? w->s[i][k] : min;
      max = w->s[i][k] > max ? w->s[i][k] : max;
    }
    buf_addf(&out, "%s%.2f..%.2f", k ? ", " : "", min, max);
  }
  return buf_detach(&out);
}

static char *evidence_of(const struct waits *w, const struct curve *c,
                         enum error_class class)
{
  size_t steps = c->steps + c->first_at_once;
  char *ranges = range_text(w, steps);
  char *text = mem_format("waits of %zu copies after %s: %s s%s%s", w->copies,
                          class_name(class), ranges ? ranges : "none",
                          c->why ? "; " : "", c->why ? c->why : "");
  free(ranges);
  return text;
}

static char *value_of(const struct curve *c)
{
  struct buf out;
  buf_init(&out, MAX_TEXT);
  if (c->at_once)
    return mem_strdup("none: asks again at once");
  if (c->first_at_once)
    buf_adds(&out, "the first repeat at once, then ");
  if (c->jitter == JITTER_DECORRELATED || c->steps < 2)
    buf_adds(&out, c->steps < 2 ? "one wait" : "up to 3 times the wait before");
  else
    buf_adds(&out, shape_word(c->shape));
  if (c->has_base)
    buf_addf(&out, ", base %.2f s", c->base_s);
  if (c->has_growth && c->shape == SHAPE_EXPONENTIAL)
    buf_addf(&out, ", times %.1f a step", c->growth);
  if (c->has_cap)
    buf_addf(&out, ", cap %.2f s", c->cap_s);
  buf_addf(&out, ", %s", jitter_word(c->jitter));
  if (c->jitter == JITTER_PART || c->jitter == JITTER_UNKNOWN)
    buf_addf(&out, " (%.2f..1 of the longest)", c->low_share);
  return buf_detach(&out);
}

static void judge(struct findings *f, const struct curve *c)
{
  if (c->jitter == JITTER_NONE)
    take_danger(f, HARM_ATTACKS, "backoff/many-clients-spread-out",
                mem_strdup("its waits have no jitter: copies that were refused "
                           "together come back together"));
  if (c->shape == SHAPE_FIXED && c->jitter != JITTER_UNKNOWN && c->steps > 1 &&
      c->jitter != JITTER_DECORRELATED)
    take_danger(f, HARM_ATTACKS, "backoff/waits-grow",
                mem_strdup("its waits do not grow while the server stays "
                           "overloaded"));
}

static void say(struct findings *f, const struct waits *w,
                enum error_class class)
{
  struct curve c = curve_of(w);
  char *evidence = evidence_of(w, &c, class);
  if (c.has_base)
    take_setting(f, "base_s", mem_format("%.2f", c.base_s),
                 mem_strdup(evidence));
  else
    take_no_setting(f, "base_s",
                    mem_strdup(c.at_once ? "it asks again at once" : evidence));
  if (w->copies == 0)
    take_nothing(f, what, evidence);
  else
    take_value(f, what, value_of(&c), evidence);
  judge(f, &c);
}

static void measure(struct book *b, struct findings *f)
{
  static const char never[] = "no error was asked again";
  struct waits w;
  enum error_class class = most_repeated(b);
  if (class == NCLASSES) {
    take_nothing(f, what, mem_strdup(never));
    take_no_setting(f, "base_s", mem_strdup(never));
    return;
  }
  if (collect(b, class, &w))
    say(f, &w, class);
}

const struct probe probe_backoff = {
    "backoff", "base, growth, cap and jitter of its own waits", measure};
