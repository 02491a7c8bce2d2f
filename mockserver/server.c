#include "mockserver/server_priv.h"

#include "mockserver/admin.h"
#include "mockserver/answer_cache.h"
#include "mockserver/barrier.h"
#include "mockserver/endpoint.h"
#include "mockserver/limit_gate.h"
#include "mockserver/port.h"
#include "mockserver/request_copy.h"
#include "mockserver/side.h"
#include "mockserver/upstream/pass.h"

#include <string.h>

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
  a->route = c->pattern;
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
  else if (!pass_rest(s, x))
    exchange_reply(x);
}

/* The fault's answer, as kept or made anew. */
static void run_fault(struct exchange *x)
{
  struct answer_cache *cache = &x->act->caches[x->step->index];
  x->injecting = true;
  if (answer_cache_use(cache, x))
    return;
  x->fault->run(x);
  if (x->is_whole && answer_cache_fits(x->step))
    answer_cache_keep(cache, x);
}

static int64_t remaining_ms(struct server *s, const struct exchange *x)
{
  int64_t left_ns = script_left_ns(x->act->script, x->step, x->call->lane,
                                   clock_now_ns(s->o.clock));
  return left_ns == INT64_MAX ? 0 : (left_ns + NS_PER_MS - 1) / NS_PER_MS;
}

/* The answer itself, once nothing holds it any more. */
static void run_step(struct server *s, struct exchange *x)
{
  x->remaining_ms = remaining_ms(s, x);
  delay_head(x);
  if (!x->step->faulty) {
    exchange_reply(x);
    return;
  }
  x->until_close = exchange_is_until_close(x);
  exchange_interim(x);
  size_t first = x->plan->nops;
  run_fault(x);
  exchange_shape(x, first);
}

/* A call at a barrier: all of it, since its answer is written later. */
struct held {
  struct server *server;
  struct request_copy request;
  struct exchange x; /* what a new exchange begins with */
  struct call call;
  struct gate *gate; /* that of the plan, which holds it */
};

static void free_held(void *arg)
{
  struct held *h = arg;
  request_copy_release(&h->request);
  free(h);
}

static void go_on(void *arg, struct plan *plan, struct attempt *a)
{
  struct held *h = arg;
  struct exchange x = h->x;
  a->barrier_round = h->gate->round;
  a->barrier_came = h->gate->came;
  a->barrier_wanted = h->gate->wanted;
  a->barrier_open_ns = h->gate->opened_ns;
  x.call = &h->call;
  x.request = &h->request.r;
  x.wall_ns = clock_wall_ns(h->server->o.clock);
  x.plan = plan;
  x.attempt = a;
  exchange_init(&x);
  run_step(h->server, &x);
  exchange_release(&x);
}

static void hold(struct server *s, struct exchange *x)
{
  struct held *h = mem_zalloc(sizeof *h);
  *h = (struct held){.server = s, .x = *x};
  /* scratch of the one that was opened for this call; not shared */
  exchange_init(&h->x);
  h->x.limit_headers = BYTES("");
  request_copy_init(&h->request, x->request);
  call_read(&h->call, &h->request.r);
  h->gate = barriers_join(x->act->barriers, x->step, x->call->lane,
                          clock_now_ns(s->o.clock));
  plan_gate(x->plan, h->gate, go_on, h, free_held);
}

static void answer_step(struct server *s, struct exchange *x,
                        const struct choice *choice)
{
  x->step = choice->step;
  x->fault = choice->step->fault;
  x->attempt->injected = choice->step->faulty;
  bool harmed_reply = choice->step->faulty && x->fault == s->none;
  copy(x->attempt->fault, sizeof x->attempt->fault,
       harmed_reply ? "wire" : x->fault->name);
  script_take(x->act->script, choice, x->call->lane);
  if (choice->step->faulty && s->settings.no_faults) {
    /* meant and never delivered: what the control run is to show */
    copy(x->attempt->rule, sizeof x->attempt->rule, "no_faults");
    delay_head(x);
    x->step = NULL;
    x->fault = s->none;
    exchange_reply(x);
  } else if (choice->step->barrier.requests && choice->rule == RULE_STEP) {
    hold(s, x);
  } else {
    run_step(s, x);
  }
}

/* A fault of the script answers by itself, and so does a barrier: only what
 * would be answered well meets the limiter. */
static bool meets_limiter(const struct choice *c)
{
  return c->rule != RULE_SCRIPT_ENDED &&
         (!c->step || (!c->step->faulty && !c->step->barrier.requests));
}

static void answer_call(struct server *s, struct exchange *x)
{
  struct act *act = x->act;
  const struct scenario *scenario = act->scenario;
  if (scenario && scenario->provider && scenario->provider != x->provider) {
    if (!pass_rest(s, x))
      side_other_provider(x);
    return;
  }
  barriers_settle(act->barriers, act->script, clock_now_ns(s->o.clock));
  struct choice choice = script_choose(act->script, x->call, x->request);
  script_count(act->script, x->call, x->request);
  act->calls++;
  if (scenario && !s->settings.no_faults)
    port_on_call(scenario->port, scenario->nport, act->calls, x->plan);
  x->attempt->cls = ATTEMPT_CALL;
  name_rule(x->attempt, &choice);
  if (meets_limiter(&choice) &&
      limit_gate_refuses(act->limits, x, LIMIT_CALLS, 1, s->settings.no_faults))
    return;
  if (pass_chosen(s, x, &choice))
    return;
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
  limit_gate_answered(x->act->limits, x);
}

