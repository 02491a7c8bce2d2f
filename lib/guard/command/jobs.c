#include "jobs.h"

#include "judge.h"
#include "stop.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of one answer's text. */
enum { TEXT_MAX_BYTES = 32 << 20, MAX_PROMPTS = 64 };

struct job {
  const struct pool *pool;
  int number;
  struct request request;
  struct transfer transfer;
  struct buf text; /* of a success */
  struct gate_end end;
  bool ended;
};

struct pool {
  const struct jobs *jobs;
  pthread_mutex_t mutex; /* over next, printed and the output */
  int next;              /* the first prompt nobody has taken */
  int printed;           /* prompts whose end was put out */
  bool write_failed;
  struct job job[MAX_PROMPTS];
};

static int try_once(void *arg, const struct guard_limits *limits,
                    struct guard_outcome *ret, struct diag *diag)
{
  struct job *job = arg;
  struct transfer *t = &job->transfer;
  if (transfer_run(t, &job->request, limits, diag) < 0)
    return -1;
  if (t->end == TRANSFER_STOPPED)
    return diag_set(diag, "ended by signal %d", stop_signal());
  buf_reset(&job->text);
  ret->verdict = judge(t, gate_now_ms(job->pool->jobs->gate), &job->text);
  ret->delivered = t->delivered;
  return 0;
}

static void work(struct job *job)
{
  const struct jobs *j = job->pool->jobs;
  char id[64];
  struct diag diag = {0};
  snprintf(id, sizeof id, "guard-%016" PRIx64 "-%d", j->gate->seed,
           job->number);
  job->transfer = (struct transfer){.provider = j->request->provider,
                                    .stream = j->request->stream,
                                    .strict = j->strict,
                                    .live = j->live,
                                    .clock = j->gate->clock};
  buf_init(&job->text, TEXT_MAX_BYTES);
  if (request_make(&job->request, j->request, j->prompts->item[job->number], id,
                   &diag) < 0) {
    job->end = (struct gate_end){.step = GUARD_GIVE_UP, .diag = diag};
    return;
  }
  gate_run(j->gate, job->number, try_once, job, &job->end);
  request_release(&job->request);
}

static void put_error(const struct job *job)
{
  struct buf line;
  buf_init(&line, 4096);
  gate_describe(&job->end, &line);
  fprintf(stderr, "guard: prompt %d: %s\n", job->number + 1, buf_str(&line));
  buf_release(&line);
}

static void put(struct pool *pool, const struct job *job)
{
  if (job->end.step != GUARD_DONE) {
    if (job->transfer.delivered) {
      putchar('\n'); /* the broken text is not glued to the next */
      fflush(stdout);
    }
    put_error(job);
    return;
  }
  if (!pool->jobs->live)
    fwrite(buf_str(&job->text), 1, job->text.n, stdout);
  putchar('\n');
  if (fflush(stdout) != 0)
    pool->write_failed = true;
}

/* Puts out every end whose turn it is. */
static void put_in_order(struct pool *pool)
{
  int n = pool->jobs->prompts->n;
  while (pool->printed < n && pool->job[pool->printed].ended) {
    struct job *job = &pool->job[pool->printed++];
    put(pool, job);
    transfer_clear(&job->transfer);
    buf_release(&job->text);
  }
}

static struct job *next_job(struct pool *pool, struct job *ended)
{
  struct job *next = NULL;
  pthread_mutex_lock(&pool->mutex);
  if (ended) {
    ended->ended = true;
    put_in_order(pool);
  }
  if (pool->next < pool->jobs->prompts->n) {
    next = &pool->job[pool->next];
    next->pool = pool;
    next->number = pool->next++;
  }
  pthread_mutex_unlock(&pool->mutex);
  return next;
}

static void *worker(void *arg)
{
  struct pool *pool = arg;
  struct job *job = next_job(pool, NULL);
  while (job) {
    work(job);
    job = next_job(pool, job);
  }
  return NULL;
}

static int exit_code(const struct pool *pool)
{
  int code = pool->write_failed ? 1 : 0;
  for (int i = 0; i < pool->jobs->prompts->n; i++) {
    int one = gate_exit_code(&pool->job[i].end);
    code = one > code ? one : code;
  }
  return code;
}

int jobs_run(const struct jobs *j)
{
  pthread_t threads[MAX_PROMPTS];
  int started = 0;
  struct pool *pool = mem_zalloc(sizeof *pool);
  pool->jobs = j;
  pthread_mutex_init(&pool->mutex, NULL);
  /* this thread is one of them, so that it also works when none starts */
  while (started < j->parallel - 1 && started < j->prompts->n - 1 &&
         pthread_create(&threads[started], NULL, worker, pool) == 0)
    started++;
  worker(pool);
  while (started > 0)
    pthread_join(threads[--started], NULL);
  int code = exit_code(pool);
  if (pool->write_failed)
    fprintf(stderr, "guard: standard output cannot be written\n");
  pthread_mutex_destroy(&pool->mutex);
  free(pool);
  return code;
}
