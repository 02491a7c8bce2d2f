/*
 * A circuit breaker: how many refusals open it, how long it cools, how many
 * calls probe at once.
 *
 * One client seldom lives long enough to show it, so the client is started
 * again and again with the same HOME (copies: with the same XDG_STATE_HOME),
 * and a start that makes no call is what an open breaker looks like.
 */
#include "harness/probe/opening.h"
#include "harness/probe/probe.h"
#include "harness/probe/trials.h"

#include <math.h>

/* Failures after which no breaker is looked for any more. */
enum {
  FEW_STARTS = 5,
  FAILURES = 12,
  MAX_STARTS = 14,
  MAX_LOOKS = 80,
  COPIES = 4
};
/* Between two looks at an open breaker. */
#define LOOK_S 0.25
/* Of one look at a client that waits by itself. */
#define START_LIMIT_S 8.0

static const char what[] = "breaker", key[] = "breaker";

static const struct sight *want_starts(struct book *b, const char *name,
                                       int starts, double pause_s)
{
  char *more = wait_keys(&b->face, 1);
  struct trial_ask ask = {.steps =
                              class_steps(&b->face, CLASS_RATE_LIMIT, more),
                          .limit_s = START_LIMIT_S,
                          .starts = starts,
                          .pause_s = pause_s};
  free(more);
  return book_want(b, name, &ask);
}

/* Starts that together make so many failures, if the first few have not
 * opened anything; 0: they made enough. */
static int more_starts(const struct sight *s)
{
  if (s->why || s->total == 0 || s->total >= FAILURES || opening_of(s).opened)
    return 0;
  double each = (double)s->total / (double)s->nstarts;
  int starts = (int)ceil(FAILURES / each) + 1;
  return starts > MAX_STARTS ? MAX_STARTS : starts;
}

/* --- cooling --------------------------------------------------------------
 */

static const struct sight *want_cooling(struct book *b,
                                        const struct sight *first)
{
  struct opening o = opening_of(first);
  const struct sight_start *last = sight_last(first);
  double one_s = last->exit_s - last->start_s, pause_s = LOOK_S;
  /* Starts that open it, then looks until the limit is over. */
  int looks = (int)(b->limit_s / (one_s + pause_s));
  if (looks > MAX_LOOKS) {
    looks = MAX_LOOKS;
    pause_s = b->limit_s / MAX_LOOKS;
  }
  return want_starts(b, "429 with starts until it closes again",
                     looks + (int)o.after, pause_s);
}

static void say_cooling(struct findings *f, const struct opening *o,
                        const struct sight *s, const char *seen)
{
  static const char name[] = "breaker: cools for";
  if (o->closed_again)
    take_value(f, name,
               mem_format("%.1f to %.1f s", o->cool_least_s, o->cool_most_s),
               mem_format("no call %.2f s after the one that opened it, one "
                          "after %.2f s",
                          o->cool_least_s, o->cool_most_s));
  else
    take_value(
        f, name,
        mem_format("longer than %.1f s",
                   sight_last(s)->exit_s - s->calls[s->ncalls - 1].end_s),
        mem_strdup(seen));
}

/* --- probes ---------------------------------------------------------------
 */

/* The copies open it together, and start again together when it has cooled.
 * All answers take their time, so that calls beside each other are seen. */
static char *copies_steps(const struct face *face, size_t after)
{
  const char *slow = face->command ? ",\"delay_s\":0.8" : ",\"delay_ms\":800";
  char *wait = wait_keys(face, 1);
  char *more = mem_format("%s%s,\"times\":%zu", wait, slow,
                          (after + COPIES - 1) / COPIES);
  char *step = class_step(face, CLASS_RATE_LIMIT, more);
  char *who = face->command ? mem_format("\"command\":\"%s\",", face->command)
                            : mem_strdup("");
  char *list = mem_format("[{%s},{%s\"reply\":\"message\"%s,\"times\":"
                          "\"always\"}]",
                          step, who, slow);
  free(wait);
  free(more);
  free(step);
  free(who);
  return list;
}

