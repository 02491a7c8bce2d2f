#include "guard/breaker.h"

#include <assert.h>

const char *guard_breaker_state_name(enum guard_breaker_state s)
{
  static const char *const name[] = {"closed", "open", "half-open"};
  return name[s];
}

static int64_t shorter(int64_t a, int64_t b)
{
  return a < b ? a : b;
}

static int64_t longer(int64_t a, int64_t b)
{
  return a > b ? a : b;
}

static int64_t after(int64_t now_ms, int64_t ms)
{
  return now_ms > INT64_MAX - ms ? INT64_MAX : now_ms + ms;
}

/* No breaker at all: it lets every call out and learns nothing. */
static bool is_off(const struct guard_policy *p)
{
  return p->breaker_hits == 0 || p->breaker_force == GUARD_FORCE_CLOSED;
}

/* Brings the state up to |now_ms|; ends are pulled in when the clock stepped
 * back or another policy wrote them. */
static void settle(struct guard_breaker *b, const struct guard_policy *p,
                   int64_t now_ms, int64_t lease_ms)
{
  if (b->state == GUARD_BREAKER_OPEN) {
    b->hold_ms = shorter(b->hold_ms, p->max_hold_ms);
    b->until_ms = shorter(b->until_ms, after(now_ms, b->hold_ms));
    if (now_ms < b->until_ms)
      return;
    b->state = GUARD_BREAKER_HALF_OPEN;
    b->probe = 0;
  }
  if (b->state == GUARD_BREAKER_HALF_OPEN && b->probe) {
    b->probe_end_ms = shorter(b->probe_end_ms, after(now_ms, lease_ms));
    if (now_ms >= b->probe_end_ms)
      b->probe = 0;
  }
}

bool guard_breaker_before_call(struct guard_breaker *b,
                               const struct guard_policy *p, int64_t now_ms,
                               int64_t lease_ms, struct guard_permit *ret,
                               int64_t *ret_retry_in_ms)
{
  assert(lease_ms > 0);
  if (p->breaker_force == GUARD_FORCE_OPEN) {
    *ret_retry_in_ms = 0;
    return false;
  }
  if (!is_off(p))
    settle(b, p, now_ms, lease_ms);
  if (is_off(p) || b->state == GUARD_BREAKER_CLOSED) {
    *ret = (struct guard_permit){.held = true};
    return true;
  }
  if (b->state == GUARD_BREAKER_OPEN || b->probe) {
    int64_t end = b->probe ? b->probe_end_ms : b->until_ms;
    *ret_retry_in_ms = end - now_ms;
    return false;
  }
  b->probe = ++b->last_permit;
  b->probe_end_ms = after(now_ms, lease_ms);
  *ret = (struct guard_permit){.held = true, .probe = b->probe};
  return true;
}

/* Takes the permit back; true when it is the probe everybody waits for. */
static bool take_back(const struct guard_breaker *b,
                      struct guard_permit *permit)
{
  assert(permit->held);
  permit->held = false;
  return b->state == GUARD_BREAKER_HALF_OPEN && permit->probe &&
         permit->probe == b->probe;
}

static void open_for(struct guard_breaker *b, int64_t now_ms, int64_t ms)
{
  int64_t end = after(now_ms, ms);
  if (b->state == GUARD_BREAKER_OPEN)
    end = longer(b->until_ms, end);
  b->until_ms = end;
  b->hold_ms = end - now_ms;
  b->state = GUARD_BREAKER_OPEN;
  b->probe = 0;
  b->nhits = 0;
}

static int64_t doubled(const struct guard_breaker *b,
                       const struct guard_policy *p)
{
  int64_t last = longer(b->cooldown_ms, p->cooldown_ms);
  return shorter(last * 2, p->max_cooldown_ms); /* GUARD_MAX_MS x 2 fits */
}

/* Opens with cooling |cooldown_ms|, longer if the limit's end is known. */
static void cool(struct guard_breaker *b, const struct guard_policy *p,
                 int64_t now_ms, int64_t cooldown_ms, int64_t ends_in_ms)
{
  b->cooldown_ms = cooldown_ms;
  open_for(b, now_ms, longer(cooldown_ms, shorter(ends_in_ms, p->max_hold_ms)));
}

void guard_breaker_on_success(struct guard_breaker *b,
                              struct guard_permit *permit)
{
  if (!take_back(b, permit))
    return;
  int64_t last = b->last_permit;
  *b = (struct guard_breaker){.last_permit = last};
}

