/*
 * The time one call may take with all its repeats.
 *
 * Waits are asked for that fill the limit of the probe: a client that makes
 * fewer attempts than it otherwise does has run into its own deadline.
 */
#include "harness/probe/probe.h"
#include "harness/probe/span.h"
#include "harness/probe/trials.h"

#include <math.h>

static const char what[] = "deadline of a call", key[] = "deadline_s";
/* Of the longest wait that fits: one that is longer than the client obeys
 * tells nothing, and different ones narrow the deadline. */
static const double shares[] = {1, 0.9, 0.8, 0.65, 0.5, 0.35};
enum { NSHARES = sizeof shares / sizeof shares[0] };

static void say_nothing(struct findings *f, char *because)
{
  take_nothing(f, what, mem_strdup(because));
  take_no_setting(f, key, because);
}

static const struct sight *want(struct book *b, enum error_class c, double s)
{
  char *name = mem_format("%s, always, retry-after %.0f", class_name(c), s);
  char *more = wait_keys(&b->face, s);
  struct trial_ask ask = {.steps = class_steps(&b->face, c, more)};
  const struct sight *seen = book_want(b, name, &ask);
  free(more);
  free(name);
  return seen;
}

static bool look(struct book *b, enum error_class c, size_t attempts,
                 struct span *ret)
{
  double each = (b->limit_s - 1) / (double)(attempts - 1), before = 0;
  bool all = true;
  for (size_t i = 0; i < NSHARES; i++) {
    double s = floor(each * shares[i]);
    if (s < 2 || s == before)
      continue;
    before = s;
    const struct sight *seen = want(b, c, s);
    if (!seen)
      all = false;
    else
      span_add(ret, seen, attempts, s);
  }
  return all;
}

static void say(struct findings *f, const struct span *s)
{
  if (s->has_high) {
    take_value(f, what,
               mem_format("between %.1f and %.1f s", s->low_s, s->high_s),
               mem_strdup("with longer waits it ends before it has made all "
                          "its attempts"));
    take_setting(f, key, mem_format("%.1f", s->high_s),
                 mem_format("it gives up rather than wait beyond it; it lies "
                            "between %.1f and %.1f s",
                            s->low_s, s->high_s));
  } else if (s->low_s > 0) {
    take_value(f, what, mem_format("none within %.1f s", s->low_s),
               mem_strdup("it makes all its attempts however long they "
                          "take"));
    take_no_setting(
        f, key,
        mem_format("longer than %.1f s, as long as was looked", s->low_s));
  } else {
    say_nothing(f, mem_strdup("it obeys no wait that could fill the limit"));
  }
}

static void measure(struct book *b, struct findings *f)
{
  size_t attempts = 0;
  struct span s = {0};
  enum error_class c = most_repeated(b);
  if (c == NCLASSES || !attempts_of(b, c, &attempts) || attempts < 2) {
    say_nothing(f, mem_strdup("no error was asked again"));
    return;
  }
  if (look(b, c, attempts, &s))
    say(f, &s);
}

const struct probe probe_deadline = {
    "deadline", "the time one call may take with its repeats", measure};
