#include "guard/pace.h"

#include "guard/call.h"
#include "guard/rate_rules.h"

#include <assert.h>

enum { MS_PER_MINUTE = 60000 };

static int64_t at_most(int64_t n, int64_t most)
{
  return n < most ? n : most;
}

static int64_t after(int64_t now_ms, int64_t ms)
{
  return now_ms > INT64_MAX - ms ? INT64_MAX : now_ms + ms;
}

/* A limit whose reset has passed is full, but for what was taken since. */
static void settle_told(struct guard_quota *q, int64_t now_ms)
{
  struct guard_bucket *b = &q->bucket;

  if (q->full_ms == 0 || now_ms < q->full_ms)
    return;
  guard_bucket_init(b, b->capacity, b->per_minute, now_ms);
  guard_bucket_correct(b, 0, q->taken, now_ms);
  q->full_ms = 0;
  q->taken = 0;
}

/* An own quota is what the options say, full at its first use. */
static void settle_own(struct guard_bucket *b, int64_t per_minute,
                       int64_t now_ms)
{
  if (b->capacity == 0)
    guard_bucket_init(b, per_minute, per_minute, now_ms);
  b->capacity = per_minute;
  b->per_minute = per_minute;
}

static int64_t own_quota(const struct guard_pacing *p, enum guard_unit unit)
{
  return unit == GUARD_UNIT_REQUESTS ? p->requests_per_minute
                                     : p->tokens_per_minute;
}

/* Brings all times up to |now_ms|; ends are pulled in when the clock stepped
 * back or another policy wrote them. */
static void settle(struct guard_pace *s, const struct guard_pacing *p,
                   int64_t now_ms)
{
  int64_t longest = after(now_ms, p->max_slow_ms);

  s->not_before_ms = at_most(s->not_before_ms, longest);
  s->spacing_end_ms = at_most(s->spacing_end_ms, longest);
  s->spacing_ms = at_most(s->spacing_ms, p->max_slow_ms);
  for (int i = 0; i < GUARD_NUNITS; i++) {
    int64_t per_minute = own_quota(p, (enum guard_unit)i);

    s->told[i].full_ms = at_most(s->told[i].full_ms, longest);
    settle_told(&s->told[i], now_ms);
    if (per_minute > 0)
      settle_own(&s->own[i], per_minute, now_ms);
  }
}

static int64_t tokens_of(const struct guard_rate_cost *cost)
{
  return guard_add_sat(cost->input_tokens > 0 ? cost->input_tokens : 0,
                       cost->output_tokens > 0 ? cost->output_tokens : 0);
}

static int64_t units_of(enum guard_unit unit, int64_t tokens)
{
  return unit == GUARD_UNIT_REQUESTS ? 1 : tokens;
}

/* The wait until |units| are there, 0: now. A call larger than the whole
 * bucket waits for a full one: whether it is too large is the server's word. */
static int64_t bucket_wait_ms(const struct guard_bucket *b, int64_t units,
                              int64_t now_ms)
{
  struct guard_bucket copy = *b;
  int64_t wait_ms = 0;

  if (b->capacity <= 0 ||
      guard_bucket_take(&copy, at_most(units, b->capacity), now_ms, &wait_ms))
    return 0;
  return wait_ms;
}

/* Never longer than until the reset; an inflow nobody knows makes no wait. */
static int64_t told_wait_ms(const struct guard_quota *q, int64_t units,
                            int64_t now_ms)
{
  int64_t wait_ms = bucket_wait_ms(&q->bucket, units, now_ms);

  if (wait_ms > 0 && q->full_ms > now_ms)
    return at_most(wait_ms, q->full_ms - now_ms);
  return wait_ms == GUARD_NEVER_MS ? 0 : wait_ms;
}

static struct guard_pace_decision decide(enum guard_pace_step step,
                                         enum guard_pace_cause cause,
                                         int64_t wait_ms, const char *why)
{
  return (struct guard_pace_decision){
      .step = step, .cause = cause, .wait_ms = wait_ms, .why = why};
}

