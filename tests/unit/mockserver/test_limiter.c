/*
 * Random histories against oracles that are written another way: the
 * continuous bucket against the virtual scheduling form of the algorithm,
 * the windows against the whole list of what happened.
 */
#include "tests/unit/unit.h"

#include "mockserver/limiter.h"

#include <string.h>

__extension__ typedef __int128 wide;

#define S INT64_C(1000000)
#define START_WALL (INT64_C(1764547200) * S)

static uint64_t state_of_random;

static int64_t below(int64_t n)
{
  state_of_random ^= state_of_random << 13;
  state_of_random ^= state_of_random >> 7;
  state_of_random ^= state_of_random << 17;
  return (int64_t)(state_of_random % (uint64_t)n);
}

static struct limiter_time at(int64_t us)
{
  return (struct limiter_time){.mono_us = us, .wall_us = START_WALL + us};
}

/* ---- oracles: all that was charged, from the beginning ---- */

struct event {
  int64_t us, amount;
};

struct history {
  struct event e[4000];
  size_t n;
};

static int64_t sum(const struct history *h, int64_t from_us, int64_t to_us)
{
  int64_t total = 0;
  for (size_t i = 0; i < h->n; i++)
    if (h->e[i].us >= from_us && h->e[i].us < to_us)
      total += h->e[i].amount;
  return total;
}

/* Virtual scheduling: the moment, times the limit, at which the bucket would
 * be full again. */
static bool fits_continuous(const struct history *h,
                            const struct limiter_rule *r, int64_t now,
                            int64_t amount)
{
  wide full_at = 0;
  for (size_t i = 0; i < h->n; i++) {
    wide t = (wide)h->e[i].us * r->limit;
    full_at = (full_at > t ? full_at : t) + (wide)h->e[i].amount * r->period_us;
  }
  wide t = (wide)now * r->limit;
  full_at = (full_at > t ? full_at : t) + (wide)amount * r->period_us;
  return full_at <= t + (wide)r->burst * r->period_us;
}

static int64_t window_open(const struct history *h,
                           const struct limiter_rule *r)
{
  int64_t open = -r->period_us;
  for (size_t i = 0; i < h->n; i++)
    if (h->e[i].us - open >= r->period_us)
      open = h->e[i].us;
  return open;
}

static bool fits_fixed(const struct history *h, const struct limiter_rule *r,
                       int64_t now, int64_t amount)
{
  int64_t open = h->n ? window_open(h, r) : now;
  if (now - open >= r->period_us)
    open = now;
  return sum(h, open, INT64_MAX) + amount <= r->limit;
}

static bool fits_sliding(const struct history *h, const struct limiter_rule *r,
                         int64_t now, int64_t amount)
{
  return sum(h, now - r->period_us + 1, INT64_MAX) + amount <= r->limit;
}

static bool fits_day(const struct history *h, const struct limiter_rule *r,
                     int64_t now, int64_t amount)
{
  int64_t from = 0;
  for (;;) {
    int64_t wall_s = (START_WALL + from) / S;
    int64_t next = midnight_next(r->zone, wall_s) * S - START_WALL;
    if (next > now)
      break;
    from = next;
  }
  return sum(h, from, INT64_MAX) + amount <= r->limit;
}

static bool fits_growth(const struct history *h, const struct limiter_rule *r,
                        int64_t now, int64_t amount)
{
  int64_t first = h->n ? h->e[0].us : now;
  int64_t k = (now - first) / r->period_us;
  int64_t open = first + k * r->period_us;
  int64_t before = k ? sum(h, open - r->period_us, open) : 0;
  int64_t most = before * r->percent / 100;
  return sum(h, open, INT64_MAX) + amount <=
         (most > r->limit ? most : r->limit);
}

typedef bool fits_fn(const struct history *, const struct limiter_rule *,
                     int64_t, int64_t);
static fits_fn *const oracles[] = {[LIMITER_CONTINUOUS] = fits_continuous,
                                   [LIMITER_FIXED] = fits_fixed,
                                   [LIMITER_SLIDING] = fits_sliding,
                                   [LIMITER_DAY] = fits_day,
                                   [LIMITER_GROWTH] = fits_growth};

/* ---- one history ---- */

