#include "harness/probe/curve.h"

#include <assert.h>
#include <math.h>

/* A wait shorter than this may be the client's own work. */
#define NO_WAIT_S 0.05
/* Waits of one step that differ by less are the same: a busy machine starts
 * a process so much later. */
#define SAME_SHARE 0.06
#define SAME_S 0.06
/* Long enough for that to be little of it. */
#define LONG_S (4 * SAME_S)
#define NEARLY 0.03
/* One in so many waits may be longer by a delay of the machine, when it is
 * asked whether all are the same. */
enum { LATE_SHARE = 4 };
/* Fewer copies say nothing about a range. */
enum { MIN_COPIES = 5 };
/* Shares of the longest wait of a step that the shortest of all may have.
 * Equal jitter never falls below a half, full jitter soon falls below a
 * third; between them nothing is said. */
#define FULL_BELOW 0.35
#define EQUAL_FROM 0.47
#define LIKELY 0.05
#define UNLIKELY 0.0005
/* A step is as long as the one before when it is within this share. */
#define FLAT 0.10
#define GROWS 1.35

struct steps {
  size_t n;
  double min[CURVE_STEPS], max[CURVE_STEPS], mean[CURVE_STEPS];
  double median[CURVE_STEPS];
  double most[CURVE_STEPS]; /* longer ones are taken for the machine's delay */
};

static size_t common_steps(const struct waits *w)
{
  size_t n = CURVE_STEPS;
  for (size_t i = 0; i < w->copies; i++)
    n = w->n[i] < n ? w->n[i] : n;
  return w->copies ? n : 0;
}

/* The waits of one step, the shortest first. */
static void sort_step(const struct waits *w, size_t k, double *ret)
{
  for (size_t i = 0; i < w->copies; i++) {
    size_t at = i;
    for (; at && ret[at - 1] > w->s[i][k]; at--)
      ret[at] = ret[at - 1];
    ret[at] = w->s[i][k];
  }
}

static void sum_up(const struct waits *w, size_t skip, struct steps *ret)
{
  size_t n = common_steps(w);
  double sorted[CURVE_COPIES];
  ret->n = n > skip ? n - skip : 0;
  for (size_t k = 0; k < ret->n; k++) {
    double sum = 0;
    sort_step(w, k + skip, sorted);
    for (size_t i = 0; i < w->copies; i++)
      sum += sorted[i];
    ret->min[k] = sorted[0];
    ret->max[k] = sorted[w->copies - 1];
    ret->mean[k] = sum / (double)w->copies;
    ret->median[k] = sorted[w->copies / 2];
    ret->most[k] = sorted[w->copies - 1 - w->copies / LATE_SHARE];
  }
}

static bool all_short(const struct steps *s)
{
  for (size_t k = 0; k < s->n; k++)
    if (s->median[k] > NO_WAIT_S)
      return false;
  return true;
}

/* The step's waits differ by no more than that, or than their usual share. */
static bool is_steady(const struct steps *s, size_t k, double allowed_s)
{
  double share = s->most[k] * SAME_SHARE;
  return s->most[k] - s->min[k] <= (share > allowed_s ? share : allowed_s);
}

static bool all_steady(const struct steps *s, double allowed_s)
{
  for (size_t k = 0; k < s->n; k++)
    if (!is_steady(s, k, allowed_s))
      return false;
  return true;
}

/* Jitter grows with the wait, a machine's delays do not: one long step in
 * which all copies wait very nearly the same has no jitter, and so has none. */
static bool any_steady(const struct steps *s)
{
  for (size_t k = 0; k < s->n; k++)
    if (s->most[k] > LONG_S && s->most[k] - s->min[k] <= s->most[k] * NEARLY)
      return true;
  return false;
}

static bool is_long(const struct steps *s)
{
  return s->most[s->n - 1] > LONG_S;
}