static const struct sight *want_copies(struct book *b, double cool_s,
                                       size_t after)
{
  struct trial_ask ask = {.steps = copies_steps(&b->face, after),
                          .limit_s = START_LIMIT_S,
                          .starts = 2,
                          .pause_s = cool_s + 0.5,
                          .lanes = COPIES,
                          .shared_state = true};
  return book_want(b, "copies at a breaker that has cooled", &ask);
}

static void say_probes(struct findings *f, const struct sight *s)
{
  static const char name[] = "breaker: probes at once";
  struct trial_probes p = probes_of(s);
  if (s->why || s->ncalls == 0)
    take_nothing(f, name, sight_sentence(s));
  else if (!p.shared)
    take_nothing(f, name,
                 mem_strdup("copies do not share it: XDG_STATE_HOME is not "
                            "where it is kept"));
  else if (p.at_once == 0)
    take_nothing(f, name, mem_strdup("no copy asked when it had cooled"));
  else
    take_value(f, name, mem_format("%zu", p.at_once),
               mem_format("of %d copies that start together", COPIES));
  if (p.shared && p.at_once > 1)
    take_danger(f, HARM_ATTACKS, "breaker/half-open-lets-one-through",
                mem_format("%zu calls probe at once when the breaker has "
                           "cooled",
                           p.at_once));
}

/* --- all ------------------------------------------------------------------
 */

static void set_policy(struct findings *f, const struct opening *o,
                       const struct opening *cooling, const char *seen)
{
  char *cool = cooling->closed_again
                   ? mem_format(", \"cooldown_s\": %.1f", cooling->cool_most_s)
                   : mem_strdup("");
  take_setting(f, key, mem_format("{ \"opens_after\": %zu%s }", o->after, cool),
               mem_format("%s; window and longest cooling were not measured: "
                          "they take minutes%s",
                          seen,
                          cooling->closed_again
                              ? ""
                              : "; the cooling is longer than the limit"));
  free(cool);
}

static void say_open(struct book *b, struct findings *f, const struct sight *s)
{
  struct opening o = opening_of(s);
  const struct sight *cool = want_cooling(b, s);
  if (!cool)
    return;
  char *seen = sight_sentence(s), *cool_seen = sight_sentence(cool);
  struct opening c = opening_of(cool);
  take_value(f, what,
             mem_format("opens after %zu refusals, exit %d", o.after, o.code),
             mem_strdup(seen));
  if (cool->why || cool->ncalls == 0)
    take_nothing(f, "breaker: cools for", mem_strdup(cool_seen));
  else
    say_cooling(f, &c, cool, cool_seen);
  set_policy(f, &o, &c, seen);
  free(seen);
  free(cool_seen);
  if (!c.closed_again || c.cool_most_s + 2 > b->limit_s)
    return;
  const struct sight *copies = want_copies(b, c.cool_most_s, o.after);
  if (copies)
    say_probes(f, copies);
}

static void measure(struct book *b, struct findings *f)
{
  const struct sight *s = want_starts(b, "429 with some starts", FEW_STARTS, 0);
  int more = s ? more_starts(s) : 0;
  if (more)
    s = want_starts(b, "429 with many starts", more, 0);
  if (!s)
    return;
  if (s->why || s->ncalls == 0) {
    take_nothing(f, what, sight_sentence(s));
    take_no_setting(f, key, sight_sentence(s));
  } else if (!opening_of(s).opened) {
    take_value(f, what, mem_format("none within %zu refusals", s->total),
               sight_sentence(s));
    take_no_setting(f, key, sight_sentence(s));
  } else {
    say_open(b, f, s);
  }
}

const struct probe probe_breaker = {
    "breaker", "whether refusals of many starts open a circuit breaker",
    measure};
