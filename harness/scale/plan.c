#include "harness/scale/plan.h"

#include "harness/policy.h"
#include "harness/scale/value.h"

#include <math.h>
#include <string.h>

/* The longest wait is not made shorter than this: twice the least, so that a
 * client that waits for half of it is told from one that waits. */
#define LONGEST_S 2.0
/* The same where a second of it may be cut (value.h). */
#define LONGEST_CUT_S 4.0
#define CUT_S 1.0
/* Shorter waits are done as they are: nothing is gained that is worth a
 * caveat. Not where --scale is given. */
#define LEAST_WAIT_S 10.0
/* Nobody calls again within so long: a wait that must not be done was not.
 * A right client ends at once; a busy machine needs some of it. */
#define WINDOW_S 15.0
/* The default of client.limit_s: what a client does besides waiting does not
 * become shorter. */
#define LEAST_LIMIT_S 30.0
/* Of sums of doubles. */
#define NEARLY 1e-9

/* Sums over what is waited for. */
struct sums {
  double longest, shortest, total;
  double told;   /* the longest the client is told */
  double silent; /* the longest the server does */
  double last;   /* the last moment that is named */
  int64_t part;  /* the largest number that all whole seconds are multiples of;
                    0: there are none */
  bool thresholds;
};

static int64_t common(int64_t a, int64_t b)
{
  while (b) {
    int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/* What a step tells in several places is one wait. */
static double total(const struct scale_facts *f)
{
  double sum = 0, told = 0;
  for (size_t i = 0; i < f->n; i++) {
    const struct scale_time *t = &f->times[i];
    bool more = t->says && i > 0 && t->step == f->times[i - 1].step;
    if (t->threshold || t->beyond || t->implied || t->point)
      continue;
    told = more ? told : 0;
    sum += t->times * (t->says ? fmax(0, t->s - told) : t->s);
    told = t->says ? fmax(told, t->s) : told;
  }
  return sum;
}

static void add(struct sums *s, const struct scale_time *t)
{
  s->longest = fmax(s->longest, t->s);
  if (t->point)
    s->last = fmax(s->last, t->s);
  if (t->says)
    s->told = fmax(s->told, t->s);
  else if (!t->point && !t->whole) /* whole: a limiter's period */
    s->silent = fmax(s->silent, t->s);
  if (t->whole)
    s->part = common((int64_t)llround(t->s), s->part);
}

static struct sums add_up(const struct scale_facts *f)
{
  struct sums s = {.shortest = (double)INFINITY};
  for (size_t i = 0; i < f->n; i++) {
    const struct scale_time *t = &f->times[i];
    s.thresholds |= t->threshold;
    if (t->threshold || t->beyond)
      continue;
    s.shortest = fmin(s.shortest, t->s);
    if (!t->implied)
      add(&s, t);
  }
  s.total = fmax(total(f), s.last);
  return s;
}

/* A cap of the client's that is known and that the divided wait would not be
 * over any more. */
static char *over_cap(const struct sums *s, const struct policy *policy)
{
  static const char *const names[] = {"max_wait_s", "timeout_s", "deadline_s"};
  const double waits[] = {s->told, s->silent, s->total};
  double cap = 0;
  for (size_t i = 0; policy && i < sizeof names / sizeof *names; i++)
    if (policy_number(policy, names[i], &cap) && waits[i] > cap)
      return mem_format("a wait of %g s is over the client's own policy.%s = "
                        "%g s, which does not become shorter",
                        waits[i], names[i], cap);
  return NULL;
}

static double divisor(const struct sums *s, bool cut,
                      const struct scale_options *o)
{
  double least = cut ? LONGEST_CUT_S : LONGEST_S;
  double k = o->k > 0 ? o->k : s->longest / least;
  k = fmin(k, s->shortest / SCALE_LEAST_S);
  if (s->part)
    k = (double)s->part / ceil((double)s->part / k - NEARLY);
  return k;
}

/* What keeps k from being larger. */
static char *limiting(const struct sums *s, double k,
                      const struct scale_options *o)
{
  if (o->k > 0 && k > o->k - NEARLY)
    return mem_format("--scale %g", o->k);
  if (s->shortest / SCALE_LEAST_S < 2 * k)
    return mem_format("a wait of %g s would fall below a second", s->shortest);
  return mem_format("whole seconds would not stay whole (they are multiples "
                    "of %lld)",
                    (long long)s->part);
}

/* How long a run can take that is divided by k. */
static double run_s(const struct sums *s, double k, double limit_s,
                    const struct spec *spec)
{
  return fmin(s->total / k, limit_s * spec->starts);
}

static void not_divided(struct scale_plan *ret, const struct sums *s,
                        const struct spec *spec, const struct scale_options *o)
{
  double waits = run_s(s, 1, spec->limit_s, spec);
  char *why = ret->why;
  ret->word = waits <= o->real_limit_s ? SCALE_AS_IS : SCALE_SKIPPED;
  if (ret->word == SCALE_SKIPPED) {
    ret->why = mem_format("waits up to %g s (--real-limit %g) and cannot be "
                          "scaled: %s",
                          waits, o->real_limit_s, why);
    free(why);
  }
}

void scale_decide(struct scale_plan *ret, const struct scale_facts *f,
                  const struct spec *spec, const struct scale_options *o)
{
  struct sums s = add_up(f);
  *ret = (struct scale_plan){
      .word = SCALE_AS_IS, .k = 1, .limit_s = spec->limit_s};
  bool waits = s.longest > (o->k > 0 ? SCALE_LEAST_S : LEAST_WAIT_S);
  if (!waits && s.thresholds) {
    ret->word = SCALE_WINDOW_ONLY;
    ret->limit_s = fmin(spec->limit_s, fmax(WINDOW_S, s.longest + WINDOW_S));
  }
  if (!waits)
    return;
  double k = divisor(&s, f->cut, o);
  ret->why = f->blocked ? mem_strdup(f->blocked) : over_cap(&s, o->policy);
  char *limit = limiting(&s, k, o);
  if (!ret->why && k <= 1 + NEARLY)
    ret->why = mem_strdup(limit);
  double limit_s = fmax(spec->limit_s / k, fmin(spec->limit_s, LEAST_LIMIT_S));
  if (!ret->why && run_s(&s, k, limit_s, spec) > o->real_limit_s)
    ret->why = mem_format("divided by %.4g it would still wait %g s, and %s", k,
                          run_s(&s, k, limit_s, spec), limit);
  free(limit);
  if (ret->why) {
    not_divided(ret, &s, spec, o);
    return;
  }
  ret->word = SCALE_DIVIDED;
  ret->k = k;
  ret->cut_s = f->cut ? CUT_S : 0;
  ret->limit_s = limit_s;
}