static double low_share(const struct steps *s)
{
  double low = 1;
  for (size_t k = 0; k < s->n; k++)
    if (s->max[k] > 0 && s->min[k] / s->max[k] < low)
      low = s->min[k] / s->max[k];
  return low;
}

static double shortest(const struct steps *s)
{
  double least = s->min[0];
  for (size_t k = 1; k < s->n; k++)
    least = s->min[k] < least ? s->min[k] : least;
  return least;
}

/* No wait is longer than three times the one before, and the first ones are
 * one to three bases; the base is shorter than all waits. */
static bool is_decorrelated(const struct waits *w, size_t skip,
                            const struct steps *s)
{
  if (s->n < 2 || s->max[0] > 3 * shortest(s) + SAME_S)
    return false;
  for (size_t i = 0; i < w->copies; i++)
    for (size_t k = 1; k < s->n; k++)
      if (w->s[i][k + skip] > 3 * w->s[i][k + skip - 1] + SAME_S)
        return false;
  return true;
}

/* Of n waits with equal jitter the shortest is longer than this share of the
 * longest with that probability; the longest itself falls short of the range
 * by a twentieth or so. */
static double equal_below(size_t n, double probability)
{
  double above = 1 - pow(probability, 1 / (double)n);
  return (0.5 + 0.5 * above) * 1.05;
}

static void find_jitter(const struct waits *w, size_t skip,
                        const struct steps *s, struct curve *c)
{
  c->low_share = low_share(s);
  if (any_steady(s) || (all_steady(s, SAME_S) && is_long(s))) {
    c->jitter = JITTER_NONE;
  } else if (all_steady(s, SAME_S)) {
    c->why = "the waits are too short to tell jitter from the machine's own";
  } else if (all_steady(s, w->noise_s)) {
    c->why = "the machine is too busy: its delays are as long as what the "
             "waits differ by";
  } else if (w->copies < MIN_COPIES) {
    c->why = "too few copies came as far to tell the kind of jitter";
  } else if (c->low_share < EQUAL_FROM && is_decorrelated(w, skip, s)) {
    c->jitter = JITTER_DECORRELATED;
  } else if (c->low_share < FULL_BELOW) {
    c->jitter = JITTER_FULL;
  } else if (c->low_share < EQUAL_FROM) {
    c->why = "the shortest waits lie between those of full and of equal "
             "jitter";
  } else if (c->low_share <= equal_below(w->copies * s->n, LIKELY)) {
    c->jitter = JITTER_EQUAL;
  } else if (c->low_share > equal_below(w->copies * s->n, UNLIKELY)) {
    c->jitter = JITTER_PART;
  } else {
    c->why = "equal jitter and one of a smaller part are not told apart by so "
             "few waits";
  }
}

/* The last step that is still longer than the one before it; behind it the
 * cap holds. */
static size_t find_cap(const struct steps *s, struct curve *c)
{
  for (size_t k = 2; k < s->n; k++) {
    bool grew = s->mean[k - 1] > s->mean[k - 2] * 1.2;
    bool flat = fabs(s->max[k] / s->max[k - 1] - 1) <= FLAT &&
                fabs(s->mean[k] / s->mean[k - 1] - 1) <= 2 * FLAT;
    if (grew && flat) {
      c->has_cap = true;
      c->cap_s = s->max[k];
      return k - 1;
    }
  }
  return s->n;
}

static bool is_linear(const struct steps *s, size_t n)
{
  for (size_t k = 1; k < n; k++) {
    double want = s->min[0] * (double)(k + 1);
    if (fabs(s->min[k] - want) > 0.06 * want + 0.02)
      return false;
  }
  return n >= 3;
}

/* Even draws lie around the middle of their range; waits that are all the
 * same are delayed by the machine, and never shortened. */
static double middle(const struct steps *s, size_t k, const struct curve *c)
{
  switch (c->jitter) {
  case JITTER_NONE:
    return s->min[k];
  case JITTER_FULL:
  case JITTER_EQUAL:
  case JITTER_PART:
    return (s->min[k] + s->max[k]) / 2;
  default:
    return s->median[k];
  }
}

