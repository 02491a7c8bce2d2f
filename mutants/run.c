/*
 * The order of a run: copy, baseline, controls, mutants, last checks.
 */
#include "mutants/baseline.h"
#include "mutants/pool.h"

#include "base/clock.h"
#include "base/file.h"
#include "mutants/declare.h"
#include "mutants/interrupt.h"
#include "mutants/render.h"
#include "mutants/results.h"
#include "mutants/tally.h"

#include <stdio.h>
#include <stdlib.h>

struct run {
  struct gate *gate;
  struct worker worker; /* the first copy */
  struct records records;
  bool build_only;
  int64_t start_ns;
};

static void print_buf(const struct buf *b)
{
  fputs(buf_str(b), stdout);
  fflush(stdout);
}

static int nothing_selected(const struct gate *g, enum gate_exit *ret_exit)
{
  printf("no mutant selected (the plan holds %d%s): nothing was tested, so "
         "nothing is proved\n",
         g->plan.nmutants,
         g->options->in_diff ? ", none in the lines of the diff" : "");
  *ret_exit = GATE_INAPPLICABLE;
  return 0;
}

/* *ret_ok false: told, and the run is over. */
static int check_baseline(struct run *r, bool *ret_ok, struct diag *diag)
{
  struct buf why;
  buf_init(&why, JSON_MAX_BYTES);
  int rc = r->build_only
               ? worker_build_baseline(&r->worker, ret_ok, &why, diag)
               : baseline_run(r->gate, &r->worker, ret_ok, &why, diag);
  if (rc == 0 && !*ret_ok)
    printf("baseline: the unmutated tree is not green%s%s\n",
           r->build_only ? ": " : "\n", buf_str(&why));
  buf_release(&why);
  return rc;
}

static int check_controls(struct run *r, bool *ret_ok, struct diag *diag)
{
  const struct plan_suite *s = &r->gate->plan.suite;
  struct buf why;
  if (r->gate->options->no_controls ||
      (!suite_has_control(s, CONTROL_NO_FAULTS) &&
       !suite_has_control(s, CONTROL_DEAD_TRUE))) {
    printf("controls: not run%s\n",
           r->gate->options->no_controls
               ? ""
               : " (the suite has neither 'no_faults' nor 'client')");
    return 0;
  }
  buf_init(&why, JSON_MAX_BYTES);
  int rc = controls_run(r->gate, &r->worker, ret_ok, &why, diag);
  if (rc == 0 && !*ret_ok)
    printf("controls: these tests prove nothing; let them fail, or declare "
           "them in 'controls'\n%s",
           buf_str(&why));
  buf_release(&why);
  return rc;
}

static void print_noise(const struct gate *g)
{
  for (int i = 0; i < g->noisy.n; i++)
    printf("noise: %s %s: it cannot kill a mutant\n", g->noisy.item[i],
           verdicts_find(&g->base, g->noisy.item[i])->why);
}

/* Whatever must hold before the first mutant. */
static int prepare(struct run *r, enum gate_exit *ret_exit, struct diag *diag)
{
  bool ok = true;
  if (check_baseline(r, &ok, diag) < 0)
    return -1;
  if (ok && !r->build_only) {
    if (gate_plan_check_tests(&r->gate->plan, &r->gate->tests, diag) < 0) {
      *ret_exit = GATE_USAGE;
      return -1;
    }
    results_take_tests(&r->records, r->gate);
    printf("baseline: %d tests green; a mutant's suite may take %.0f s\n",
           r->gate->tests.n, (double)r->gate->limit_ms / 1000);
    print_noise(r->gate);
    if (check_controls(r, &ok, diag) < 0)
      return -1;
  }
  fflush(stdout);
  *ret_exit = ok ? GATE_OK : GATE_BASELINE;
  return 0;
}

static int mutant_done(void *ctx, const struct record *record,
                       struct diag *diag)
{
  struct run *r = ctx;
  struct buf line;
  bool good = !record->done || outcome_class(record->outcome) == CLASS_OK;
  if (!good || r->gate->options->verbose) {
    buf_init(&line, JSON_MAX_BYTES);
    if (record->done)
      render_line(&r->records, record, &line);
    else
      buf_addf(&line, "viable           %s\n", record->id);
    print_buf(&line);
    buf_release(&line);
  }
  return results_write_one(r->gate, record, diag);
}

/* The user's own tree was only read; if it is another one now, the copies
 * were put back from different sources. */
