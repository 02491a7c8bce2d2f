#include "mockserver/limiter.h"

#include "base/buf.h"

#include <string.h>

static int64_t ceil_div(int64_t a, int64_t b)
{
  return a / b + (a % b > 0);
}

static int64_t least(int64_t a, int64_t b)
{
  return a < b ? a : b;
}

static int64_t most(int64_t a, int64_t b)
{
  return a > b ? a : b;
}

/* Units as a level of a continuous bucket, held within bounds. */
static int64_t scaled(const struct limiter_rule *r, int64_t amount)
{
  if (amount > LIMITER_MAX_SCALED / r->period_us)
    return LIMITER_MAX_SCALED;
  return amount * r->period_us;
}

bool limiter_rule_fits(const struct limiter_rule *r)
{
  if (r->limit < 0 || r->burst < 0 || r->percent < 0 || r->period_us < 1)
    return false;
  return most(r->burst, r->limit) <= LIMITER_MAX_SCALED / r->period_us &&
         r->percent <= LIMITER_MAX_SCALED / most(r->limit, 1);
}

void limiter_init(struct limiter_bucket *b, const struct limiter_rule *r,
                  struct limiter_time now)
{
  memset(b, 0, sizeof *b);
  b->mark_us = now.mono_us;
  if (r->window == LIMITER_CONTINUOUS)
    b->level = scaled(r, r->burst);
  if (r->window == LIMITER_SLIDING)
    b->log = mem_zalloc(LIMITER_ENTRIES * sizeof *b->log);
}

void limiter_release(struct limiter_bucket *b)
{
  free(b->log);
  memset(b, 0, sizeof *b);
}

/* ---- what time alone changes ---- */

static void refill(struct limiter_bucket *b, const struct limiter_rule *r,
                   struct limiter_time now)
{
  int64_t full = scaled(r, r->burst);
  int64_t elapsed = most(0, now.mono_us - b->mark_us);
  int64_t missing = full - b->level;
  if (r->limit > 0 && missing > 0)
    b->level = elapsed >= ceil_div(missing, r->limit)
                   ? full
                   : b->level + elapsed * r->limit;
  b->level = least(b->level, full);
  b->mark_us = most(b->mark_us, now.mono_us);
}

static void close_fixed(struct limiter_bucket *b, const struct limiter_rule *r,
                        struct limiter_time now)
{
  if (b->open && now.mono_us - b->mark_us < r->period_us)
    return;
  b->open = false;
  b->level = 0;
}

static void drop_old(struct limiter_bucket *b, const struct limiter_rule *r,
                     struct limiter_time now)
{
  while (b->n && now.mono_us - b->log[b->first].at_us >= r->period_us) {
    b->level -= b->log[b->first].amount;
    b->first = (b->first + 1) % LIMITER_ENTRIES;
    b->n--;
  }
}

static void next_day(struct limiter_bucket *b, const struct limiter_rule *r,
                     struct limiter_time now)
{
  if (b->open && now.wall_us < b->mark_us)
    return;
  b->open = true;
  b->level = 0;
  b->before = now.wall_us;
  b->mark_us = midnight_next(r->zone, now.wall_us / 1000000) * 1000000;
}

static void next_growth(struct limiter_bucket *b, const struct limiter_rule *r,
                        struct limiter_time now)
{
  int64_t passed = (now.mono_us - b->mark_us) / r->period_us;
  if (!b->open || passed < 1)
    return;
  b->before = passed == 1 ? b->level : 0;
  b->level = 0;
  b->mark_us += passed * r->period_us;
}

static void advance(struct limiter_bucket *b, const struct limiter_rule *r,
                    struct limiter_time now)
{
  switch (r->window) {
  case LIMITER_CONTINUOUS:
    refill(b, r, now);
    break;
  case LIMITER_FIXED:
    close_fixed(b, r, now);
    break;
  case LIMITER_SLIDING:
    drop_old(b, r, now);
    break;
  case LIMITER_DAY:
    next_day(b, r, now);
    break;
  case LIMITER_GROWTH:
    next_growth(b, r, now);
    break;
  }
}

/* ---- how much and when ---- */

/* What a window may hold that comes behind one with `used` units. */
static int64_t grown(const struct limiter_rule *r, int64_t used)
{
  if (used > LIMITER_MAX_SCALED / most(r->percent, 1))
    return LIMITER_MAX_SCALED;
  return most(r->limit, used * r->percent / 100);
}

static int64_t allowed(const struct limiter_bucket *b,
                       const struct limiter_rule *r)
{
  return r->window == LIMITER_GROWTH ? grown(r, b->before) : r->limit;
}

/* When enough of the oldest entries have left the window. */
static int64_t sliding_wait_us(const struct limiter_bucket *b,
                               const struct limiter_rule *r,
                               struct limiter_time now, int64_t amount)
{
  int64_t used = b->level, wait = 0;
  for (size_t i = 0; i < b->n && used + amount > r->limit; i++) {
    const struct limiter_entry *e = &b->log[(b->first + i) % LIMITER_ENTRIES];
    used -= e->amount;
    wait = e->at_us + r->period_us - now.mono_us;
  }
  return wait;
}

