#include "gate.h"

#include "limits.h"
#include "owner.h"
#include "prometheus.h"
#include "stop.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

enum { EXIT_FAILED = 1, EXIT_DEGRADED = 75 };

void gate_init(struct gate *g, const struct settings *s)
{
  memset(g, 0, sizeof *g);
  g->policy = s->policy;
  g->pacing = s->pacing.pacing;
  g->lane = s->pacing.lane;
  g->owner = owner_self();
  g->log_limits = s->pacing.log_limits;
  g->label = s->label;
  g->prometheus = s->records.prometheus;
  g->clock = clock_real();
  g->epoch_offset_ms =
      (clock_wall_ns(g->clock) - clock_now_ns(g->clock)) / NS_PER_MS;
  if (s->seed >= 0)
    g->seed = (uint64_t)s->seed;
  else if (getrandom(&g->seed, sizeof g->seed, 0) != sizeof g->seed)
    g->seed = (uint64_t)clock_wall_ns(g->clock);
  pthread_mutex_init(&g->mutex, NULL);
  state_init(&g->state, s->state_path);
}

void gate_release(struct gate *g)
{
  pthread_mutex_destroy(&g->mutex);
}

int64_t gate_now_ms(const struct gate *g)
{
  return clock_now_ns(g->clock) / NS_PER_MS + g->epoch_offset_ms;
}

/* splitmix64 (Steele, Lea, Flood 2014): any seed will do, one word of state. */
static double next_random(uint64_t *state)
{
  uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  z ^= z >> 31;
  return (double)(z >> 11) / 9007199254740992.0; /* 53 bits over 2^53 */
}

/* What is held while one function of guard/call.h works. */
struct held {
  struct guard_paced_gate pure;
  struct shared shared;
  int fd;
};

static void hold(struct gate *g, struct held *h)
{
  pthread_mutex_lock(&g->mutex);
  state_take(&g->state, &h->shared, &h->fd);
  h->pure = (struct guard_paced_gate){
      .gate = {&g->policy, &h->shared.breaker, &h->shared.budget, &g->metrics},
      .pacing = &g->pacing,
      .pace = &h->shared.pace};
}

static void let_go(struct gate *g, struct held *h)
{
  state_put(&g->state, &h->shared, h->fd);
  pthread_mutex_unlock(&g->mutex);
}

static void begin(struct gate *g, struct guard_paced_call *c)
{
  struct held h;
  hold(g, &h);
  *c = (struct guard_paced_call){0};
  guard_call_open(&c->call, &h.pure.gate, gate_now_ms(g));
  let_go(g, &h);
}

/* Looked for only when somebody would have to wait for them. */
static void free_dead(struct held *h, const struct guard_pacing *p)
{
  struct guard_lanes *l = &h->shared.pace.lanes;
  int taken = 0;
  for (int i = 0; i < GUARD_MAX_PLACES; i++)
    taken += l->place[i].ticket != 0;
  if (taken >= p->places)
    guard_lanes_free_dead(l, owner_is_dead);
}

/* Asks until the try may go out or the call is over; sleeps in between with
 * nothing held. GUARD_WAIT: a signal came. */
static struct guard_order enter(struct gate *g, struct guard_paced_call *c,
                                const struct guard_rate_cost *cost,
                                double random)
{
  const struct guard_pace_request r = {
      .lane = g->lane, .owner = g->owner, .cost = *cost, .random = random};
  struct guard_order o;
  do {
    struct held h;
    hold(g, &h);
    free_dead(&h, &g->pacing);
    o = guard_paced_enter(c, &h.pure, r, gate_now_ms(g));
    let_go(g, &h);
  } while (o.step == GUARD_WAIT && !stop_sleep_ms(g->clock, o.wait_ms));
  return o;
}

static struct guard_order report(struct gate *g, struct guard_paced_call *c,
                                 const struct guard_outcome *out, double random)
{
  struct held h;
  hold(g, &h);
  struct guard_order o =
      guard_paced_result(c, &h.pure, out, gate_now_ms(g), random);
  let_go(g, &h);
  return o;
}

static struct guard_order abandon(struct gate *g, struct guard_paced_call *c)
{
  struct held h;
  hold(g, &h);
  guard_paced_abandon(c, &h.pure, gate_now_ms(g));
  let_go(g, &h);
  return (struct guard_order){.step = GUARD_GIVE_UP, .why = "abandoned"};
}

static void finish(struct gate *g, struct guard_call *c,
                   const struct guard_order *o, int64_t began_ms)
{
  struct held h;
  hold(g, &h);
  int64_t now_ms = gate_now_ms(g);
  bool over = guard_deadline_left_ms(&c->deadline, now_ms) == 0;
  guard_call_close(c, &h.pure.gate, now_ms);
  const struct guard_ended ended = {.duration_ms = now_ms - began_ms,
                                    .retries = c->retries,
                                    .done = o->step == GUARD_DONE,
                                    .overran = o->overrun || over};
  guard_metrics_ended(&g->metrics, &ended);
  let_go(g, &h);
}

/* What is repeated in silence looks like a slow server in the morning. */
static void say_retry(const struct guard_call *c, const struct guard_verdict *v,
                      const struct guard_order *o)
{
  if (o->step == GUARD_WAIT)
    fprintf(stderr, "guard: try %d: %s (rule %s), retry in %.1f s\n", c->tries,
            guard_class_name(v->cls), v->rule ? v->rule : "none",
            (double)o->wait_ms / 1000);
}