static void check_wait(struct limiter_bucket *b, const struct limiter_rule *r,
                       const struct history *h, int64_t now, int64_t amount)
{
  int64_t wait = limiter_wait_us(b, r, at(now), amount);
  bool fits = oracles[r->window](h, r, now, amount);
  if (fits != (wait == 0))
    fail_msg("window %d at %lld, %lld asked: wait %lld, the oracle says %s",
             (int)r->window, (long long)now, (long long)amount, (long long)wait,
             fits ? "now" : "not now");
  if (wait == 0 || wait == LIMITER_NEVER)
    return;
  /* the wait is the true one: not a microsecond early, none late */
  if (!oracles[r->window](h, r, now + wait, amount) ||
      oracles[r->window](h, r, now + wait - 1, amount))
    fail_msg("window %d at %lld: %lld is not the true wait", (int)r->window,
             (long long)now, (long long)wait);
}

static void run_history(const struct limiter_rule *r, int64_t steps)
{
  struct limiter_bucket b;
  struct history *h = test_calloc(1, sizeof *h);
  int64_t now = 0;
  limiter_init(&b, r, at(0));
  for (int64_t i = 0; i < steps; i++) {
    int64_t amount = 1 + below(r->limit + 1);
    int64_t gap = r->window == LIMITER_DAY ? 9 * 3600 * S : r->period_us / 2;
    now += below(3) ? below(gap) : 0;
    check_wait(&b, r, h, now, amount);
    if (limiter_wait_us(&b, r, at(now), amount) == 0) {
      limiter_charge(&b, r, at(now), amount);
      /* sliding: what comes at one moment is one entry there as well */
      h->e[h->n++] = (struct event){now, amount};
    }
  }
  limiter_release(&b);
  test_free(h);
}

static void every_window_admits_and_waits_as_its_oracle(void **state)
{
  (void)state;
  state_of_random = 88172645463325252u;
  for (int window = LIMITER_CONTINUOUS; window <= LIMITER_GROWTH; window++)
    for (int round = 0; round < 60; round++) {
      struct limiter_rule r = {.window = (enum limiter_window)window,
                               .limit = 1 + below(50),
                               .period_us = 1 + below(60 * S),
                               .percent = 100 + below(150),
                               .zone =
                                   below(2) ? MIDNIGHT_PACIFIC : MIDNIGHT_UTC};
      r.burst = 1 + below(r.limit);
      assert_true(limiter_rule_fits(&r));
      run_history(&r, 200);
    }
}

static const struct limiter_rule five = {
    .limit = 5, .period_us = 60 * S, .burst = 5};

static void a_bucket_refills_all_the_time(void **state)
{
  (void)state;
  struct limiter_bucket b;
  limiter_init(&b, &five, at(0));
  limiter_charge(&b, &five, at(0), 5);
  assert_int_equal(limiter_wait_us(&b, &five, at(0), 1), 12 * S);
  assert_int_equal(limiter_wait_us(&b, &five, at(5 * S), 1), 7 * S);
  assert_int_equal(limiter_remaining(&b, &five, at(24 * S)), 2);
  assert_int_equal(limiter_reset_us(&b, &five, at(24 * S)), 36 * S);
  assert_int_equal(limiter_remaining(&b, &five, at(900 * S)), 5);
  limiter_release(&b);
}

static void more_than_a_bucket_holds_never_comes(void **state)
{
  (void)state;
  struct limiter_bucket b;
  struct limiter_rule none = {.limit = 0, .period_us = S};
  limiter_init(&b, &five, at(0));
  assert_true(limiter_wait_us(&b, &five, at(0), 6) == LIMITER_NEVER);
  limiter_release(&b);
  limiter_init(&b, &none, at(0));
  assert_true(limiter_wait_us(&b, &none, at(9 * S), 1) == LIMITER_NEVER);
  assert_int_equal(limiter_reset_us(&b, &none, at(0)), 0);
  limiter_release(&b);
}

static void instant_retries_that_count_never_get_through(void **state)
{
  (void)state;
  struct limiter_bucket b;
  limiter_init(&b, &five, at(0));
  limiter_charge(&b, &five, at(0), 5);
  for (int64_t t = 0; t < 300 * S; t += S) {
    assert_true(limiter_wait_us(&b, &five, at(t), 1) > 0);
    limiter_charge_refused(&b, &five, at(t), 1);
    assert_int_equal(limiter_wait_us(&b, &five, at(t), 1), 12 * S);
  }
  /* who waits as told does */
  assert_int_equal(limiter_wait_us(&b, &five, at(299 * S + 12 * S), 1), 0);
  limiter_release(&b);
}

