#include "guard/call_pace.h"

#include <assert.h>

static struct guard_order wait(struct guard_paced_call *c,
                               const struct guard_paced_gate *g,
                               const struct guard_pace_decision *d)
{
  g->gate.metrics->paced += !c->waits;
  g->gate.metrics->paced_total_ms += d->wait_ms;
  c->waits = true;
  return (struct guard_order){
      .step = GUARD_WAIT, .wait_ms = d->wait_ms, .why = d->why};
}

static struct guard_order refuse(struct guard_paced_call *c,
                                 const struct guard_paced_gate *g,
                                 const struct guard_pace_decision *d)
{
  g->gate.metrics->throttled += d->cause == GUARD_PACE_THROTTLE;
  c->waits = false;
  return guard_call_refuse(&g->gate, d->wait_ms, d->overrun, d->why);
}

static struct guard_order try_now(struct guard_paced_call *c,
                                  const struct guard_paced_gate *g,
                                  int64_t now_ms)
{
  struct guard_order o = guard_call_again(&c->call, &g->gate, now_ms);
  assert(o.step == GUARD_TRY); /* it was looked at under the same lock */
  c->waits = false;
  return o;
}

struct guard_order guard_paced_enter(struct guard_paced_call *c,
                                     const struct guard_paced_gate *g,
                                     struct guard_pace_request r,
                                     int64_t now_ms)
{
  struct guard_pace_decision d;
  if (!guard_call_would_go(&c->call, &g->gate, now_ms)) {
    guard_pace_leave(g->pace, &c->ticket);
    return guard_call_again(&c->call, &g->gate, now_ms);
  }
  r.deadline_left_ms = guard_deadline_left_ms(&c->call.deadline, now_ms);
  r.cap_ms = g->gate.policy->cap_ms;
  d = guard_pace_ask(g->pace, g->pacing, &r, &c->ticket, now_ms);
  if (d.step == GUARD_PACE_WAIT)
    return wait(c, g, &d);
  if (d.step == GUARD_PACE_REFUSE)
    return refuse(c, g, &d);
  return try_now(c, g, now_ms);
}

struct guard_order guard_paced_result(struct guard_paced_call *c,
                                      const struct guard_paced_gate *g,
                                      const struct guard_outcome *o,
                                      int64_t now_ms, double random)
{
  guard_pace_report(g->pace, g->pacing, &c->ticket, o->verdict.cls, o->tokens,
                    now_ms);
  return guard_call_result(&c->call, &g->gate, o, now_ms, random);
}

void guard_paced_abandon(struct guard_paced_call *c,
                         const struct guard_paced_gate *g, int64_t now_ms)
{
  guard_pace_leave(g->pace, &c->ticket);
  guard_call_abandon(&c->call, &g->gate, now_ms);
}