void gate_run(struct gate *g, int number, gate_try_fn *fn, void *arg,
              const struct guard_rate_cost *cost, struct gate_end *ret)
{
  uint64_t random = g->seed + (uint64_t)number * UINT64_C(0x632be59bd9b4e019);
  struct guard_paced_call call;
  memset(ret, 0, sizeof *ret);
  int64_t began_ms = gate_now_ms(g);
  begin(g, &call);
  struct guard_order o = enter(g, &call, cost, next_random(&random));
  while (o.step == GUARD_TRY || o.step == GUARD_WAIT) {
    struct guard_outcome out = {0};
    ret->waited_ms += o.wait_ms; /* 0 before a try */
    if (o.step == GUARD_WAIT && !stop_sleep_ms(g->clock, o.wait_ms)) {
      o = enter(g, &call, cost, next_random(&random));
    } else if (o.step == GUARD_TRY && !stop_signal() &&
               fn(arg, &o.limits, &out, &ret->diag) == 0) {
      ret->verdict = out.verdict;
      o = report(g, &call, &out, next_random(&random));
      say_retry(&call.call, &out.verdict, &o);
    } else {
      if (stop_signal())
        diag_set(&ret->diag, "ended by signal %d", stop_signal());
      o = abandon(g, &call);
    }
  }
  finish(g, &call.call, &o, began_ms);
  ret->step = o.step;
  ret->why = o.why;
  ret->tries = call.call.tries;
  ret->retry_in_ms = o.step == GUARD_DEGRADE ? o.wait_ms : 0;
}

static void say_limits(const struct gate *g, const struct guard_rates *rates,
                       const struct guard_rate_advice *a)
{
  enum { WORTH_SAYING_MS = 50 }; /* shorter reads 0.0 s */
  struct buf line;
  buf_init(&line, 2048);
  if (g->log_limits) {
    limits_line(rates, a->family, &line);
    fprintf(stderr, "guard: limits %s\n", buf_str(&line));
    buf_reset(&line);
  }
  if (a->slow_ms >= WORTH_SAYING_MS) {
    limits_slow_line(rates, a, &line);
    fprintf(stderr, "guard: %s\n", buf_str(&line));
  }
  buf_release(&line);
}

void gate_heard(struct gate *g, const struct guard_rate_cost *cost,
                const struct guard_header *headers, size_t nheaders)
{
  struct guard_rates rates;
  struct held h;
  uint32_t seen = 0;
  guard_rates_read(headers, nheaders, gate_now_ms(g), &rates);
  for (int i = 0; i < GUARD_RATE_NFAMILIES; i++)
    seen |= rates.family[i].seen;
  if (!seen)
    return;
  hold(g, &h);
  struct guard_rate_advice a =
      guard_pace_learn(h.pure.pace, &g->pacing, &rates, cost, gate_now_ms(g));
  let_go(g, &h);
  say_limits(g, &rates, &a);
}

void gate_stagger(struct gate *g, const struct pacing_settings *p)
{
  uint64_t random = g->seed;
  if (p->staggered)
    stop_sleep_ms(g->clock,
                  guard_stagger_ms(&g->pacing, p->start, next_random(&random)));
}

int gate_exit_code(const struct gate_end *end)
{
  if (end->step == GUARD_DONE)
    return end->not_recorded ? EXIT_FAILED : 0;
  return end->step == GUARD_DEGRADE ? EXIT_DEGRADED : EXIT_FAILED;
}

void gate_describe(const struct gate_end *end, struct buf *ret)
{
  if (end->diag.set) {
    char text[1024];
    diag_format(&end->diag, text, sizeof text);
    buf_adds(ret, text);
    return;
  }
  if (end->verdict.cls != GUARD_NONE)
    buf_addf(ret, "%s (rule %s): ", guard_class_name(end->verdict.cls),
             end->verdict.rule ? end->verdict.rule : "none");
  buf_adds(ret, end->why);
  if (end->verdict.hint == GUARD_HINT_WAIT)
    buf_addf(ret, ", asked for %.1f s", (double)end->verdict.wait_ms / 1000);
  buf_addf(ret, ", %d %s", end->tries, end->tries == 1 ? "try" : "tries");
  if (end->retry_in_ms > 0)
    buf_addf(ret, ", ask again in %.1f s", (double)end->retry_in_ms / 1000);
}

/* What cannot be written is no other end of the calls. */
static void write_totals(struct gate *g, enum guard_breaker_state state)
{
  struct diag diag = {0};
  struct totals_row row = {
      .state = state, .ended_ms = gate_now_ms(g), .metrics = g->metrics};
  snprintf(row.label, sizeof row.label, "%s", g->label);
  if (prometheus_write(g->prometheus, &row, &diag) < 0)
    fprintf(stderr, "guard: the totals miss this process: %s\n", diag.text);
}

void gate_print_metrics(struct gate *g)
{
  struct held h;
  char line[GUARD_METRICS_LINE];
  hold(g, &h);
  enum guard_breaker_state state =
      guard_breaker_state(&h.shared.breaker, &g->policy, gate_now_ms(g));
  let_go(g, &h);
  guard_metrics_line(&g->metrics, g->label, state, line, sizeof line);
  fprintf(stderr, "%s\n", line);
  if (g->prometheus)
    write_totals(g, state);
}
