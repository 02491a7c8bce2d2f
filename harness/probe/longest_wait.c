/*
 * The longest retry-after that is obeyed, and what happens above it.
 *
 * Nobody waits an hour for that: a client that is still silent after a short
 * time, has not ended and has not asked again is taken for one that waits,
 * and the table says how long it was watched. One that stops does so at
 * once, one that ignores or clamps the wait asks early.
 */
#include "harness/probe/obeyed.h"
#include "harness/probe/probe.h"
#include "harness/probe/trials.h"

#include <math.h>

/* Waits that are really waited for. */
static const double small[] = {1, 2, 4};
/* Caps met in the field lie at or next to these: 60 (SDKs, Claude Code), 120,
 * 300 (the first article), an hour; the last is a day. */
static const double grid[] = {10,  30,  59,  60,   61,   120, 121,
                              300, 301, 600, 1800, 3600, 7200};
/* A day, watched to the limit: it finds those that clamp every wait to some
 * seconds. */
#define DEEP_S 86400.0
enum {
  NSMALL = sizeof small / sizeof small[0],
  NGRID = sizeof grid / sizeof grid[0],
  AT_ONCE = 8, /* values of one round of the search */
  MAX_TRIED = 128
};
/* Time a client has to end or to ask early, beyond twice its own backoff. */
#define WATCH_S 3.0
/* Of the search: how much longer than the ones that broke. */
#define MORE_WATCH_S 1.5

static const char what[] = "longest retry-after obeyed";

struct search {
  struct tried list[MAX_TRIED];
  size_t n;
  double watch_s;           /* of the grid */
  double broke_s;           /* the longest a client took to stop or ask early */
  const struct sight *high; /* the shortest that was not obeyed */
  double high_s;
  const struct sight *deep; /* of DEEP_S */
};

/* Seconds until it stopped or asked early. */
static double broke_after(const struct sight *s)
{
  return s->ncalls > 1 ? sight_gap(s, 0) : sight_quiet_s(s);
}

static bool is_broken(const struct sight *s, double asked_s)
{
  enum obeyed o = obeyed_of(s, asked_s);
  return o == OBEYED_STOPPED || o == OBEYED_EARLY;
}

static void add(struct search *x, double asked_s, const struct sight *s)
{
  if (x->n < MAX_TRIED)
    x->list[x->n++] = (struct tried){asked_s, obeyed_of(s, asked_s)};
  if (!is_broken(s, asked_s))
    return;
  double took = broke_after(s);
  x->broke_s = took > x->broke_s ? took : x->broke_s;
  if (!x->high || asked_s < x->high_s) {
    x->high = s;
    x->high_s = asked_s;
  }
}

static bool try_all(struct book *b, struct search *x, const double *list,
                    size_t n, double watch_s)
{
  bool all = true;
  for (size_t i = 0; i < n; i++) {
    const struct sight *s = want_wait(b, list[i], watch_s);
    if (s)
      add(x, list[i], s);
    else
      all = false;
  }
  return all;
}

/* False while trials are pending. */
static bool narrow(struct book *b, struct search *x)
{
  double next[AT_ONCE];
  double watch_s = 2 * x->broke_s + MORE_WATCH_S;
  if (watch_s > x->watch_s)
    watch_s = x->watch_s;
  /* Rounded, as it is part of a trial's name. */
  watch_s = ceil(watch_s * 2) / 2;
  for (;;) {
    struct bracket now = bracket_of(x->list, x->n);
    size_t n = bracket_next(&now, next, AT_ONCE);
    if (n == 0 || x->n + n > MAX_TRIED)
      return true;
    if (!try_all(b, x, next, n, watch_s))
      return false;
  }
}

static char *above_text(const struct search *x, const struct bracket *r)
{
  const struct sight_start *last = sight_last(x->high);
  if (r->above == OBEYED_EARLY)
    return mem_format("asks again after %.2f s", sight_gap(x->high, 0));
  return mem_format("stops after %.2f s, exit %d", sight_quiet_s(x->high),
                    last ? last->code : 0);
}

static void say_no_limit(struct findings *f, const struct search *x,
                         const struct bracket *r)
{
  char *note = mem_format("asked to wait %.0f s it was still silent after %.1f "
                          "s; no limit was found",
                          r->low_s, x->watch_s);
  take_value(f, what, mem_strdup("any: no limit found"), mem_strdup(note));
  take_no_setting(f, "max_wait_s", mem_strdup(note));
  take_no_setting(f, "over_max_wait", note);
  take_danger(f, HARM_NEVER_ENDS, "rate-limit/429-wait-above-the-cap",
              mem_strdup("it sleeps however long a retry-after says, also for "
                         "a day, and holds its worker meanwhile"));
}

static void say_limit(struct findings *f, const struct search *x,
                      const struct bracket *r)
{
  const char *word = r->above == OBEYED_EARLY ? "clamp" : "stop";
  char *above = above_text(x, r);
  char *note =
      mem_format("%.0f s: waits (watched for at most %.1f s); %.0f s: %s",
                 r->low_s, x->watch_s, r->high_s, above);
  take_value(
      f, what,
      mem_format("%.0f s; above it %s", r->low_s,
                 r->above == OBEYED_EARLY ? "comes back early" : "stops"),
      mem_strdup(note));
  take_setting(f, "max_wait_s", mem_format("%.0f", r->low_s), mem_strdup(note));
  take_setting(f, "over_max_wait", mem_format("\"%s\"", word), note);
  if (r->above == OBEYED_EARLY)
    take_danger(f, HARM_ATTACKS, "rate-limit/429-wait-above-the-cap",
                mem_format("asked to wait %.0f s it %s", r->high_s, above));
  free(above);
}

