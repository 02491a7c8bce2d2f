#include "guard/throttle.h"

#include "guard/rate_rules.h"

#include <string.h>

static int64_t slot_of(const struct guard_pacing *p, int64_t now_ms)
{
  int64_t length = p->throttle_window_ms / GUARD_THROTTLE_SLOTS;

  return (now_ms > 0 ? now_ms : 0) / (length > 0 ? length : 1);
}

/* True when nothing of the ring belongs to the window: it is too old, or the
 * clock went back further than the window. */
static bool is_stale(const struct guard_throttle *t, int64_t slot)
{
  return t->slot < 0 || slot - t->slot >= GUARD_THROTTLE_SLOTS ||
         t->slot - slot >= GUARD_THROTTLE_SLOTS;
}

/* Moves the ring up to |now_ms| and gives the place of the present slot; a
 * small step back counts into the newest slot. */
static int settle(struct guard_throttle *t, const struct guard_pacing *p,
                  int64_t now_ms)
{
  int64_t slot = slot_of(p, now_ms);

  if (is_stale(t, slot)) {
    memset(t, 0, sizeof(*t));
    t->slot = slot;
  }
  while (t->slot < slot) {
    t->slot++;
    t->requests[t->slot % GUARD_THROTTLE_SLOTS] = 0;
    t->accepts[t->slot % GUARD_THROTTLE_SLOTS] = 0;
  }
  return (int)(t->slot % GUARD_THROTTLE_SLOTS);
}

/* Counts of a torn or foreign memory may be negative: taken for none. */
static int64_t sum(const int64_t *count)
{
  int64_t n = 0;

  for (int i = 0; i < GUARD_THROTTLE_SLOTS; i++)
    if (count[i] > 0)
      n = guard_add_sat(n, count[i]);
  return n;
}

static void count_one(int64_t *count)
{
  *count = *count > 0 ? guard_add_sat(*count, 1) : 1;
}

static double refusal(const struct guard_throttle *t,
                      const struct guard_pacing *p)
{
  double requests = (double)sum(t->requests);
  double accepts = (double)sum(t->accepts);
  double chance = (requests - p->throttle_k * accepts) / (requests + 1);

  if (!(p->throttle_k > 0) || requests < (double)p->throttle_min)
    return 0;
  return chance > 0 ? chance : 0;
}

bool guard_throttle_request(struct guard_throttle *t,
                            const struct guard_pacing *p, int64_t now_ms,
                            double random)
{
  int slot = settle(t, p, now_ms);
  bool send = random >= refusal(t, p);

  count_one(&t->requests[slot]);
  return send;
}

void guard_throttle_accept(struct guard_throttle *t,
                           const struct guard_pacing *p, int64_t now_ms)
{
  count_one(&t->accepts[settle(t, p, now_ms)]);
}

double guard_throttle_refusal(const struct guard_throttle *t,
                              const struct guard_pacing *p, int64_t now_ms)
{
  struct guard_throttle copy = *t;

  settle(&copy, p, now_ms);
  return refusal(&copy, p);
}

enum { MS_PER_MINUTE = 60000, TEN_SECONDS_MS = 10000 };

static int64_t within(int64_t n, int64_t least, int64_t most)
{
  return n < least ? least : n > most ? most : n;
}

/* Adds what flowed in; after a step back the clock's new time counts on. The
 * numbers are drawn in first: shared memory may hold anything. */
static void fill(struct guard_bucket *b, int64_t now_ms)
{
  int64_t full, passed_ms = 0;

  b->capacity = within(b->capacity, 0, GUARD_BUCKET_MAX);
  b->per_minute = within(b->per_minute, 0, GUARD_BUCKET_MAX);
  full = b->capacity * MS_PER_MINUTE;
  b->level = within(b->level, -full, full);
  if (now_ms > b->at_ms)
    passed_ms = b->at_ms < 0 && now_ms > INT64_MAX + b->at_ms
                    ? INT64_MAX
                    : now_ms - b->at_ms;
  b->at_ms = now_ms;
  if (b->level < full) {
    int64_t missing = full - b->level;
    int64_t inflow = guard_mul_sat(passed_ms, b->per_minute);

    b->level = inflow >= missing ? full : b->level + inflow;
  }
}

void guard_bucket_init(struct guard_bucket *b, int64_t capacity,
                       int64_t per_minute, int64_t now_ms)
{
  b->capacity = within(capacity, 0, GUARD_BUCKET_MAX);
  b->per_minute = within(per_minute, 0, GUARD_BUCKET_MAX);
  b->level = b->capacity * MS_PER_MINUTE;
  b->at_ms = now_ms;
}

bool guard_bucket_take(struct guard_bucket *b, int64_t cost, int64_t now_ms,
                       int64_t *ret_wait_ms)
{
  int64_t missing;

  fill(b, now_ms);
  if (cost > b->capacity) {
    *ret_wait_ms = GUARD_NEVER_MS;
    return false;
  }
  cost = (cost > 0 ? cost : 0) * MS_PER_MINUTE;
  if (cost <= b->level || cost == 0) {
    b->level -= cost;
    return true;
  }
  missing = cost - b->level;
  if (b->per_minute == 0)
    *ret_wait_ms = GUARD_NEVER_MS;
  else
    *ret_wait_ms = missing / b->per_minute + (missing % b->per_minute ? 1 : 0);
  return false;
}

void guard_bucket_correct(struct guard_bucket *b, int64_t estimated,
                          int64_t actual, int64_t now_ms)
{
  int64_t full = b->capacity * MS_PER_MINUTE;

  fill(b, now_ms);
  estimated = within(estimated, 0, GUARD_BUCKET_MAX);
  actual = within(actual, 0, GUARD_BUCKET_MAX);
  b->level =
      within(b->level + (estimated - actual) * MS_PER_MINUTE, -full, full);
}

static void learn_inflow(struct guard_bucket *b, const struct guard_rate *r)
{
  int64_t limit, left, reset_ms;

  if (guard_rate_get(r, GUARD_RATE_QUOTA, &limit) != GUARD_RATE_VALUE ||
      guard_rate_get(r, GUARD_RATE_REMAINING, &left) != GUARD_RATE_VALUE ||
      guard_rate_get(r, GUARD_RATE_RESET, &reset_ms) != GUARD_RATE_VALUE ||
      reset_ms < TEN_SECONDS_MS || left >= limit)
    return;
  b->per_minute = guard_rate_scale(limit - left, MS_PER_MINUTE, reset_ms,
                                   within(limit, 0, GUARD_BUCKET_MAX));
}

void guard_bucket_learn(struct guard_bucket *b, const struct guard_rate *r,
                        int64_t now_ms)
{
  int64_t limit, left;

  fill(b, now_ms);
  if (guard_rate_get(r, GUARD_RATE_QUOTA, &limit) == GUARD_RATE_VALUE)
    b->capacity = within(limit, 0, GUARD_BUCKET_MAX);
  if (r->refills)
    learn_inflow(b, r);
  fill(b, now_ms);
  if (guard_rate_get(r, GUARD_RATE_REMAINING, &left) == GUARD_RATE_VALUE) {
    left = within(left, 0, b->capacity) * MS_PER_MINUTE;
    b->level = left < b->level ? left : b->level;
  }
}