static void find_growth(const struct steps *s, struct curve *c)
{
  size_t n = find_cap(s, c);
  if (s->n < 2 || s->median[0] <= 0)
    return;
  /* The capped step is no full step any more. */
  size_t last = n < 2 ? 1 : n - 1;
  if (c->has_cap && last > 1)
    last--;
  c->growth = pow(middle(s, last, c) / middle(s, 0, c), 1 / (double)last);
  c->has_growth = true;
  if (c->jitter == JITTER_NONE && is_linear(s, n))
    c->shape = SHAPE_LINEAR;
  else if (c->growth > GROWS)
    c->shape = SHAPE_EXPONENTIAL;
  else if (c->growth < 1.15 && c->growth > 0.85)
    c->shape = SHAPE_FIXED;
  if (c->jitter == JITTER_DECORRELATED)
    c->has_growth = false;
}

/* The base lies between the longest first wait and the shortest divided by
 * the smallest share a wait can have; doubling clients narrow that with
 * every step. */
static double base_between(const struct steps *s, double share, double growth)
{
  double least = 0, most = HUGE_VAL, power = 1;
  size_t n = fabs(growth - 2) < 0.3 ? s->n : 1;
  for (size_t k = 0; k < n && k < 3; k++, power *= 2) {
    double low = s->max[k] / power, high = s->min[k] / share / power;
    least = low > least ? low : least;
    most = high < most ? high : most;
  }
  return (least + most) / 2;
}

static void find_base(const struct waits *w, const struct steps *s,
                      struct curve *c)
{
  double n = (double)w->copies;
  c->has_base = true;
  switch (c->jitter) {
  case JITTER_NONE:
    c->base_s = s->min[0];
    break;
  case JITTER_EQUAL:
    c->base_s = base_between(s, 0.5, c->has_cap ? 0 : c->growth);
    break;
  case JITTER_FULL: /* the longest of n even draws is n/(n+1) of the range */
    c->base_s = s->max[0] * (n + 1) / n;
    break;
  case JITTER_DECORRELATED:
    c->base_s = shortest(s);
    break;
  case JITTER_PART:
    c->base_s = s->max[0];
    break;
  default:
    c->has_base = false;
  }
}

struct curve curve_of(const struct waits *w)
{
  struct curve c = {.copies = w->copies};
  struct steps s;
  size_t skip = 0;
  assert(w->copies <= CURVE_COPIES);
  sum_up(w, 0, &s);
  if (s.n == 0) {
    c.why = "it asked again too seldom";
    return c;
  }
  if (s.n > 1 && s.max[0] <= NO_WAIT_S && s.max[1] > 2 * NO_WAIT_S) {
    c.first_at_once = true;
    skip = 1;
    sum_up(w, skip, &s);
  }
  c.steps = s.n;
  if (all_short(&s)) {
    c.at_once = true;
    return c;
  }
  find_jitter(w, skip, &s, &c);
  find_growth(&s, &c);
  find_base(w, &s, &c);
  return c;
}

const char *jitter_word(enum jitter j)
{
  static const char *const words[] = {
      [JITTER_UNKNOWN] = "unknown jitter",
      [JITTER_NONE] = "no jitter",
      [JITTER_FULL] = "full jitter",
      [JITTER_EQUAL] = "equal jitter",
      [JITTER_DECORRELATED] = "decorrelated jitter",
      [JITTER_PART] = "jitter on a part of the wait"};
  return words[j];
}

const char *shape_word(enum growth s)
{
  static const char *const words[] = {[SHAPE_UNKNOWN] = "growing irregularly",
                                      [SHAPE_FIXED] = "always the same",
                                      [SHAPE_LINEAR] = "linear",
                                      [SHAPE_EXPONENTIAL] = "exponential"};
  return words[s];
}