static struct guard_pace_decision longer(struct guard_pace_decision d,
                                         int64_t wait_ms,
                                         enum guard_pace_cause cause,
                                         const char *why)
{
  return wait_ms > d.wait_ms ? decide(GUARD_PACE_WAIT, cause, wait_ms, why) : d;
}

/* The longest wait that a slow-down or a quota asks for. */
static struct guard_pace_decision quotas(const struct guard_pace *s,
                                         const struct guard_pacing *p,
                                         int64_t tokens, int64_t now_ms)
{
  struct guard_pace_decision d =
      decide(GUARD_PACE_GO, GUARD_PACE_FREE, 0, "go");

  for (int i = 0; i < GUARD_NUNITS; i++) {
    enum guard_unit unit = (enum guard_unit)i;
    int64_t units = units_of(unit, tokens);

    if (own_quota(p, unit) > 0)
      d = longer(d, bucket_wait_ms(&s->own[i], units, now_ms), GUARD_PACE_QUOTA,
                 "the own quota is used up");
    if (p->slow_down)
      d = longer(d, told_wait_ms(&s->told[i], units, now_ms), GUARD_PACE_SLOW,
                 "the server's limit is nearly used up");
  }
  if (p->slow_down && s->not_before_ms > now_ms)
    d = longer(d, s->not_before_ms - now_ms, GUARD_PACE_SLOW,
               "the server's limit is nearly used up");
  return d;
}

static struct guard_pace_decision places(struct guard_pace *s,
                                         const struct guard_pacing *p,
                                         const struct guard_pace_request *r,
                                         struct guard_pace_ticket *t,
                                         int64_t now_ms)
{
  int64_t ask_in_ms = 0;

  if (p->places == 0 ||
      guard_lanes_ask(&s->lanes, p, r->lane, now_ms, &t->place, &ask_in_ms))
    return decide(GUARD_PACE_GO, GUARD_PACE_FREE, 0, "go");
  return decide(GUARD_PACE_WAIT, GUARD_PACE_PLACES, ask_in_ms,
                "all places are taken");
}

static void take(struct guard_bucket *b, int64_t units, int64_t now_ms)
{
  int64_t wait_ms;

  units = at_most(units, b->capacity);
  if (!guard_bucket_take(b, units, now_ms, &wait_ms))
    guard_bucket_correct(b, 0, units, now_ms);
}

/* "Go": everything is taken here, in one piece. */
static void go(struct guard_pace *s, const struct guard_pacing *p,
               int64_t tokens, struct guard_pace_ticket *t, int64_t now_ms)
{
  for (int i = 0; i < GUARD_NUNITS; i++) {
    enum guard_unit unit = (enum guard_unit)i;
    int64_t units = units_of(unit, tokens);

    if (own_quota(p, unit) > 0)
      take(&s->own[i], units, now_ms);
    if (s->told[i].bucket.capacity > 0) {
      take(&s->told[i].bucket, units, now_ms);
      s->told[i].taken =
          guard_add_sat(s->told[i].taken > 0 ? s->told[i].taken : 0, units);
    }
  }
  if (s->spacing_ms > 0 && now_ms < s->spacing_end_ms)
    s->not_before_ms = after(now_ms, s->spacing_ms);
  t->out = true;
  t->tokens = tokens;
}

/* A wait nobody should begin: NULL when it is none. */
static const char *unfit(const struct guard_pace_decision *d,
                         const struct guard_pace_request *r)
{
  bool overruns = d->wait_ms >= r->deadline_left_ms;

  if (d->cause == GUARD_PACE_PLACES)
    return overruns ? "the wait for a place would overrun the deadline" : NULL;
  if (d->wait_ms > r->cap_ms)
    return "the slow-down is above the cap";
  return overruns ? "the slow-down would overrun the deadline" : NULL;
}