static int compare_tree(struct run *r, struct buf *problem, struct diag *diag)
{
  struct tree_list now;
  struct texts changes = {0};
  const struct gate *g = r->gate;
  if (tree_list(g->tree, &g->skip, &now, diag) < 0)
    return -1;
  tree_changes(&g->list, &now, &changes);
  for (int i = 0; i < changes.n; i++)
    buf_addf(problem, "%s%s",
             i            ? ", "
             : problem->n ? "; the tree changed during the run: "
                          : "the tree changed during the run: ",
             changes.item[i]);
  texts_release(&changes);
  tree_list_release(&now);
  return 0;
}

static int run_mutants(struct run *r, struct diag *diag)
{
  struct pool pool = {r->gate,     &r->worker,  r->build_only,
                      &r->records, mutant_done, r};
  struct buf problem;
  buf_init(&problem, 65536);
  int done = 0, rc = pool_run(&pool, &problem, diag);
  if (rc == 0)
    rc = compare_tree(r, &problem, diag);
  for (int i = 0; i < r->records.n; i++)
    done += r->records.item[i].done;
  if (rc == 0 && !r->build_only && done != r->gate->nselected)
    buf_addf(&problem, "; %d mutants were selected, %d came to an outcome",
             r->gate->nselected, done);
  free(r->records.problem);
  r->records.problem = mem_strdup(buf_str(&problem));
  buf_release(&problem);
  r->records.ms = (clock_now_ns(clock_real()) - r->start_ns) / NS_PER_MS;
  return rc;
}

static int report(struct run *r, enum gate_exit *ret_exit, struct diag *diag)
{
  struct buf text;
  if (results_write_all(r->gate->out, &r->records, diag) < 0)
    return -1;
  buf_init(&text, SIZE_MAX / 2);
  render_grid(&r->records, &text);
  print_buf(&text);
  buf_release(&text);
  *ret_exit = tally_exit(&r->records, r->gate->options->strict_tests);
  return r->gate->options->record ? declare_write(r->gate, &r->records, diag)
                                  : 0;
}

/* Mutants that are not done fit and build. */
static int report_check(struct run *r, enum gate_exit *ret_exit)
{
  int bad = 0;
  for (int i = 0; i < r->records.n; i++)
    bad += r->records.item[i].done &&
           outcome_class(r->records.item[i].outcome) != CLASS_OK;
  if (*r->records.problem)
    printf("%s\n", r->records.problem);
  printf("%d mutants: %d fit and build, %d do not\n", r->records.n,
         r->records.n - bad, bad);
  *ret_exit = bad                   ? GATE_INAPPLICABLE
              : *r->records.problem ? GATE_UNDECIDED
                                    : GATE_OK;
  return 0;
}

static int run_in_copy(struct run *r, enum gate_exit *ret_exit,
                       struct diag *diag)
{
  if (worker_init(&r->worker, r->gate, 0, diag) < 0)
    return -1;
  int rc = prepare(r, ret_exit, diag);
  if (rc == 0 && *ret_exit == GATE_OK) {
    rc = run_mutants(r, diag);
    if (rc == 0)
      rc =
          r->build_only ? report_check(r, ret_exit) : report(r, ret_exit, diag);
  }
  worker_release(&r->worker);
  return rc;
}

static int run_all(struct gate *g, bool build_only, enum gate_exit *ret_exit,
                   struct diag *diag)
{
  struct run r = {.gate = g, .build_only = build_only};
  *ret_exit = GATE_INTERNAL;
  r.start_ns = clock_now_ns(clock_real());
  if (g->nselected == 0)
    return nothing_selected(g, ret_exit);
  if (gate_folders(g, diag) < 0) {
    *ret_exit = GATE_USAGE;
    return -1;
  }
  children_begin();
  int rc = interrupt_watch(g->options->keep ? NULL : g->work, diag);
  if (rc == 0)
    rc = tree_list(g->tree, &g->skip, &g->list, diag);
  if (rc == 0) {
    results_start(&r.records, g);
    rc = run_in_copy(&r, ret_exit, diag);
    records_release(&r.records);
  }
  children_end_all(false);
  if (!g->options->keep)
    file_remove_tree(g->work);
  return rc;
}

int gate_run(struct gate *g, enum gate_exit *ret_exit, struct diag *diag)
{
  return run_all(g, false, ret_exit, diag);
}

int gate_check(struct gate *g, enum gate_exit *ret_exit, struct diag *diag)
{
  return run_all(g, true, ret_exit, diag);
}
