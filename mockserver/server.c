#include "mockserver/server.h"

#include "mockserver/admin.h"
#include "mockserver/answer_cache.h"
#include "mockserver/side.h"

#include <string.h>

struct server {
  struct server_options o;
  struct script *script;
  struct engine *engine; /* NULL: none was told */
  struct ids ids;
  const struct provider *fallback; /* for paths that name none */
  const struct fault *none;
  struct answer_cache *caches; /* one a step */
  size_t ncaches;
  bool any_early; /* some step acts before the request's body is in */
};

static bool is_early(const struct step *step)
{
  return step->fault->step_is_early && step->fault->step_is_early(step->node);
}

struct server *server_new(const struct server_options *o)
{
  struct server *s = mem_zalloc(sizeof *s);
  s->o = *o;
  s->script = script_new(o->scenario);
  s->none = fault_find("none");
  s->fallback = o->scenario && o->scenario->provider ? o->scenario->provider
                                                     : providers[0];
  ids_init(&s->ids, o->seed);
  s->ncaches = o->scenario ? o->scenario->nsteps : 0;
  s->caches = mem_zalloc((s->ncaches + 1) * sizeof *s->caches);
  for (size_t i = 0; i < s->ncaches; i++)
    answer_cache_init(&s->caches[i]);
  for (size_t i = 0; o->scenario && i < o->scenario->nsteps; i++)
    s->any_early |= is_early(&o->scenario->steps[i]);
  return s;
}

void server_free(struct server *s)
{
  if (!s)
    return;
  for (size_t i = 0; i < s->ncaches; i++)
    answer_cache_release(&s->caches[i]);
  free(s->caches);
  script_free(s->script);
  free(s);
}

void server_set_engine(struct server *s, struct engine *e)
{
  s->engine = e;
}

uint64_t server_step_uses(const struct server *s, size_t i)
{
  return script_uses(s->script, i);
}

void server_rewind(struct server *s)
{
  script_rewind(s->script);
}

static void copy(char *ret, size_t size, const char *text)
{
  size_t n = strlen(text);
  n = n < size - 1 ? n : size - 1;
  memcpy(ret, text, n);
  ret[n] = '\0';
}

static void fill_attempt(struct attempt *a, const struct call *c,
                         const struct provider *p)
{
  a->cls = ATTEMPT_SIDE;
  a->step = -1;
  a->stream = c->stream;
  a->retry_count = c->retry_count;
  copy(a->lane, sizeof a->lane, c->lane);
  copy(a->provider, sizeof a->provider, p->name);
  copy(a->model, sizeof a->model, c->model);
  copy(a->idempotency_key, sizeof a->idempotency_key, c->idempotency_key);
  copy(a->rule, sizeof a->rule, "side");
  copy(a->fault, sizeof a->fault, "none");
}

/* "step 12" by hand: it is written for every call, and printf costs more
 * than the choice of the step. */
static void name_step(char *ret, size_t size, int index)
{
  char text[24] = "step ";
  size_t at = sizeof text - 1, front = strlen(text);
  text[at] = '\0';
  do
    text[--at] = (char)('0' + index % 10);
  while (index /= 10);
  memmove(text + front, text + at, sizeof text - at);
  copy(ret, size, text);
}

static void name_rule(struct attempt *a, const struct choice *c)
{
  if (c->step)
    a->step = c->step->index;
  if (c->rule == RULE_STEP)
    name_step(a->rule, sizeof a->rule, c->step->index);
  else
    copy(a->rule, sizeof a->rule, "after_script");
}

static void delay_head(struct exchange *x)
{
  int64_t ms = 0;
  if (param_int(exchange_step(x), "delay_ms", &ms))
    exchange_delay(x, ms * NS_PER_MS);
}

/* A stream fault met a call that asks for none; the step stays. */
static void answer_non_stream(struct server *s, struct exchange *x)
{
  const char *word = "reply";
  const struct step *step = x->step;
  copy(x->attempt->rule, sizeof x->attempt->rule, "non_stream");
  param_string(step->node, "non_stream", &word);
  x->fault = s->none;
  if (strcmp(word, "error") == 0)
    exchange_send_error(x, provider_error_find(x->provider, "overloaded"),
                        NULL);
  else
    exchange_reply(x);
}

/* The fault's answer, as kept or made anew. */
static void run_fault(struct server *s, struct exchange *x)
{
  struct answer_cache *cache = &s->caches[x->step->index];
  x->injecting = true;
  if (answer_cache_use(cache, x))
    return;
  x->fault->run(x);
  if (x->is_whole && answer_cache_fits(x->step))
    answer_cache_keep(cache, x);
}

static void answer_step(struct server *s, struct exchange *x,
                        const struct choice *choice)
{
  bool faulty = choice->step->fault != s->none;
  x->step = choice->step;
  x->fault = choice->step->fault;
  x->attempt->injected = faulty;
  copy(x->attempt->fault, sizeof x->attempt->fault, x->fault->name);
  script_take(s->script, choice, x->call->lane);
  delay_head(x);
  if (faulty && s->o.no_faults) {
    /* meant and never delivered: what the control run is to show */
    copy(x->attempt->rule, sizeof x->attempt->rule, "no_faults");
    x->step = NULL;
    x->fault = s->none;
    exchange_reply(x);
    return;
  }
  if (faulty)
    run_fault(s, x);
  else
    exchange_reply(x);
}

static void answer_call(struct server *s, struct exchange *x)
{
  const struct scenario *scenario = s->o.scenario;
  if (scenario && scenario->provider && scenario->provider != x->provider) {
    side_other_provider(x);
    return;
  }
  struct choice choice = script_choose(s->script, x->call, x->request);
  x->attempt->cls = ATTEMPT_CALL;
  name_rule(x->attempt, &choice);
  if (choice.rule == RULE_SCRIPT_ENDED) {
    side_script_ended(x);
  } else if (!choice.step) {
    exchange_reply(x);
  } else if (!x->call->stream &&
             fault_needs_stream(choice.step->fault, choice.step->node)) {
    x->step = choice.step;
    answer_non_stream(s, x);
  } else {
    answer_step(s, x, &choice);
  }
}

static void answer(struct server *s, struct exchange *x, bool *ret_unlogged)
{
  struct admin admin = {s->o.journal, s->o.scenario, s->script, &s->o.no_faults,
                        s->engine};
  if (x->call->endpoint == ENDPOINT_ADMIN && s->o.admin) {
    *ret_unlogged = true;
    admin_answer(x, &admin);
  } else if (x->call->endpoint == ENDPOINT_GENERATE) {
    answer_call(s, x);
  } else {
    side_answer(x);
  }
}

bool server_early(void *arg, const struct request *r)
{
  struct server *s = arg;
  struct call call;
  if (!s->any_early || s->o.no_faults)
    return false;
  call_read(&call, r);
  if (call.endpoint != ENDPOINT_GENERATE)
    return false;
  struct choice choice = script_choose(s->script, &call, r);
  return choice.step && is_early(choice.step);
}

void server_handle(void *arg, const struct request *r, struct plan *plan,
                   struct attempt *a, bool *ret_unlogged)
{
  struct server *s = arg;
  struct call call;
  call_read(&call, r);
  struct exchange x = {.provider = call.provider ? call.provider : s->fallback,
                       .call = &call,
                       .request = r,
                       .fault = s->none,
                       .ids = &s->ids,
                       .wall_ns = clock_wall_ns(s->o.clock),
                       .plan = plan,
                       .attempt = a};
  exchange_init(&x);
  fill_attempt(a, &call, x.provider);
  answer(s, &x, ret_unlogged);
  exchange_release(&x);
}
