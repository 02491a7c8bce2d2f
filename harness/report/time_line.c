#include "harness/report/time_line.h"

#include "base/param.h"
#include "harness/report/detail.h"

#include <string.h>

/* What a report's `time` says; zero where it says nothing. */
struct times {
  double virtual_s, real_s, jumps, longest_s, crept_s, real_rate_s;
  bool is_virtual, is_scaled, many, at_unused;
  const char *no_virtual; /* why it is not virtual, "": nobody asked */
  const cJSON *node;
};

static double number_at(const cJSON *o, const char *key)
{
  double n = 0;
  param_number(o, key, &n);
  return n;
}

/* False: nothing is worth a word. */
static bool times_of(const struct result *r, struct times *ret)
{
  const cJSON *o = param_node(r->json, "time");
  *ret = (struct times){.node = o,
                        .virtual_s = number_at(o, "virtual_s"),
                        .real_s = number_at(o, "real_s"),
                        .jumps = number_at(o, "jumps"),
                        .longest_s = number_at(o, "longest_sleep_s"),
                        .crept_s = number_at(o, "crept_s"),
                        .real_rate_s = number_at(o, "real_rate_s")};
  param_bool(o, "many_jumps", &ret->many);
  param_bool(o, "at_unused", &ret->at_unused);
  ret->is_virtual = strcmp(detail_text(o, "mode"), "virtual") == 0;
  ret->is_scaled = strcmp(detail_text(o, "mode"), "scaled") == 0;
  ret->no_virtual = detail_text(o, "no_virtual");
  return ret->is_virtual || ret->is_scaled || ret->at_unused;
}

/* Days are the largest unit, three digits enough; a millisecond is the least
 * that anybody asks about. */
static void add_span(struct buf *b, double s)
{
  if (s >= 2 * 86400)
    buf_addf(b, "%.3g days", s / 86400);
  else if (s >= 2 * 3600)
    buf_addf(b, "%.3g h", s / 3600);
  else if (s >= 1000)
    buf_addf(b, "%.0f s", s);
  else
    buf_addf(b, "%.3g s", s < 0.0005 ? 0 : s);
}

static void add_jumps(struct buf *b, double n)
{
  bool one = n > 0.5 && n < 1.5;
  buf_addf(b, "%.0f jump%s", n, one ? "" : "s");
}

static void add_part(struct buf *b, double s, const char *what)
{
  buf_adds(b, ", ");
  add_span(b, s);
  buf_addf(b, " of it %s", what);
}

/* What to look for and what to do: each jump is real time. */
static void add_busiest(const cJSON *busiest, struct buf *b)
{
  buf_addf(b, ", %.0f of them for the thread '%s', which waits ",
           number_at(busiest, "jumps"), detail_text(busiest, "thread"));
  if (param_has(busiest, "wait_s"))
    buf_addf(b, "%.3g ms ", number_at(busiest, "wait_s") * 1000);
  buf_adds(b, "and looks again: the run is faster when it waits longer, or for "
              "the event itself, or is named in client.housekeeping");
}

static void add_warnings(const struct times *t, struct buf *b)
{
  const cJSON *busiest = param_node(t->node, "busiest"), *o = NULL;
  if (t->many) {
    buf_addf(b, "; %.0f jumps a virtual second",
             t->jumps / (t->virtual_s > 1 ? t->virtual_s : 1));
    if (busiest)
      add_busiest(busiest, b);
  }
  cJSON_ArrayForEach(o, param_node(t->node, "opaque"))
  {
    buf_addf(b, "; not followed: %s%s%s (%s)", detail_text(o, "program"),
             detail_text(o, "call")[0] ? " in " : "", detail_text(o, "call"),
             detail_text(o, "why"));
  }
}

/* What was divided and what was not is in the JSON report. */
static void add_unmoved(const struct times *t, struct buf *b)
{
  double k = number_at(param_node(t->node, "scale"), "k");
  if (t->is_scaled && k > 1)
    buf_addf(b, "scaled, divided by %.4g", k);
  else
    buf_adds(b, t->is_scaled ? "scaled, nothing divided" : "real");
  if (t->at_unused)
    buf_adds(b, "; 'at' had no effect: the wall clock was today's");
  if (t->no_virtual[0])
    buf_addf(b, "; no virtual time here: %s", t->no_virtual);
}

void time_line(const struct result *r, struct buf *ret)
{
  struct times t;
  if (!times_of(r, &t))
    return;
  if (!t.is_virtual) {
    add_unmoved(&t, ret);
    return;
  }
  add_span(ret, t.virtual_s);
  buf_addf(ret, " virtual in %.2f s real, ", t.real_s);
  add_jumps(ret, t.jumps);
  if (t.longest_s > 0) {
    buf_adds(ret, ", longest wait ");
    add_span(ret, t.longest_s);
  }
  if (t.crept_s > 0)
    add_part(ret, t.crept_s, "computing");
  if (t.real_rate_s > 0)
    add_part(ret, t.real_rate_s, "at the real rate");
  add_warnings(&t, ret);
}

struct total {
  double virtual_s, real_s, jumps;
  size_t nvirtual, nscaled, nopaque, nat, nmany;
  const char *no_virtual; /* of the first that has one */
};

static struct total total_of(const struct run_report *run)
{
  struct total sum = {.no_virtual = ""};
  struct times t;
  for (size_t i = 0; i < run->n; i++) {
    if (!times_of(&run->results[i], &t))
      continue;
    sum.nat += t.at_unused;
    sum.nvirtual += t.is_virtual;
    sum.nscaled += t.is_scaled;
    if (!sum.no_virtual[0])
      sum.no_virtual = t.no_virtual;
    sum.nmany += t.many;
    sum.nopaque += cJSON_GetArraySize(param_node(t.node, "opaque")) > 0;
    sum.virtual_s += t.virtual_s;
    sum.real_s += t.real_s;
    sum.jumps += t.jumps;
  }
  return sum;
}

void time_total(const struct run_report *run, struct buf *ret)
{
  struct total t = total_of(run);
  if (t.nvirtual) {
    buf_addf(ret, "%zu of %zu scenarios in virtual time: ", t.nvirtual, run->n);
    add_span(ret, t.virtual_s);
    buf_addf(ret, " in %.1f s real, ", t.real_s);
    add_jumps(ret, t.jumps);
  }
  if (t.nopaque)
    buf_addf(ret, "; in %zu a program could not be followed", t.nopaque);
  if (t.nmany)
    buf_addf(ret, "; in %zu a thread wakes up all the time", t.nmany);
  if (t.nscaled)
    buf_addf(ret, "%s%zu of %zu scenarios in scaled time",
             t.nvirtual ? "; " : "", t.nscaled, run->n);
  if (t.nat)
    buf_addf(ret, "%s'at' had no effect in %zu: real time",
             t.nvirtual + t.nscaled ? "; " : "", t.nat);
  if (t.no_virtual[0])
    buf_addf(ret, "; no virtual time here: %s", t.no_virtual);
}
