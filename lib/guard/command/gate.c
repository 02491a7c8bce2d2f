#include "gate.h"

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
  g->label = s->label;
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
  struct guard_gate pure;
  struct shared shared;
  int fd;
};

static void hold(struct gate *g, struct held *h)
{
  pthread_mutex_lock(&g->mutex);
  state_take(&g->state, &h->shared, &h->fd);
  h->pure = (struct guard_gate){&g->policy, &h->shared.breaker,
                                &h->shared.budget, &g->metrics};
}

static void let_go(struct gate *g, struct held *h)
{
  state_put(&g->state, &h->shared, h->fd);
  pthread_mutex_unlock(&g->mutex);
}

typedef struct guard_order ask_fn(struct guard_call *c,
                                  const struct guard_gate *g, int64_t now_ms);

static struct guard_order ask(struct gate *g, struct guard_call *c, ask_fn *fn)
{
  struct held h;
  hold(g, &h);
  struct guard_order o = fn(c, &h.pure, gate_now_ms(g));
  let_go(g, &h);
  return o;
}

static struct guard_order report(struct gate *g, struct guard_call *c,
                                 const struct guard_outcome *out, double random)
{
  struct held h;
  hold(g, &h);
  struct guard_order o =
      guard_call_result(c, &h.pure, out, gate_now_ms(g), random);
  let_go(g, &h);
  return o;
}

static struct guard_order abandon(struct gate *g, struct guard_call *c)
{
  struct held h;
  hold(g, &h);
  guard_call_abandon(c, &h.pure, gate_now_ms(g));
  let_go(g, &h);
  return (struct guard_order){.step = GUARD_GIVE_UP, .why = "abandoned"};
}

static void finish(struct gate *g, struct guard_call *c)
{
  struct held h;
  hold(g, &h);
  guard_call_close(c, &h.pure, gate_now_ms(g));
  let_go(g, &h);
}

void gate_run(struct gate *g, int number, gate_try_fn *fn, void *arg,
              struct gate_end *ret)
{
  uint64_t random = g->seed + (uint64_t)number * UINT64_C(0x632be59bd9b4e019);
  struct guard_call call;
  memset(ret, 0, sizeof *ret);
  struct guard_order o = ask(g, &call, guard_call_begin);
  while (o.step == GUARD_TRY || o.step == GUARD_WAIT) {
    struct guard_outcome out = {0};
    if (o.step == GUARD_WAIT && !stop_sleep_ms(g->clock, o.wait_ms)) {
      o = ask(g, &call, guard_call_again);
    } else if (o.step == GUARD_TRY && !stop_signal() &&
               fn(arg, &o.limits, &out, &ret->diag) == 0) {
      ret->verdict = out.verdict;
      o = report(g, &call, &out, next_random(&random));
    } else {
      if (stop_signal())
        diag_set(&ret->diag, "ended by signal %d", stop_signal());
      o = abandon(g, &call);
    }
  }
  finish(g, &call);
  ret->step = o.step;
  ret->why = o.why;
  ret->tries = call.tries;
  ret->retry_in_ms = o.step == GUARD_DEGRADE ? o.wait_ms : 0;
}

int gate_exit_code(const struct gate_end *end)
{
  if (end->step == GUARD_DONE)
    return 0;
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

void gate_print_metrics(struct gate *g)
{
  struct held h;
  char line[GUARD_METRICS_LINE];
  hold(g, &h);
  guard_metrics_line(
      &g->metrics, g->label,
      guard_breaker_state(&h.shared.breaker, &g->policy, gate_now_ms(g)), line,
      sizeof line);
  let_go(g, &h);
  fprintf(stderr, "%s\n", line);
}