/* Those refused here count as requests, so that a refusing server is left
 * alone more and more; those let through count at their end, for many that
 * are out at the same time are no sign of a refusing server. */
static bool throttled(struct guard_pace *s, const struct guard_pacing *p,
                      double random, int64_t now_ms)
{
  if (random >= guard_throttle_refusal(&s->throttle, p, now_ms))
    return false;
  guard_throttle_request(&s->throttle, p, now_ms, random);
  return true;
}

struct guard_pace_decision guard_pace_ask(struct guard_pace *s,
                                          const struct guard_pacing *p,
                                          const struct guard_pace_request *r,
                                          struct guard_pace_ticket *t,
                                          int64_t now_ms)
{
  struct guard_pace_decision d;
  int64_t tokens = tokens_of(&r->cost);
  const char *fault;

  assert(!t->out);
  settle(s, p, now_ms);
  if (throttled(s, p, r->random, now_ms)) {
    guard_pace_leave(s, t);
    return decide(GUARD_PACE_REFUSE, GUARD_PACE_THROTTLE, 0,
                  "the server refused most requests of late");
  }
  d = quotas(s, p, tokens, now_ms);
  if (d.step == GUARD_PACE_GO)
    d = places(s, p, r, t, now_ms);
  if (d.step == GUARD_PACE_GO) {
    if (t->place > 0)
      guard_lanes_own(&s->lanes, t->place, r->owner);
    go(s, p, tokens, t, now_ms);
    return d;
  }
  fault = unfit(&d, r);
  if (!fault)
    return d;
  guard_pace_leave(s, t);
  bool overrun = d.wait_ms >= r->deadline_left_ms;
  d = decide(GUARD_PACE_REFUSE, d.cause, d.wait_ms, fault);
  d.overrun = overrun;
  return d;
}

/* A limit that comes back faster than it would per minute: some count by the
 * second. A speed too high does no harm, for the next answer's count lowers
 * the level again. */
static void learn_speed(struct guard_bucket *b, const struct guard_rate *r)
{
  int64_t limit, left, reset_ms, speed;

  if (guard_rate_get(r, GUARD_RATE_QUOTA, &limit) != GUARD_RATE_VALUE ||
      guard_rate_get(r, GUARD_RATE_REMAINING, &left) != GUARD_RATE_VALUE ||
      guard_rate_get(r, GUARD_RATE_RESET, &reset_ms) != GUARD_RATE_VALUE ||
      left >= limit)
    return;
  speed =
      guard_rate_scale(limit - left, MS_PER_MINUTE, reset_ms, GUARD_BUCKET_MAX);
  if (speed > limit)
    b->per_minute = speed;
}

/* Limits that fill up only: a window comes back whole at its reset, and that
 * is what the slow-down is for. */
static void learn_quota(struct guard_quota *q, const struct guard_rate *r,
                        const struct guard_pacing *p, int64_t now_ms)
{
  int64_t limit, reset_ms;

  if (!r->refills)
    return;
  if (q->bucket.capacity == 0) {
    if (guard_rate_get(r, GUARD_RATE_QUOTA, &limit) != GUARD_RATE_VALUE)
      return;
    /* limits are per minute until the reset tells otherwise */
    guard_bucket_init(&q->bucket, limit, limit, now_ms);
  }
  guard_bucket_learn(&q->bucket, r, now_ms);
  learn_speed(&q->bucket, r);
  q->taken = 0;
  q->full_ms = 0;
  if (guard_rate_get(r, GUARD_RATE_RESET, &reset_ms) == GUARD_RATE_VALUE)
    q->full_ms = after(now_ms, at_most(reset_ms, p->max_slow_ms));
}

/* Later answers may be about earlier calls: a slow-down is made longer, and
 * runs out by itself. */
