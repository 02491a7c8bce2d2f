#include "guard/call.h"

#include "guard/backoff.h"

#include <string.h>

bool guard_class_is_limit(enum guard_class cls)
{
  return cls == GUARD_RATE_LIMIT || cls == GUARD_OVERLOADED ||
         cls == GUARD_USAGE_LIMIT || cls == GUARD_QUOTA_EXHAUSTED;
}

static struct guard_order order(enum guard_step step, const char *why)
{
  return (struct guard_order){.step = step, .why = why};
}

static struct guard_order degrade(const struct guard_gate *g, const char *why)
{
  g->metrics->degraded++;
  return order(GUARD_DEGRADE, why);
}

/* |ms| longer by the stretch, once per time-out that was met. */
static int64_t stretched(int64_t ms, const struct guard_policy *p, int times)
{
  double stretched_ms = (double)ms;
  for (int i = 0; i < times && i < p->timeout_retries; i++)
    stretched_ms *= p->timeout_stretch;
  /* 2^53: above it doubles skip whole numbers, and nobody waits that long */
  return stretched_ms < 9007199254740992.0 ? (int64_t)stretched_ms : ms;
}

static struct guard_limits limits(const struct guard_call *c,
                                  const struct guard_policy *p, int64_t now_ms)
{
  return (struct guard_limits){
      .total_ms = guard_deadline_timeout_ms(
          &c->deadline, now_ms, stretched(p->timeout_ms, p, c->timeouts)),
      .connect_ms = p->connect_timeout_ms,
      .first_byte_ms = stretched(p->first_byte_ms, p, c->timeouts),
      .idle_ms = stretched(p->idle_ms, p, c->timeouts),
  };
}

void guard_call_open(struct guard_call *c, const struct guard_gate *g,
                     int64_t now_ms)
{
  memset(c, 0, sizeof *c);
  guard_deadline_start(&c->deadline, now_ms, g->policy->deadline_ms);
  g->metrics->calls++;
  guard_budget_request(g->budget, g->policy, now_ms);
}

struct guard_order guard_call_begin(struct guard_call *c,
                                    const struct guard_gate *g, int64_t now_ms)
{
  guard_call_open(c, g, now_ms);
  return guard_call_again(c, g, now_ms);
}

bool guard_call_would_go(const struct guard_call *c, const struct guard_gate *g,
                         int64_t now_ms)
{
  struct guard_breaker copy = *g->breaker;
  struct guard_permit permit;
  int64_t retry_in_ms;
  return guard_deadline_left_ms(&c->deadline, now_ms) > 0 &&
         guard_breaker_before_call(&copy, g->policy, now_ms, 1, &permit,
                                   &retry_in_ms);
}

struct guard_order guard_call_refuse(const struct guard_gate *g,
                                     int64_t wait_ms, bool overrun,
                                     const char *why)
{
  struct guard_order o = degrade(g, why);
  o.wait_ms = wait_ms;
  o.overrun = overrun;
  return o;
}

struct guard_order guard_call_again(struct guard_call *c,
                                    const struct guard_gate *g, int64_t now_ms)
{
  guard_call_close(c, g, now_ms);
  if (guard_deadline_left_ms(&c->deadline, now_ms) == 0)
    return guard_call_refuse(g, 0, true, "the deadline is over");
  struct guard_order o = order(GUARD_TRY, "go");
  o.limits = limits(c, g->policy, now_ms);
  int64_t lease_ms = o.limits.total_ms + g->policy->probe_grace_ms;
  int64_t retry_in_ms = 0;
  if (!guard_breaker_before_call(g->breaker, g->policy, now_ms, lease_ms,
                                 &c->permit, &retry_in_ms)) {
    g->metrics->rejected++;
    if (guard_breaker_state(g->breaker, g->policy, now_ms) ==
        GUARD_BREAKER_HALF_OPEN)
      return degrade(g, "another call is probing");
    o = degrade(g, "the breaker is open");
    o.wait_ms = retry_in_ms;
    return o;
  }
  c->tries++;
  g->metrics->attempts++;
  return o;
}

