#include "harness/suite_run.h"

#include "harness/jobs.h"
#include "harness/launch.h"
#include "harness/sweep.h"

#include "base/file.h"

#include <sched.h>
#include <string.h>

enum { EXIT_FAIL = 1 };

/* While the jobs run. */
struct going {
  const struct suite_run *r;
  struct worker_context *context;
  struct progress *progress;
  struct result *results; /* of every scenario, by its number */
  bool *have;             /* ... that is in there */
  struct diag *diag;      /* of a result that cannot be read */
};

static int count_cores(void)
{
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

int suite_find_client(const char *program, struct diag *diag)
{
  if (strchr(program, '{'))
    return 0;
  char *path = launch_find(program, diag);
  free(path);
  return path ? 0 : -1;
}

static cJSON *object_of(const struct going *g, size_t i,
                        const struct job_result *raw)
{
  cJSON *object = NULL;
  if (raw->done)
    object = cJSON_ParseWithLength(raw->bytes.p, raw->bytes.n);
  if (object)
    return object;
  return worker_lost(g->context, i,
                     raw->done ? "the worker's result cannot be read"
                               : raw->why);
}

/* --- what jobs.h calls ------------------------------------------------------
 */

static const char *name_of(const void *arg, size_t i)
{
  const struct suite *s = arg;
  return s->items[i].address;
}

static void on_started(void *arg, size_t i)
{
  const struct going *g = arg;
  progress_started(g->progress, i);
}

static void on_ended(void *arg, size_t i, struct job_result *raw)
{
  struct going *g = arg;
  struct result *r = &g->results[i];
  g->have[i] = result_from_json(r, object_of(g, i, raw), g->diag) == 0;
  buf_release(&raw->bytes);
  progress_ended(g->progress, i,
                 r->verdict == VERDICT_FAIL ||
                     r->verdict == VERDICT_INCONCLUSIVE);
}

static void on_tick(void *arg)
{
  const struct going *g = arg;
  progress_tick(g->progress);
}

/* --- the run -------------------------------------------------------------- */

/* The signal that ended it, 0, or -1. */
static int run_all(struct going *g, int at_once, struct diag *diag)
{
  size_t n = g->context->suite->n;
  struct jobs jobs = {.n = n,
                      .at_once = at_once,
                      .clock = g->context->clock,
                      .work = worker_run,
                      .limit_ns = worker_limit_ns,
                      .arg = g->context,
                      .watch = {.started = on_started,
                                .ended = on_ended,
                                .tick = on_tick,
                                .tick_ns = progress_tick_ns(g->progress),
                                .arg = g}};
  struct job_result *raw = mem_zalloc((n + 1) * sizeof *raw);
  fflush(NULL);
  int rc = jobs_run(&jobs, raw, diag);
  for (size_t i = 0; i < n; i++)
    buf_release(&raw[i].bytes);
  free(raw);
  return rc;
}

static int run_with_progress(struct going *g, struct diag *diag)
{
  const struct suite *s = g->context->suite;
  int at_once = (int)(g->r->at_once ? g->r->at_once : count_cores());
  struct progress_options o = {.mode = g->r->progress,
                               .total = s->n,
                               .at_once = at_once,
                               .clock = g->context->clock,
                               .name = name_of,
                               .arg = s};
  g->progress = progress_new(&o);
  int rc = run_all(g, at_once, diag);
  progress_free(g->progress);
  return rc;
}

/* Those that ended, in the suite's order. */
static void collect(struct going *g, int signal, struct run_report *ret,
                    struct diag *diag)
{
  size_t n = g->context->suite->n;
  ret->results = g->results;
  for (size_t i = 0; i < n; i++)
    if (g->have[i])
      ret->results[ret->n++] = g->results[i];
  sweep_settle(ret);
  ret->exit_code = run_exit_code(ret);
  if (g->context->strict && run_count(ret, VERDICT_WARN) > 0)
    ret->exit_code = EXIT_FAIL;
  if (signal == 0)
    return;
  ret->exit_code = EXIT_INTERRUPTED;
  diag_set(diag,
           "interrupted by signal %d (%s): the report has %zu of %zu scenarios",
           signal, strsignal(signal), ret->n, n);
}

/* Remains only when asked for. */
static void remove_root(const struct worker_context *c)
{
  if (c->keep_home)
    fprintf(stderr, "faultwire: the clients' folders are in %s\n", c->root);
  else
    file_remove_tree(c->root);
}

int suite_test(const struct suite_run *r, struct run_report *ret,
               struct diag *diag)
{
  struct worker_context *c = r->context;
  size_t n = c->suite->n;
  int64_t begin = clock_now_ns(c->clock);
  char *root = file_temp_folder("faultwire", diag);
  if (!root)
    return -1;
  c->root = root;
  struct diag broken = {0};
  struct going g = {.r = r, .context = c, .diag = &broken};
  g.results = mem_zalloc((n + 1) * sizeof *g.results);
  g.have = mem_zalloc((n + 1) * sizeof *g.have);
  *ret = (struct run_report){.client = c->command, .seed = c->seed};
  int rc = run_with_progress(&g, diag);
  collect(&g, rc, ret, diag);
  ret->seconds = (double)(clock_now_ns(c->clock) - begin) / (double)NS_PER_S;
  free(g.have);
  remove_root(c);
  free(root);
  c->root = NULL;
  if (rc >= 0 && !broken.set)
    return 0;
  if (broken.set)
    *diag = broken;
  suite_report_release(ret);
  return -1;
}

void suite_report_release(struct run_report *report)
{
  for (size_t i = 0; i < report->n; i++)
    result_release(&report->results[i]);
  free(report->results);
  memset(report, 0, sizeof *report);
}
