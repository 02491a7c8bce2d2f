#include "jobs.h"

#include "continuation.h"
#include "dead_letter.h"
#include "judge.h"
#include "once.h"
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
  struct once once;
  struct continuation more;
  struct live live;
  struct buf text;             /* of a success */
  char id[64];                 /* idempotency key */
  struct guard_rate_cost cost; /* estimate */
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

/* A token is about four bytes of English (OpenAI's rule of thumb). */
enum { BYTES_PER_TOKEN = 4 };

/* An answer's length is only known when --max-tokens names the longest. */
static struct guard_rate_cost estimate(const struct job *job)
{
  return (struct guard_rate_cost){
      .input_tokens = (int64_t)(job->request.body_n / BYTES_PER_TOKEN) + 1,
      .output_tokens = job->pool->jobs->request->max_tokens};
}

/* What was estimated for the answer is put right by its text. */
static int64_t used_tokens(const struct job *job, const struct guard_verdict *v)
{
  int64_t out =
      v->cls == GUARD_NONE ? (int64_t)(job->text.n / BYTES_PER_TOKEN) + 1 : 0;
  return job->cost.input_tokens + out;
}

static void on_head(void *arg)
{
  struct job *job = arg;
  gate_heard(job->pool->jobs->gate, &job->cost, job->transfer.headers,
             job->transfer.nheaders);
}

static int try_once(void *arg, const struct guard_limits *limits,
                    struct guard_outcome *ret, struct diag *diag)
{
  struct job *job = arg;
  struct transfer *t = &job->transfer;
  const struct request *r = continuation_next(&job->more, &t->seam);
  if (t->seam.kept.n == 0)
    live_restart(&job->live);
  if (transfer_run(t, r, limits, diag) < 0)
    return -1;
  job->once.maybe |= t->end == TRANSFER_STOPPED && t->sent;
  if (t->end == TRANSFER_STOPPED)
    return diag_set(diag, "ended by signal %d", stop_signal());
  buf_reset(&job->text);
  ret->verdict = judge(t, gate_now_ms(job->pool->jobs->gate), &job->text);
  job->once.maybe |= judge_may_have_happened(t, &ret->verdict);
  ret->delivered = t->delivered;
  if (ret->verdict.cls == GUARD_NONE)
    continuation_join(&job->more, &job->text);
  else if (continuation_failed(&job->more, t))
    ret->delivered = false; /* the next try repeats nothing */
  ret->tokens = used_tokens(job, &ret->verdict);
  return 0;
}

/* The call behind gate and ledger. */
static void call(struct job *job)
{
  const struct jobs *j = job->pool->jobs;
  if (!once_begin(&job->once, gate_now_ms(j->gate), &job->text, &job->end))
    return;
  gate_run(j->gate, job->number, try_once, job, &job->cost, &job->end);
  once_end(&job->once, gate_now_ms(j->gate), &job->text, &job->end);
}

static void write_letter(const struct job *job)
{
  const struct jobs *j = job->pool->jobs;
  const struct request_options *o = j->request;
  struct dead_letter letter = {.now_ms = gate_now_ms(j->gate),
                               .label = j->gate->label,
                               .end = &job->end,
                               .once = job->once.key,
                               .provider = o->provider->name,
                               .model = request_model(o),
                               .prompt = j->prompts->item[job->number],
                               .idempotency_key = job->id};
  if (!job->once.busy)
    dead_letter_write(j->records, &letter);
}

static void work(struct job *job)
{
  const struct jobs *j = job->pool->jobs;
  struct diag diag = {0};
  snprintf(job->id, sizeof job->id, "guard-%016" PRIx64 "-%d", j->gate->seed,
           job->number);
  once_init(&job->once, j->records, job->number);
  job->transfer = (struct transfer){.provider = j->request->provider,
                                    .stream = j->request->stream,
                                    .strict = j->strict,
                                    .track_blocks = j->go_on,
                                    .live = j->live ? &job->live : NULL,
                                    .clock = j->gate->clock,
                                    .on_head = on_head,
                                    .on_head_arg = job};
  buf_init(&job->text, TEXT_MAX_BYTES);
  live_init(&job->live);
  continuation_init(&job->more, j->go_on, &job->request, job->id);
  if (request_make(&job->request, j->request, j->prompts->item[job->number],
                   job->id, &diag) < 0) {
    job->end = (struct gate_end){
        .step = GUARD_GIVE_UP, .why = "not begun", .diag = diag};
  } else {
    job->cost = estimate(job);
    call(job);
    request_release(&job->request);
  }
  write_letter(job);
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
  if (!pool->jobs->live || job->once.stored)
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
    once_release(&job->once);
    continuation_release(&job->more);
    live_release(&job->live);
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
