#include "mutants/baseline.h"

#include <stdlib.h>

/* A suite of whole scenarios may take long; this only ends one that hangs. */
#define BASELINE_LIMIT_MS (INT64_C(3600) * 1000)

int baseline_not_green(const struct verdicts *v, struct buf *why)
{
  int n = 0;
  for (int i = 0; i < v->n; i++) {
    const struct test *t = &v->item[i];
    if (t->verdict == VERDICT_GREEN)
      continue;
    buf_addf(why, "  %s: %s%s%s%s%s\n", t->name, verdict_word(t->verdict),
             t->kind ? ", " : "", kind_word(t->kind), *t->why ? ": " : "",
             t->why);
    n++;
  }
  return n;
}

int control_false_greens(const struct verdicts *v, const struct texts *declared,
                         const char *control, struct buf *why)
{
  int n = 0;
  for (int i = 0; i < v->n; i++) {
    const struct test *t = &v->item[i];
    if (t->verdict != VERDICT_GREEN || t->skipped ||
        globs_match(declared, t->name))
      continue;
    buf_addf(why, "  %s: green under the control \"%s\"\n", t->name, control);
    n++;
  }
  return n;
}

static bool same_names(const struct verdicts *a, const struct verdicts *b)
{
  for (int i = 0; i < a->n; i++)
    if (!verdicts_find(b, a->item[i].name))
      return false;
  return a->n == b->n;
}

static bool accept(struct gate *g, struct suite_answer *a, struct buf *why)
{
  if (a->state != SUITE_JUDGED) {
    buf_addf(why, "  %s\n", a->why);
    baseline_not_green(&a->tests, why);
    return false;
  }
  if (baseline_not_green(&a->tests, why))
    return false;
  if (g->base.n && !same_names(&g->base, &a->tests)) {
    buf_addf(why, "  two runs have different tests: %d, then %d\n", g->base.n,
             a->tests.n);
    return false;
  }
  verdicts_release(&g->base);
  g->base = a->tests;
  a->tests = (struct verdicts){0};
  return true;
}

static void set_limit(struct gate *g, int64_t slowest_ms)
{
  const struct gate_options *o = g->options;
  double by_time = o->timeout_multiplier * (double)slowest_ms;
  double least = o->minimum_timeout_s * 1000;
  g->limit_ms = (int64_t)(by_time > least ? by_time : least);
}

static int run_suites(struct gate *g, struct worker *w, bool *ret_ok,
                      struct buf *why, struct diag *diag)
{
  struct suite_call call = {.gate = g,
                            .folder = w->folder,
                            .report = w->report,
                            .limit_ms = BASELINE_LIMIT_MS};
  int64_t slowest_ms = 0;
  for (int64_t i = 0; *ret_ok && i < g->options->baseline_runs; i++) {
    struct suite_answer a;
    int rc = suite_run(&call, &a, diag);
    if (rc == 0)
      *ret_ok = accept(g, &a, why);
    if (a.ms > slowest_ms)
      slowest_ms = a.ms;
    suite_answer_release(&a);
    if (rc < 0)
      return -1;
  }
  set_limit(g, slowest_ms);
  for (int i = 0; i < g->base.n; i++)
    texts_add(&g->tests, g->base.item[i].name);
  return 0;
}

int baseline_run(struct gate *g, struct worker *w, bool *ret_ok,
                 struct buf *why, struct diag *diag)
{
  /* Before the build: what the build makes is no part of the suite. */
  suite_find_pins(g, w->folder, &g->pins);
  g->pin_hash = suite_pin_hash(g, w->folder);
  if (worker_build_baseline(w, ret_ok, why, diag) < 0)
    return -1;
  if (!*ret_ok) {
    buf_addc(why, '\n');
    return 0;
  }
  return run_suites(g, w, ret_ok, why, diag);
}

static int run_control(struct gate *g, struct worker *w, enum control c,
                       struct buf *why, struct diag *diag)
{
  static const char *const NAMES[] = {[CONTROL_NO_FAULTS] = "no faults sent",
                                      [CONTROL_DEAD_TRUE] = "dead client, true",
                                      [CONTROL_DEAD_FALSE] =
                                          "dead client, false"};
  const struct texts *declared = c == CONTROL_NO_FAULTS
                                     ? &g->plan.no_faults_green
                                     : &g->plan.dead_client_green;
  struct suite_call call = {.gate = g,
                            .folder = w->folder,
                            .report = w->report,
                            .control = c,
                            .limit_ms = BASELINE_LIMIT_MS};
  struct suite_answer a;
  if (suite_run(&call, &a, diag) < 0)
    return -1;
  if (a.state != SUITE_JUDGED)
    buf_addf(why, "  control \"%s\": %s\n", NAMES[c], a.why);
  else
    control_false_greens(&a.tests, declared, NAMES[c], why);
  suite_answer_release(&a);
  return 0;
}

int controls_run(struct gate *g, struct worker *w, bool *ret_ok,
                 struct buf *why, struct diag *diag)
{
  static const enum control ALL[] = {CONTROL_NO_FAULTS, CONTROL_DEAD_TRUE,
                                     CONTROL_DEAD_FALSE};
  for (size_t i = 0; i < sizeof ALL / sizeof ALL[0]; i++)
    if (suite_has_control(&g->plan.suite, ALL[i]) &&
        run_control(g, w, ALL[i], why, diag) < 0)
      return -1;
  *ret_ok = why->n == 0;
  return 0;
}