static void slow(struct guard_pace *s, const struct guard_rates *rates,
                 const struct guard_rate_advice *a, int64_t now_ms)
{
  int64_t until = after(now_ms, a->slow_ms), reset_ms = a->slow_ms;

  if (a->slow_ms == 0) {
    s->spacing_ms = 0;
    return;
  }
  if (s->not_before_ms < until)
    s->not_before_ms = until;
  s->spacing_ms = a->slow_ms;
  guard_rate_get(&rates->family[a->family], GUARD_RATE_RESET, &reset_ms);
  s->spacing_end_ms = after(now_ms, reset_ms);
}

struct guard_rate_advice guard_pace_learn(struct guard_pace *s,
                                          const struct guard_pacing *p,
                                          const struct guard_rates *rates,
                                          const struct guard_rate_cost *cost,
                                          int64_t now_ms)
{
  struct guard_rate_advice a = guard_rates_advise(rates, cost);

  settle(s, p, now_ms);
  learn_quota(&s->told[GUARD_UNIT_REQUESTS],
              &rates->family[GUARD_RATE_REQUESTS], p, now_ms);
  learn_quota(&s->told[GUARD_UNIT_TOKENS], &rates->family[GUARD_RATE_TOKENS], p,
              now_ms);
  a.slow_ms = p->slow_down ? at_most(a.slow_ms, p->max_slow_ms) : 0;
  if (a.family != GUARD_RATE_NFAMILIES)
    slow(s, rates, &a, now_ms);
  return a;
}

/* The server took the request: an answer came that is no limit. */
static bool is_accepted(enum guard_class cls)
{
  return !guard_class_is_limit(cls) && cls != GUARD_TIMEOUT &&
         cls != GUARD_STREAM_INTERRUPTED;
}

/* What the server has told since the call went out has it counted already. */
static void correct_told(struct guard_quota *q, int64_t estimated, int64_t used,
                         int64_t now_ms)
{
  if (q->bucket.capacity <= 0 || q->taken < estimated)
    return;
  guard_bucket_correct(&q->bucket, estimated, used, now_ms);
  q->taken = guard_add_sat(q->taken - estimated, used);
}

void guard_pace_report(struct guard_pace *s, const struct guard_pacing *p,
                       struct guard_pace_ticket *t, enum guard_class cls,
                       int64_t used_tokens, int64_t now_ms)
{
  assert(t->out);
  settle(s, p, now_ms);
  guard_throttle_request(&s->throttle, p, now_ms, 1);
  if (is_accepted(cls))
    guard_throttle_accept(&s->throttle, p, now_ms);
  if (used_tokens > 0) {
    if (p->tokens_per_minute > 0)
      guard_bucket_correct(&s->own[GUARD_UNIT_TOKENS], t->tokens, used_tokens,
                           now_ms);
    correct_told(&s->told[GUARD_UNIT_TOKENS], t->tokens, used_tokens, now_ms);
  }
  guard_pace_leave(s, t);
}

void guard_pace_leave(struct guard_pace *s, struct guard_pace_ticket *t)
{
  if (t->place > 0)
    guard_lanes_leave(&s->lanes, &t->place);
  *t = (struct guard_pace_ticket){0};
}

int64_t guard_pace_slowed_until_ms(const struct guard_pace *s,
                                   const struct guard_pacing *p, int64_t now_ms)
{
  int64_t until = at_most(s->not_before_ms, after(now_ms, p->max_slow_ms));

  return p->slow_down && until > now_ms ? until : 0;
}

bool guard_pace_level(const struct guard_pace *s, enum guard_unit unit,
                      int64_t now_ms, int64_t *ret_left, int64_t *ret_limit)
{
  struct guard_quota q = s->told[unit];

  if (q.bucket.capacity <= 0)
    return false;
  settle_told(&q, now_ms);
  guard_bucket_correct(&q.bucket, 0, 0, now_ms); /* what flowed in */
  *ret_limit = q.bucket.capacity;
  *ret_left = q.bucket.level > 0 ? q.bucket.level / MS_PER_MINUTE : 0;
  return true;
}
