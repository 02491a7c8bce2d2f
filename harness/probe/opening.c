#include "harness/probe/opening.h"

#include <string.h>

/* The end of the last call before the moment; 0: none. */
static double last_call_before(const struct sight *s, double at_s)
{
  double end = 0;
  for (size_t i = 0; i < s->ncalls && s->calls[i].at_s < at_s; i++)
    end = s->calls[i].end_s;
  return end;
}

static void find_closing(const struct sight *s, size_t silent,
                         struct opening *o)
{
  double opened_s = last_call_before(s, s->starts[silent].start_s);
  for (size_t i = silent + 1; i < s->nstarts; i++) {
    if (sight_calls_of(s, (int)i) == 0)
      continue;
    o->closed_again = true;
    o->cool_least_s = s->starts[i - 1].start_s - opened_s;
    o->cool_most_s = s->starts[i].exit_s - opened_s;
    for (size_t k = 0; k < s->ncalls; k++)
      if (s->calls[k].start == (int)i) {
        o->cool_most_s = s->calls[k].at_s - opened_s;
        break;
      }
    return;
  }
}

struct opening opening_of(const struct sight *s)
{
  struct opening o;
  memset(&o, 0, sizeof o);
  for (size_t i = 0; i < s->nstarts; i++) {
    size_t n = sight_calls_of(s, (int)i);
    o.after += n;
    if (n || o.after == 0)
      continue;
    o.opened = true;
    o.code = s->starts[i].code;
    find_closing(s, i, &o);
    break;
  }
  return o;
}

static size_t most_in_flight(const struct sight *s, double from_s)
{
  size_t most = 0;
  for (size_t i = 0; i < s->ncalls; i++) {
    size_t n = 0;
    double at = s->calls[i].at_s;
    if (at < from_s)
      continue;
    for (size_t k = 0; k < s->ncalls; k++)
      n += s->calls[k].at_s >= from_s && s->calls[k].at_s <= at &&
           at < s->calls[k].end_s;
    most = n > most ? n : most;
  }
  return most;
}

/* Copies of one round start together; the last round's are the latest. */
static double second_round_s(const struct sight *s)
{
  double at = 0;
  for (size_t i = 0; i < s->nstarts; i++)
    at = s->starts[i].start_s > at ? s->starts[i].start_s : at;
  return at - 0.25;
}

struct trial_probes probes_of(const struct sight *s)
{
  struct trial_probes p = {.shared = s->nstarts > 0};
  double from_s = second_round_s(s);
  for (size_t i = 0; i < s->nstarts; i++)
    if (s->starts[i].start_s < from_s && s->starts[i].code == 0 &&
        s->starts[i].sig == 0 && !s->starts[i].timed_out)
      p.shared = false;
  p.at_once = most_in_flight(s, from_s);
  return p;
}
