#include "harness/probe/rounds.h"

#include "harness/find_time.h"
#include "harness/jobs.h"
#include "harness/run.h"

#include "base/file.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* A sight with all its outputs. */
#define MAX_SIGHT ((size_t)64 << 20)
/* Beyond the limits from exec and from the first request: time to end a
 * client and to write. */
#define SPARE_S 60.0
#define SPARE_PER_START_S 15.0

/* What the workers of a round share. */
struct round {
  const struct book *b;
  const struct round_context *c;
  struct trial **trials; /* the pending ones */
  size_t *numbers;       /* their places in the book */
  size_t n, ndone;
};

/* --- in the worker -------------------------------------------------------- */

static int run_on_clock(const struct round *r, struct run_options *o,
                        struct run **ret, struct diag *diag)
{
  const struct timing *t = r->c->timing;
  if (!t->possible)
    return run_scenario(o, ret, diag);
  o->limits = run_limits_default;
  o->vtime = open_time(t, -1, &o->limits, NULL, diag);
  if (!o->vtime)
    return -1;
  o->clock = vtime_clock(o->vtime);
  return run_scenario(o, ret, diag);
}

static int run_loaded(const struct round *r, size_t i, int stop_fd,
                      const struct scenario *scenario, struct sight *ret,
                      struct diag *diag)
{
  struct spec spec;
  struct policy policy;
  struct run *run = NULL;
  char *folder = mem_format("%s/%zu", r->c->root, r->numbers[i] + 1);
  policy_none(&policy);
  if (spec_load(&spec, scenario, diag) < 0) {
    free(folder);
    return -1;
  }
  struct run_options o = {.scenario = scenario,
                          .spec = &spec,
                          .policy = &policy,
                          .command = r->c->command,
                          .ncommand = r->c->ncommand,
                          .address = "probe",
                          .provider = r->b->face.provider,
                          .seed = r->c->seed + r->numbers[i],
                          .start_limit_s = r->c->start_limit_s,
                          .env = r->c->env,
                          .folder = folder,
                          .clock = r->c->clock,
                          .stop_fd = stop_fd};
  int rc = file_mkdirs(folder, diag);
  if (rc == 0)
    rc = run_on_clock(r, &o, &run, diag);
  if (rc == 0)
    sight_of(ret, run_evidence(run));
  bool stopped = run && run_interrupted(run);
  run_free(run);
  vtime_free(o.vtime);
  spec_release(&spec);
  file_remove_tree(folder);
  free(folder);
  return stopped ? 130 : rc;
}

static int run_trial(const struct round *r, size_t i, int stop_fd,
                     struct sight *ret, struct diag *diag)
{
  struct scenario scenario;
  char *text = book_scenario(r->b, r->trials[i]);
  int rc = scenario_parse(&scenario, r->trials[i]->name, bytes_of(text), diag);
  free(text);
  if (rc < 0)
    return -1;
  rc = run_loaded(r, i, stop_fd, &scenario, ret, diag);
  scenario_release(&scenario);
  return rc;
}

static int write_all(int fd, struct bytes s)
{
  while (s.n) {
    ssize_t done = write(fd, s.p, s.n);
    if (done < 0 && errno == EINTR)
      continue;
    if (done < 0)
      return -1;
    s.p += done;
    s.n -= (size_t)done;
  }
  return 0;
}

static int work(void *arg, size_t i, int fd, int stop_fd)
{
  struct diag diag = {0};
  struct sight s = {0};
  struct buf out;
  char why[1200];
  int rc = run_trial(arg, i, stop_fd, &s, &diag);
  if (rc < 0) {
    diag_format(&diag, why, sizeof why);
    sight_none(&s, why);
    rc = 0;
  }
  buf_init(&out, MAX_SIGHT);
  sight_write(&s, &out);
  if (rc == 0 && write_all(fd, buf_bytes(&out)) < 0)
    rc = 1;
  buf_release(&out);
  sight_release(&s);
  return rc;
}

/* --- in the caller -------------------------------------------------------- */

static int64_t limit_ns(void *arg, size_t i)
{
  const struct round *r = arg;
  const struct trial_ask *ask = &r->trials[i]->ask;
  double each_s = r->c->start_limit_s + ask->limit_s + ask->pause_s;
  double s = ask->starts * (each_s + SPARE_PER_START_S) + SPARE_S;
  return (int64_t)(s * (double)NS_PER_S);
}

static void progress(void *arg, size_t i, struct job_result *result)
{
  struct round *r = arg;
  (void)result;
  r->ndone++;
  if (isatty(STDERR_FILENO))
    fprintf(stderr, "\r\033[K[%zu/%zu] %s", r->ndone, r->n, r->trials[i]->name);
}

/* A client that is known to call and did not has met a machine too busy to
 * start it in time: it gets one more chance. */
static void settle(struct book *b, struct trial *t)
{
  bool called = t->sight.why || t->sight.total > 0;
  if (b->called && !called && !t->again) {
    t->again = true;
    sight_release(&t->sight);
    return;
  }
  t->done = true;
  b->pending--;
}

static void collect(struct book *b, const struct round *r,
                    struct job_result *results)
{
  for (size_t i = 0; i < r->n; i++) {
    struct trial *t = r->trials[i];
    if (!results[i].done)
      sight_none(&t->sight, results[i].why);
    else if (sight_read(&t->sight, buf_bytes(&results[i].bytes)) < 0)
      sight_none(&t->sight, "the worker's result cannot be read");
    settle(b, t);
  }
}

static void find_pending(struct round *r, const struct book *b)
{
  r->trials = mem_zalloc((b->n + 1) * sizeof(struct trial *));
  r->numbers = mem_zalloc((b->n + 1) * sizeof *r->numbers);
  for (size_t i = 0; i < b->n; i++)
    if (!b->trials[i]->done) {
      r->numbers[r->n] = i;
      r->trials[r->n++] = b->trials[i];
    }
}

int rounds_run(struct book *b, const struct round_context *c, struct diag *diag)
{
  struct round r = {.b = b, .c = c};
  find_pending(&r, b);
  struct jobs jobs = {.n = r.n,
                      .at_once = c->at_once,
                      .clock = c->clock,
                      .work = work,
                      .limit_ns = limit_ns,
                      .arg = &r,
                      .watch = {.ended = progress, .arg = &r}};
  struct job_result *results = mem_zalloc((r.n + 1) * sizeof *results);
  fflush(NULL);
  int rc = jobs_run(&jobs, results, diag);
  if (isatty(STDERR_FILENO))
    fputs("\r\033[K", stderr);
  if (rc == 0)
    collect(b, &r, results);
  for (size_t i = 0; i < r.n; i++)
    buf_release(&results[i].bytes);
  free(results);
  free(r.trials);
  free(r.numbers);
  return rc;
}