static void what_is_given_back_is_there_again(void **state)
{
  (void)state;
  static const enum limiter_window windows[] = {LIMITER_CONTINUOUS,
                                                LIMITER_FIXED, LIMITER_SLIDING,
                                                LIMITER_DAY, LIMITER_GROWTH};
  for (size_t i = 0; i < 5; i++) {
    struct limiter_bucket b;
    struct limiter_rule r = {.window = windows[i],
                             .limit = 100,
                             .period_us = 60 * S,
                             .burst = 100,
                             .percent = 150};
    limiter_init(&b, &r, at(0));
    limiter_charge(&b, &r, at(S), 90);
    limiter_refund(&b, &r, at(S), at(S), 40);
    assert_int_equal(limiter_remaining(&b, &r, at(S)), 50);
    /* never more than was taken */
    limiter_refund(&b, &r, at(S), at(S), 4000);
    assert_int_equal(limiter_remaining(&b, &r, at(S)), 100);
    limiter_release(&b);
  }
}

static void a_late_charge_makes_a_bucket_owe(void **state)
{
  (void)state;
  struct limiter_bucket b;
  limiter_init(&b, &five, at(0));
  limiter_charge(&b, &five, at(0), 15);
  assert_int_equal(limiter_remaining(&b, &five, at(0)), 0);
  assert_int_equal(limiter_wait_us(&b, &five, at(0), 1), 132 * S);
  limiter_charge(&b, &five, at(0), INT64_MAX);
  assert_true(limiter_wait_us(&b, &five, at(0), 1) > 0);
  limiter_release(&b);
}

static void a_full_log_counts_two_as_one_and_never_too_few(void **state)
{
  (void)state;
  struct limiter_bucket b;
  struct limiter_rule r = {
      .window = LIMITER_SLIDING, .limit = 10000, .period_us = 60 * S};
  limiter_init(&b, &r, at(0));
  for (int64_t i = 0; i < 2000; i++)
    limiter_charge(&b, &r, at(i), 1);
  assert_int_equal(limiter_remaining(&b, &r, at(2000)), 8000);
  assert_int_equal(limiter_remaining(&b, &r, at(60 * S + 100)), 8101);
  assert_int_equal(limiter_remaining(&b, &r, at(60 * S + 2000)), 10000);
  limiter_release(&b);
}

static void a_clock_that_steps_back_gives_nothing(void **state)
{
  (void)state;
  struct limiter_bucket b;
  limiter_init(&b, &five, at(100 * S));
  limiter_charge(&b, &five, at(100 * S), 5);
  assert_int_equal(limiter_wait_us(&b, &five, at(0), 1), 12 * S);
  assert_int_equal(limiter_remaining(&b, &five, at(112 * S)), 1);
  limiter_release(&b);
}

static void a_rule_that_would_overflow_is_refused(void **state)
{
  (void)state;
  struct limiter_rule r = {.limit = INT64_MAX / 2, .period_us = 60 * S};
  assert_false(limiter_rule_fits(&r));
  r.limit = 10000000000;
  assert_true(limiter_rule_fits(&r));
  r.period_us = 86400 * S;
  assert_false(limiter_rule_fits(&r));
  r.limit = 10000000;
  assert_true(limiter_rule_fits(&r));
  r.burst = INT64_MAX / r.period_us;
  assert_false(limiter_rule_fits(&r));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_window_admits_and_waits_as_its_oracle),
      cmocka_unit_test(a_bucket_refills_all_the_time),
      cmocka_unit_test(more_than_a_bucket_holds_never_comes),
      cmocka_unit_test(instant_retries_that_count_never_get_through),
      cmocka_unit_test(what_is_given_back_is_there_again),
      cmocka_unit_test(a_late_charge_makes_a_bucket_owe),
      cmocka_unit_test(a_full_log_counts_two_as_one_and_never_too_few),
      cmocka_unit_test(a_clock_that_steps_back_gives_nothing),
      cmocka_unit_test(a_rule_that_would_overflow_is_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
