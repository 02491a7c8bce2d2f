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

/* How often each test of the first run was not green. */
struct probe {
  int64_t *bad;
  char **why; /* of the last time */
  int64_t runs;
};

static void probe_release(struct probe *p, int ntests)
{
  for (int i = 0; p->why && i < ntests; i++)
    free(p->why[i]);
  free(p->why);
  free(p->bad);
}

static void count(struct probe *p, const struct verdicts *base,
                  const struct verdicts *now)
{
  for (int i = 0; i < base->n; i++) {
    const struct test *t = verdicts_find(now, base->item[i].name);
    if (!t || t->verdict == VERDICT_GREEN)
      continue;
    p->bad[i]++;
    free(p->why[i]);
    p->why[i] =
        mem_format("%s%s%s%s%s", verdict_word(t->verdict), t->kind ? ", " : "",
                   kind_word(t->kind), *t->why ? ": " : "", t->why);
  }
  p->runs++;
}

/* False, with the reason, when this run is no baseline at all. */
static bool accept(struct gate *g, struct probe *p, struct suite_answer *a,
                   struct buf *why)
{
  if (a->state != SUITE_JUDGED) {
    buf_addf(why, "  %s\n", a->why);
    baseline_not_green(&a->tests, why);
    return false;
  }
  if (g->base.n && !same_names(&g->base, &a->tests)) {
    buf_addf(why, "  two runs have different tests: %d, then %d\n", g->base.n,
             a->tests.n);
    return false;
  }
  if (g->base.n == 0) {
    g->base = a->tests;
    a->tests = (struct verdicts){0};
    p->bad = mem_zalloc((size_t)(g->base.n + 1) * sizeof *p->bad);
    p->why = mem_zalloc((size_t)(g->base.n + 1) * sizeof *p->why);
    count(p, &g->base, &g->base);
  } else {
    count(p, &g->base, &a->tests);
  }
  return true;
}

/* A test that fell in some runs only is noise: what it says about a mutant is
 * worth nothing. False when one fell every time, or when the canary flickers:
 * it clears every mutant. */
static bool take_noise(struct gate *g, const struct probe *p, struct buf *why)
{
  bool ok = true;
  for (int i = 0; i < g->base.n; i++) {
    struct test *t = &g->base.item[i];
    bool is_canary = globs_match(&g->plan.canary, t->name);
    if (p->bad[i] == 0)
      continue;
    if (p->bad[i] == p->runs || is_canary) {
      buf_addf(why, "  %s: %s", t->name, p->why[i]);
      if (p->bad[i] < p->runs)
        buf_addf(why, " (%lld of %lld runs; the canary may not flicker)",
                 (long long)p->bad[i], (long long)p->runs);
      buf_addc(why, '\n');
      ok = false;
      continue;
    }
    texts_add(&g->noisy, mem_format("%s", t->name));
    free(t->why);
    t->why = mem_format("flickers: not green in %lld of %lld runs of the "
                        "unmutated tree (%s)",
                        (long long)p->bad[i], (long long)p->runs, p->why[i]);
    t->noisy = true;
    t->verdict = VERDICT_GREEN;
    t->kind = KIND_NONE;
  }
  return ok;
}

static void set_limit(struct gate *g, int64_t slowest_ms)
{
  const struct gate_options *o = g->options;
  double by_time = o->timeout_multiplier * (double)slowest_ms;
  double least = o->minimum_timeout_s * 1000;
  g->limit_ms = (int64_t)(by_time > least ? by_time : least);
}

static int run_suites(struct gate *g, struct worker *w, struct probe *p,
                      bool *ret_ok, struct buf *why, struct diag *diag)
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
      *ret_ok = accept(g, p, &a, why);
    if (a.ms > slowest_ms)
      slowest_ms = a.ms;
    suite_answer_release(&a);
    if (rc < 0)
      return -1;
  }
  set_limit(g, slowest_ms);
  return 0;
}

static int probe_suites(struct gate *g, struct worker *w, bool *ret_ok,
                        struct buf *why, struct diag *diag)
{
  struct probe p = {0};
  int rc = run_suites(g, w, &p, ret_ok, why, diag);
  if (rc == 0 && *ret_ok) {
    *ret_ok = take_noise(g, &p, why);
    for (int i = 0; i < g->base.n; i++)
      texts_add(&g->tests, g->base.item[i].name);
  }
  probe_release(&p, g->base.n);
  return rc;
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
  return probe_suites(g, w, ret_ok, why, diag);
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