/* Notes a hit; true when the window now holds as many as open the breaker. */
static bool count_hit(struct guard_breaker *b, const struct guard_policy *p,
                      int64_t now_ms)
{
  int64_t kept = 0;
  for (int64_t i = 0; i < b->nhits; i++) {
    int64_t hit = shorter(b->hits_ms[i], now_ms);
    if (now_ms - hit < p->breaker_window_ms)
      b->hits_ms[kept++] = hit;
  }
  if (kept == GUARD_MAX_HITS) {
    for (int64_t i = 1; i < kept; i++)
      b->hits_ms[i - 1] = b->hits_ms[i];
    kept--;
  }
  b->hits_ms[kept++] = now_ms;
  b->nhits = kept;
  return kept >= p->breaker_hits;
}

bool guard_breaker_on_limit(struct guard_breaker *b,
                            const struct guard_policy *p,
                            struct guard_permit *permit, int64_t now_ms,
                            int64_t ends_in_ms)
{
  bool probe = take_back(b, permit);
  if (is_off(p))
    return false;
  if (probe) {
    cool(b, p, now_ms, doubled(b, p), ends_in_ms);
    return true;
  }
  /* A call that went out before the opening adds nothing but the end. */
  if (b->state == GUARD_BREAKER_OPEN && now_ms < b->until_ms && ends_in_ms > 0)
    open_for(b, now_ms, shorter(ends_in_ms, p->max_hold_ms));
  if (b->state != GUARD_BREAKER_CLOSED || !count_hit(b, p, now_ms))
    return false;
  cool(b, p, now_ms, p->cooldown_ms, ends_in_ms);
  return true;
}

bool guard_breaker_on_exhausted(struct guard_breaker *b,
                                const struct guard_policy *p,
                                struct guard_permit *permit, int64_t now_ms,
                                int64_t ends_in_ms)
{
  take_back(b, permit);
  if (is_off(p))
    return false;
  bool was_open = b->state == GUARD_BREAKER_OPEN;
  int64_t hold = ends_in_ms == GUARD_UNKNOWN_MS
                     ? p->max_cooldown_ms
                     : shorter(longer(ends_in_ms, 0), p->max_hold_ms);
  open_for(b, now_ms, hold);
  return !was_open;
}

void guard_breaker_on_client_error(struct guard_breaker *b,
                                   struct guard_permit *permit)
{
  if (take_back(b, permit))
    b->probe = 0;
}

bool guard_breaker_on_failure(struct guard_breaker *b,
                              const struct guard_policy *p,
                              struct guard_permit *permit, int64_t now_ms)
{
  if (!take_back(b, permit))
    return false;
  cool(b, p, now_ms, doubled(b, p), GUARD_UNKNOWN_MS);
  return true;
}

bool guard_breaker_on_abandoned(struct guard_breaker *b,
                                const struct guard_policy *p,
                                struct guard_permit *permit, int64_t now_ms)
{
  if (!take_back(b, permit))
    return false;
  cool(b, p, now_ms,
       shorter(longer(b->cooldown_ms, p->cooldown_ms), p->max_cooldown_ms),
       GUARD_UNKNOWN_MS);
  return true;
}

bool guard_breaker_dropped(struct guard_breaker *b,
                           const struct guard_policy *p,
                           struct guard_permit *permit, int64_t now_ms)
{
  if (!permit->held)
    return false;
#ifdef GUARD_DEBUG
  assert(false && "a permit was dropped: some path does not report");
#endif
  return guard_breaker_on_abandoned(b, p, permit, now_ms);
}

void guard_breaker_set(struct guard_breaker *b, enum guard_breaker_state state,
                       int64_t now_ms, int64_t until_ms)
{
  *b = (struct guard_breaker){.state = state, .last_permit = b->last_permit};
  if (state == GUARD_BREAKER_OPEN) {
    b->until_ms = until_ms;
    b->hold_ms = longer(until_ms - now_ms, 0);
  }
}

enum guard_breaker_state guard_breaker_state(const struct guard_breaker *b,
                                             const struct guard_policy *p,
                                             int64_t now_ms)
{
  if (p->breaker_force == GUARD_FORCE_OPEN)
    return GUARD_BREAKER_OPEN;
  if (is_off(p))
    return GUARD_BREAKER_CLOSED;
  if (b->state == GUARD_BREAKER_OPEN && now_ms >= b->until_ms)
    return GUARD_BREAKER_HALF_OPEN;
  return (enum guard_breaker_state)b->state;
}