/* The limiter's pool of an endpoint; false: it has none. */
static bool pool_of(const struct exchange *x, enum limit_pool *ret_pool,
                    int64_t *ret_requests)
{
  *ret_requests = 1;
  switch (x->call->endpoint) {
  case ENDPOINT_COUNT:
    *ret_pool = LIMIT_COUNT;
    return true;
  case ENDPOINT_EMBED:
    *ret_pool = LIMIT_EMBEDDINGS;
    return true;
  case ENDPOINT_BATCHES:
    *ret_pool = LIMIT_BATCH;
    *ret_requests = limit_batch_requests(x->request->body);
    return strcmp(endpoint_name(x->call), "batches.create") == 0;
  default:
    return false;
  }
}

static bool side_limited(struct server *s, struct exchange *x)
{
  enum limit_pool pool;
  int64_t requests;
  if (!pool_of(x, &pool, &requests) || !limit_gate_has(x->act->limits, pool))
    return false;
  x->attempt->cls = ATTEMPT_CALL;
  return limit_gate_refuses(x->act->limits, x, pool, requests,
                            s->settings.no_faults);
}

/* Side traffic, unless a step or a limit names the endpoint. */
static void answer_endpoint(struct server *s, struct exchange *x)
{
  struct choice choice = {RULE_PLAIN_REPLY, NULL};
  if (script_names(x->act->script, x->call)) {
    choice = script_choose(x->act->script, x->call, x->request);
    x->attempt->cls = ATTEMPT_CALL;
  }
  if (choice.step)
    name_rule(x->attempt, &choice);
  if ((!choice.step || !choice.step->faulty) && side_limited(s, x))
    return;
  if (pass_chosen(s, x, &choice) || (!choice.step && pass_rest(s, x)))
    return;
  if (!choice.step) {
    side_answer(x);
  } else if (fault_needs_stream(choice.step->fault, choice.step->node)) {
    x->step = choice.step;
    answer_non_stream(s, x);
  } else {
    answer_step(s, x, &choice);
  }
  limit_gate_answered(x->act->limits, x);
}

void server_answer_alone(struct server *s, struct exchange *x)
{
  struct choice choice = {RULE_STEP, &x->act->scenario->steps[0]};
  if (!x->call->stream &&
      fault_needs_stream(choice.step->fault, choice.step->node)) {
    x->step = choice.step;
    answer_non_stream(s, x);
  } else {
    answer_step(s, x, &choice);
  }
}

/* What the request itself asks for, instead of the script's step: it takes no
 * step and is no call of its lane. True when that was all. */
static bool answer_forced(struct server *s, struct exchange *x)
{
  struct diag diag = {0};
  if (!s->settings.allow_force)
    return false;
  enum force_result f = force_find(s->force, x, &x->act, &diag);
  if (f == FORCE_NONE)
    return false;
  x->attempt->cls = ATTEMPT_CALL;
  copy(x->attempt->rule, sizeof x->attempt->rule, "forced");
  if (f == FORCE_WRONG) {
    server_refuse_force(x, &diag);
    return true;
  }
  server_answer_alone(s, x);
  return true;
}

static void answer(struct server *s, struct exchange *x, bool *ret_unlogged)
{
  if (x->call->endpoint == ENDPOINT_ADMIN && s->o.admin) {
    *ret_unlogged = true;
    server_answer_admin(s, x);
    return;
  }
  x->attempt->script = s->act->number;
  s->act->open++;
  if (s->settings.delay_ms)
    exchange_delay(x, s->settings.delay_ms * NS_PER_MS);
  if (server_answer_queued(s, x))
    return;
  if (x->call->endpoint != ENDPOINT_GENERATE)
    answer_endpoint(s, x);
  else if (!answer_forced(s, x))
    answer_call(s, x);
}

bool server_early(void *arg, const struct request *r)
{
  struct server *s = arg;
  struct call call;
  if (!s->act->any_early || s->settings.no_faults || server_has_queued(s, r))
    return false;
  call_read(&call, r);
  if (call.endpoint != ENDPOINT_GENERATE)
    return false;
  struct choice choice = script_choose(s->act->script, &call, r);
  return choice.step && act_step_is_early(choice.step);
}

/* A body that is no JSON holds no conversation. */
static void read_talk(struct call *c, struct bytes body, struct talk *ret)
{
  cJSON *json = cJSON_ParseWithLength(body.p, body.n);
  talk_init(ret);
  if (json && c->provider)
    c->provider->talk(json, ret);
  cJSON_Delete(json);
  c->talk = ret;
}

void server_handle(void *arg, const struct request *r, struct plan *plan,
                   struct attempt *a, bool *ret_unlogged)
{
  struct server *s = arg;
  struct call call;
  server_sweep(s);
  call_read(&call, r);
  struct exchange x = {.provider =
                           call.provider ? call.provider : s->act->fallback,
                       .call = &call,
                       .request = r,
                       .fault = s->none,
                       .ids = &s->ids,
                       .act = s->act,
                       .store = s->act->store,
                       .wall_ns = clock_wall_ns(s->o.clock),
                       .plan = plan,
                       .attempt = a};
  struct talk talk = {0};
  if (s->act->any_talk && call.endpoint == ENDPOINT_GENERATE)
    read_talk(&call, r->body, &talk);
  exchange_init(&x);
  fill_attempt(a, &call, x.provider);
  answer(s, &x, ret_unlogged);
  exchange_release(&x);
  talk_release(&talk);
}
