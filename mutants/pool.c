#include "mutants/pool.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct shared {
  struct pool *pool;
  struct buf *problem;
  struct diag *diag;
  pthread_mutex_t lock;
  int next; /* the next mutant nobody has taken */
};

struct job {
  struct shared *shared;
  int number;
  pthread_t thread;
};

static void fail(struct shared *s, const struct diag *diag)
{
  pthread_mutex_lock(&s->lock);
  if (!s->diag->set)
    *s->diag = *diag;
  s->next = s->pool->gate->nselected;
  pthread_mutex_unlock(&s->lock);
}

/* -1 when none is left. */
static int take(struct shared *s)
{
  pthread_mutex_lock(&s->lock);
  int i = s->next < s->pool->gate->nselected ? s->next++ : -1;
  pthread_mutex_unlock(&s->lock);
  return i;
}

static int one(struct shared *s, struct worker *w, int i, struct diag *diag)
{
  struct pool *p = s->pool;
  struct record *r = &p->records->item[i];
  const struct plan_mutant *m = p->gate->selected[i];
  int rc =
      p->build_only ? worker_make(w, m, r, diag) : worker_judge(w, m, r, diag);
  if (rc < 0)
    return -1;
  free(r->log);
  r->log = mem_strdup(buf_str(&w->log));
  pthread_mutex_lock(&s->lock);
  rc = p->done(p->ctx, r, diag);
  pthread_mutex_unlock(&s->lock);
  return rc;
}

static void add_problem(struct shared *s, const struct buf *why)
{
  pthread_mutex_lock(&s->lock);
  if (why->n)
    buf_addf(s->problem, "%s%s", s->problem->n ? "; " : "", buf_str(why));
  pthread_mutex_unlock(&s->lock);
}

static int work(struct shared *s, struct worker *w, struct diag *diag)
{
  struct buf why;
  int rc = 0;
  buf_init(&why, 4096);
  for (int i; rc == 0 && (i = take(s)) >= 0;)
    rc = one(s, w, i, diag);
  if (rc == 0)
    rc = worker_restore(w, diag);
  if (rc == 0)
    rc = worker_compare(w, &why, diag);
  add_problem(s, &why);
  buf_release(&why);
  return rc;
}

/* A further copy, which must build like the first one. */
static int prepare(struct shared *s, struct worker *w, int number,
                   struct diag *diag)
{
  struct buf why;
  bool ok = true;
  if (worker_init(w, s->pool->gate, number, diag) < 0)
    return -1;
  buf_init(&why, 4096);
  int rc = worker_build_baseline(w, &ok, &why, diag);
  if (rc == 0 && !ok)
    rc = diag_set(diag, "copy %d does not build like the first: %s", number,
                  buf_str(&why));
  buf_release(&why);
  if (rc < 0)
    worker_release(w);
  return rc;
}

static void *run_job(void *ctx)
{
  struct job *job = ctx;
  struct shared *s = job->shared;
  struct diag diag = {0};
  struct worker own;
  int rc;
  if (job->number == 0) {
    rc = work(s, s->pool->first, &diag);
  } else {
    rc = prepare(s, &own, job->number, &diag);
    if (rc == 0) {
      rc = work(s, &own, &diag);
      worker_release(&own);
    }
  }
  if (rc < 0)
    fail(s, &diag);
  return NULL;
}

int pool_run(struct pool *p, struct buf *problem, struct diag *diag)
{
  struct shared s = {.pool = p,
                     .problem = problem,
                     .diag = diag,
                     .lock = PTHREAD_MUTEX_INITIALIZER};
  int n = (int)p->gate->options->jobs;
  if (n > p->gate->nselected)
    n = p->gate->nselected;
  struct job *jobs = mem_zalloc((size_t)(n + 1) * sizeof *jobs);
  int started = 0, error = 0;
  for (; error == 0 && started < n; started += error == 0) {
    jobs[started] = (struct job){.shared = &s, .number = started};
    error =
        pthread_create(&jobs[started].thread, NULL, run_job, &jobs[started]);
  }
  for (int i = 0; i < started; i++)
    pthread_join(jobs[i].thread, NULL);
  free(jobs);
  if (error)
    diag_set(diag, "cannot start a thread: %s", strerror(error));
  return diag->set ? -1 : 0;
}