/* The wait the answer asks for, or GUARD_UNKNOWN_MS. */
static int64_t asked_ms(const struct guard_verdict *v)
{
  return v->hint == GUARD_HINT_WAIT ? v->wait_ms : GUARD_UNKNOWN_MS;
}

/* When the limit ends, or GUARD_UNKNOWN_MS; an end that is over already tells
 * nothing ("Claude AI usage limit reached|0"). */
static int64_t ends_in_ms(const struct guard_verdict *v, int64_t now_ms)
{
  int64_t in = asked_ms(v);
  if (in == GUARD_UNKNOWN_MS && v->reset_epoch_s > now_ms / 1000)
    in = v->reset_epoch_s > INT64_MAX / 1000 ? INT64_MAX
                                             : v->reset_epoch_s * 1000 - now_ms;
  return in > 0 ? in : GUARD_UNKNOWN_MS;
}

/* Nobody waits for these: hours, days or money lie between. */
static bool is_exhausted(const struct guard_policy *p,
                         const struct guard_verdict *v)
{
  return v->cls == GUARD_USAGE_LIMIT || v->cls == GUARD_QUOTA_EXHAUSTED ||
         asked_ms(v) > p->cap_ms;
}

/* Takes the permit back by class; true when that opened the breaker. */
static bool report(struct guard_call *c, const struct guard_gate *g,
                   const struct guard_verdict *v, int64_t now_ms)
{
  if (v->cls == GUARD_NONE) {
    guard_breaker_on_success(g->breaker, &c->permit);
    return false;
  }
  if (!(g->policy->breaker_counts >> v->cls & 1) &&
      (v->cls == GUARD_AUTH || v->cls == GUARD_INVALID_REQUEST)) {
    guard_breaker_on_client_error(g->breaker, &c->permit);
    return false;
  }
  if (!(g->policy->breaker_counts >> v->cls & 1))
    return guard_breaker_on_failure(g->breaker, g->policy, &c->permit, now_ms);
  if (is_exhausted(g->policy, v))
    return guard_breaker_on_exhausted(g->breaker, g->policy, &c->permit, now_ms,
                                      ends_in_ms(v, now_ms));
  return guard_breaker_on_limit(g->breaker, g->policy, &c->permit, now_ms,
                                ends_in_ms(v, now_ms));
}

/* The end that the answer itself decides, GUARD_WAIT when it leaves the
 * decision to the counters. */
static struct guard_order by_answer(const struct guard_policy *p,
                                    const struct guard_outcome *o)
{
  const struct guard_verdict *v = &o->verdict;
  if (v->cls == GUARD_NONE)
    return order(GUARD_DONE, "done");
  if (v->cls == GUARD_USAGE_LIMIT)
    return order(GUARD_DEGRADE, "the usage limit is reached");
  if (v->cls == GUARD_QUOTA_EXHAUSTED)
    return order(GUARD_DEGRADE, "the quota is used up");
  /* "overloaded, don't retry" (third article): more calls do harm, so the
   * caller should do without this one now */
  if (guard_class_is_limit(v->cls) && !v->retryable)
    return order(GUARD_DEGRADE,
                 "the server is at its limit and forbids a retry");
  if (v->cls == GUARD_AUTH || v->cls == GUARD_INVALID_REQUEST ||
      !v->retryable || v->hint == GUARD_HINT_STOP)
    return order(GUARD_GIVE_UP, "the answer does not allow a retry");
  if (asked_ms(v) > p->cap_ms)
    return order(GUARD_DEGRADE, "the wait asked for is above the cap");
  if (o->delivered && !p->repeat_output)
    return order(GUARD_GIVE_UP, "output was already delivered");
  return order(GUARD_WAIT, "retry");
}

/* What is asked for plus jitter, never less; own backoff without it, and as
 * the floor of a very short one. */
static int64_t wait_ms(const struct guard_call *c, const struct guard_policy *p,
                       const struct guard_verdict *v, double random)
{
  int64_t asked = asked_ms(v);
  int64_t own = guard_backoff_ms(p, c->retries, c->waited_ms, random);
  if (asked == GUARD_UNKNOWN_MS || (asked < p->short_wait_ms && asked < own))
    return own;
  return asked + (int64_t)((double)p->retry_after_jitter_ms * random);
}