static int64_t continuous_wait_us(const struct limiter_bucket *b,
                                  const struct limiter_rule *r, int64_t amount)
{
  int64_t missing = scaled(r, amount) - b->level;
  if (missing <= 0)
    return 0;
  return r->limit ? ceil_div(missing, r->limit) : LIMITER_NEVER;
}

int64_t limiter_wait_us(struct limiter_bucket *b, const struct limiter_rule *r,
                        struct limiter_time now, int64_t amount)
{
  advance(b, r, now);
  if (amount <= 0)
    return 0;
  if (r->window == LIMITER_CONTINUOUS)
    return amount > r->burst ? LIMITER_NEVER : continuous_wait_us(b, r, amount);
  if (b->level + amount <= allowed(b, r))
    return 0;
  if (r->window == LIMITER_GROWTH)
    return amount > grown(r, b->level)
               ? LIMITER_NEVER
               : b->mark_us + r->period_us - now.mono_us;
  if (amount > r->limit)
    return LIMITER_NEVER;
  if (r->window == LIMITER_SLIDING)
    return sliding_wait_us(b, r, now, amount);
  return r->window == LIMITER_DAY ? b->mark_us - now.wall_us
                                  : b->mark_us + r->period_us - now.mono_us;
}

/* ---- what a request changes ---- */

static void remember(struct limiter_bucket *b, struct limiter_time now,
                     int64_t amount)
{
  size_t last = (b->first + b->n + LIMITER_ENTRIES - 1) % LIMITER_ENTRIES;
  bool same = b->n && b->log[last].at_us == now.mono_us;
  if (same || b->n == LIMITER_ENTRIES) {
    b->log[last].at_us = now.mono_us;
    b->log[last].amount += amount;
    return;
  }
  b->log[(b->first + b->n++) % LIMITER_ENTRIES] =
      (struct limiter_entry){now.mono_us, amount};
}

void limiter_charge(struct limiter_bucket *b, const struct limiter_rule *r,
                    struct limiter_time now, int64_t amount)
{
  advance(b, r, now);
  if (amount <= 0)
    return;
  if (r->window == LIMITER_CONTINUOUS) {
    b->level = most(b->level - scaled(r, amount), -LIMITER_MAX_SCALED);
    return;
  }
  amount = least(amount, LIMITER_MAX_SCALED - b->level);
  if (r->window == LIMITER_SLIDING)
    remember(b, now, amount);
  if (r->window != LIMITER_SLIDING && r->window != LIMITER_DAY && !b->open) {
    b->open = true;
    b->mark_us = now.mono_us;
  }
  b->level += amount;
}

void limiter_charge_refused(struct limiter_bucket *b,
                            const struct limiter_rule *r,
                            struct limiter_time now, int64_t amount)
{
  advance(b, r, now);
  if (r->window == LIMITER_GROWTH)
    return;
  if (r->window != LIMITER_CONTINUOUS)
    limiter_charge(b, r, now, amount);
  else if (b->level > 0)
    b->level = most(0, b->level - scaled(r, amount));
}

/* The entry that holds what was charged at `then`: its own or, when they
 * were joined, the next. */
static void refund_entry(struct limiter_bucket *b, struct limiter_time then,
                         int64_t amount)
{
  for (size_t i = 0; i < b->n; i++) {
    struct limiter_entry *e = &b->log[(b->first + i) % LIMITER_ENTRIES];
    if (e->at_us < then.mono_us)
      continue;
    amount = least(amount, e->amount);
    e->amount -= amount;
    b->level -= amount;
    return;
  }
}

void limiter_refund(struct limiter_bucket *b, const struct limiter_rule *r,
                    struct limiter_time now, struct limiter_time then,
                    int64_t amount)
{
  advance(b, r, now);
  if (amount <= 0)
    return;
  if (r->window == LIMITER_CONTINUOUS) {
    int64_t room = scaled(r, r->burst) - b->level;
    b->level += least(scaled(r, amount), room);
  } else if (r->window == LIMITER_SLIDING) {
    refund_entry(b, then, amount);
  } else if (r->window == LIMITER_DAY ? then.wall_us >= b->before
                                      : then.mono_us >= b->mark_us) {
    b->level = most(0, b->level - amount);
  }
}

/* ---- what the headers say ---- */

int64_t limiter_remaining(struct limiter_bucket *b,
                          const struct limiter_rule *r, struct limiter_time now)
{
  advance(b, r, now);
  if (r->window == LIMITER_CONTINUOUS)
    return most(0, b->level) / r->period_us;
  return most(0, allowed(b, r) - b->level);
}

int64_t limiter_reset_us(struct limiter_bucket *b, const struct limiter_rule *r,
                         struct limiter_time now)
{
  advance(b, r, now);
  switch (r->window) {
  case LIMITER_CONTINUOUS:
    return r->limit ? ceil_div(scaled(r, r->burst) - b->level, r->limit) : 0;
  case LIMITER_SLIDING:
    return b->n ? b->log[(b->first + b->n - 1) % LIMITER_ENTRIES].at_us +
                      r->period_us - now.mono_us
                : 0;
  case LIMITER_DAY:
    return b->mark_us - now.wall_us;
  default:
    return b->open ? b->mark_us + r->period_us - now.mono_us : 0;
  }
}