/* Not even a second is obeyed. */
static void say_none(struct findings *f, const struct search *x,
                     const struct bracket *r)
{
  char *above = above_text(x, r);
  char *note = mem_format("asked to wait %.0f s it %s", r->high_s, above);
  free(above);
  if (r->above == OBEYED_EARLY) {
    take_value(f, what, mem_strdup("none: retry-after is ignored"),
               mem_strdup(note));
    take_danger(f, HARM_ATTACKS, "rate-limit/429-then-wait-then-success",
                mem_format("retry-after is not obeyed: %s", note));
  } else {
    take_value(f, what,
               mem_format("less than %.0f s; above it stops", r->high_s),
               mem_strdup(note));
  }
  take_no_setting(f, "max_wait_s", mem_strdup(note));
  take_no_setting(f, "over_max_wait", note);
}

static void say_nothing(struct findings *f, const char *because)
{
  take_nothing(f, what, mem_strdup(because));
  take_no_setting(f, "max_wait_s", mem_strdup(because));
  take_no_setting(f, "over_max_wait", mem_strdup(because));
}

/* It slept longer than the others were watched, and did not hold out. */
static void say_late(struct findings *f, const struct search *x)
{
  double after_s = broke_after(x->deep);
  char *seen = sight_sentence(x->deep);
  char *note = mem_format("asked to wait %.0f s: %s", DEEP_S, seen);
  bool early = x->deep->ncalls > 1;
  take_value(f, what,
             mem_format(early ? "%.1f s; longer ones are cut to that"
                              : "%.1f s; then it gives up",
                        after_s),
             mem_strdup(note));
  if (early) {
    take_setting(f, "max_wait_s", mem_format("%.0f", after_s),
                 mem_strdup(note));
    take_setting(f, "over_max_wait", mem_strdup("\"clamp\""), note);
  } else {
    take_no_setting(f, "max_wait_s", mem_strdup(note));
    take_no_setting(f, "over_max_wait", note);
  }
  take_danger(f, HARM_WASTES, "rate-limit/429-wait-above-the-cap",
              mem_format("asked to wait for a day it sleeps %.1f s and then "
                         "%s all the same",
                         after_s, early ? "asks" : "fails"));
  free(seen);
}

/* --- the trials -----------------------------------------------------------
 */

/* A wait longer than all of the client's own, or its own would pass for one
 * that is obeyed. */
static bool try_small(struct book *b, struct search *x, double own_s)
{
  double list[NSMALL + 1];
  size_t n = 0;
  for (size_t i = 0; i < NSMALL; i++)
    if (small[i] > own_s)
      list[n++] = small[i];
  if (n == 0)
    list[n++] = ceil(own_s * 1.5) + 1;
  return try_all(b, x, list, n, 0);
}

/* True when it broke, but not within the time the others are watched. */
static bool try_deep(struct book *b, struct search *x)
{
  x->deep = want_wait(b, DEEP_S, 0);
  if (!x->deep)
    return false;
  if (is_broken(x->deep, DEEP_S) && broke_after(x->deep) > x->watch_s)
    return true;
  add(x, DEEP_S, x->deep);
  return false;
}

/* What was taken for waiting is waited for in earnest where it fits into the
 * limit; false while that is pending. */
static bool confirm(struct book *b, struct search *x)
{
  struct bracket r = bracket_of(x->list, x->n);
  if (!r.has_low || !r.has_high || r.low_s + 3 > b->limit_s)
    return true;
  const struct sight *s = want_wait(b, r.low_s, 0);
  if (s && obeyed_of(s, r.low_s) != OBEYED_SILENT)
    add(x, r.low_s, s);
  return s != NULL;
}

static void say(struct findings *f, const struct search *x)
{
  struct bracket r = bracket_of(x->list, x->n);
  if (!r.has_low && !r.has_high)
    say_nothing(f, "the trials showed no answer");
  else if (!r.has_low)
    say_none(f, x, &r);
  else if (!r.has_high)
    say_no_limit(f, x, &r);
  else
    say_limit(f, x, &r);
}

static void measure(struct book *b, struct findings *f)
{
  struct search x = {0};
  double least = 0, own = 0;
  size_t attempts = 0;
  if (!attempts_of(b, CLASS_RATE_LIMIT, &attempts) ||
      !own_first_wait(b, &least, &own))
    return;
  if (attempts < 2 && sight_ended(want_class(b, CLASS_RATE_LIMIT)) &&
      sight_ended(want_hinted(b, CLASS_RATE_LIMIT))) {
    say_nothing(f, "a 429 is never asked again");
    return;
  }
  x.watch_s = ceil(2 * own + WATCH_S);
  if (x.watch_s > b->limit_s)
    x.watch_s = b->limit_s;
  bool all = try_small(b, &x, own);
  all = try_all(b, &x, grid, NGRID, x.watch_s) && all;
  bool late = try_deep(b, &x);
  if (!all || !x.deep)
    return;
  if (late)
    say_late(f, &x);
  else if (narrow(b, &x) && confirm(b, &x))
    say(f, &x);
}

const struct probe probe_longest_wait = {
    "longest_wait", "the longest retry-after obeyed, and what is above it",
    measure};