/* When an open breaker lets the next call out, 0 when it is not open. */
static int64_t open_for_ms(const struct guard_gate *g, int64_t now_ms)
{
  if (g->policy->breaker_force != GUARD_FORCE_NONE ||
      guard_breaker_state(g->breaker, g->policy, now_ms) != GUARD_BREAKER_OPEN)
    return 0;
  return g->breaker->until_ms - now_ms;
}

/* The end that the counters decide, or the wait before the next try. */
static struct guard_order by_counters(struct guard_call *c,
                                      const struct guard_gate *g,
                                      const struct guard_verdict *v,
                                      int64_t now_ms, double random)
{
  const struct guard_policy *p = g->policy;
  if (v->cls == GUARD_TIMEOUT && c->timeouts > p->timeout_retries)
    return order(GUARD_GIVE_UP, "no more retries after a time-out");
  if (c->tries >= p->attempts)
    return order(GUARD_GIVE_UP, "the attempts are used up");
  if (c->retries >= p->retries_per_request)
    return order(GUARD_GIVE_UP, "the retries of this request are used up");
  struct guard_order o = order(GUARD_WAIT, "retry");
  o.wait_ms = wait_ms(c, p, v, random);
  if (guard_deadline_overrun(&c->deadline, now_ms, o.wait_ms)) {
    o = order(GUARD_DEGRADE, "the wait would overrun the deadline");
    o.overrun = true;
    return o;
  }
  /* Others have opened it while this try was out: no use in waiting. */
  if (open_for_ms(g, now_ms) > o.wait_ms)
    return order(GUARD_DEGRADE, "the breaker is open");
  if (!guard_budget_retry(g->budget, p, now_ms))
    return order(GUARD_GIVE_UP, "the retry budget of this client is used up");
  return o;
}

static void count(const struct guard_gate *g, const struct guard_order *o)
{
  g->metrics->done += o->step == GUARD_DONE;
  g->metrics->failed += o->step == GUARD_GIVE_UP;
  g->metrics->degraded += o->step == GUARD_DEGRADE;
  if (o->step != GUARD_WAIT)
    return;
  g->metrics->retries++;
  g->metrics->backoff_total_ms += o->wait_ms;
}

struct guard_order guard_call_result(struct guard_call *c,
                                     const struct guard_gate *g,
                                     const struct guard_outcome *out,
                                     int64_t now_ms, double random)
{
  const struct guard_verdict *v = &out->verdict;
  bool opened = report(c, g, v, now_ms);
  g->metrics->opened += opened;
  g->metrics->hits += guard_class_is_limit(v->cls);
  if (v->cls == GUARD_TIMEOUT) {
    c->timeouts++;
    g->metrics->timeouts++;
  }
  struct guard_order o = by_answer(g->policy, out);
  if (o.step == GUARD_WAIT && opened)
    o = order(GUARD_DEGRADE, "the breaker has opened");
  else if (o.step == GUARD_WAIT)
    o = by_counters(c, g, v, now_ms, random);
  if (o.step == GUARD_WAIT) {
    c->retries++;
    c->waited_ms = o.wait_ms;
  } else if (o.step == GUARD_DEGRADE) {
    o.wait_ms = open_for_ms(g, now_ms);
  }
  count(g, &o);
  return o;
}

void guard_call_close(struct guard_call *c, const struct guard_gate *g,
                      int64_t now_ms)
{
  if (!c->permit.held)
    return;
  g->metrics->opened +=
      guard_breaker_dropped(g->breaker, g->policy, &c->permit, now_ms);
  g->metrics->failed++;
}

void guard_call_abandon(struct guard_call *c, const struct guard_gate *g,
                        int64_t now_ms)
{
  if (c->permit.held)
    g->metrics->opened +=
        guard_breaker_on_abandoned(g->breaker, g->policy, &c->permit, now_ms);
  g->metrics->failed++;
}
