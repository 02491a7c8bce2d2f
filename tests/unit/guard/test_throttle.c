/* test_throttle.c - a refusing server is left alone, and the bucket gives
 * exactly what flows into it. */
#include "guard/throttle.h"
#include "tests/unit/unit.h"

#include <math.h>
#include <string.h>

#define T0 INT64_C(1796000000000) /* some moment in 2026 */
enum { SECOND = 1000, MINUTE = 60000 };

static struct guard_pacing pacing;
static struct guard_throttle throttle;
static struct guard_bucket bucket;
static uint64_t seed;

static int fresh(void **state)
{
  (void)state;
  guard_pacing_default(&pacing);
  memset(&throttle, 0, sizeof throttle);
  memset(&bucket, 0, sizeof bucket);
  seed = 1;
  return 0;
}

static double chance(void)
{
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(seed >> 11) / 9007199254740992.0;
}

static bool request(int64_t now_ms)
{
  return guard_throttle_request(&throttle, &pacing, now_ms, chance());
}

static double refusal(int64_t now_ms)
{
  return guard_throttle_refusal(&throttle, &pacing, now_ms);
}

static void the_defaults_fit_together(void **state)
{
  (void)state;
  assert_null(guard_pacing_fault(&pacing));
  pacing.throttle_k = (double)NAN;
  assert_non_null(guard_pacing_fault(&pacing));
}

static void every_number_that_does_not_fit_is_named(void **state)
{
  (void)state;
  struct guard_pacing p[13];
  for (size_t i = 0; i < COUNT(p); i++)
    p[i] = pacing;
  p[0].throttle_window_ms = 0;
  p[1].places = -1;
  p[2].places = GUARD_MAX_PLACES + 1;
  p[3].lease_ms = 0;
  p[4].wait_ms = p[4].ask_ms;
  p[5].most_overtakes = -1;
  p[6].step_ms = -1;
  p[7].max_stagger_ms = INT64_MAX;
  p[8].throttle_k = 0.5;
  p[9].throttle_min = -1;
  p[10].requests_per_minute = -1;
  p[11].max_slow_ms = -1;
  p[12].max_slow_ms = INT64_MAX;
  for (size_t i = 0; i < COUNT(p); i++)
    assert_non_null(guard_pacing_fault(&p[i]));
}

static void the_formula_is_that_of_the_book(void **state)
{
  (void)state;
  for (int i = 0; i < 100; i++)
    guard_throttle_request(&throttle, &pacing, T0, 0.999999);
  for (int i = 0; i < 20; i++)
    guard_throttle_accept(&throttle, &pacing, T0);
  assert_true(fabs(refusal(T0) - 60.0 / 101.0) < 1e-12);
  assert_false(guard_throttle_request(&throttle, &pacing, T0, 0.59));
  assert_true(guard_throttle_request(&throttle, &pacing, T0, 0.61));
}

static void few_requests_are_never_refused(void **state)
{
  (void)state;
  for (int64_t i = 0; i < pacing.throttle_min; i++)
    assert_true(guard_throttle_request(&throttle, &pacing, T0, 0));
  assert_false(guard_throttle_request(&throttle, &pacing, T0, 0));
  pacing.throttle_k = 0;
  assert_true(guard_throttle_request(&throttle, &pacing, T0, 0));
}

static void while_half_is_accepted_all_are_sent(void **state)
{
  (void)state;
  for (int i = 0; i < 1000; i++) {
    assert_true(request(T0 + i * 50));
    if (i % 2 == 0)
      guard_throttle_accept(&throttle, &pacing, T0 + i * 50);
  }
}

static void a_dead_server_is_nearly_left_alone_and_still_probed(void **state)
{
  (void)state;
  int sent = 0;
  for (int i = 0; i < 120000; i++)
    sent += request(T0 + i * 10); /* 20 minutes, 12000 in a window */
  assert_in_range(sent, 5, 400);
  assert_true(refusal(T0 + 1200000) < 1);
}

static void after_a_window_of_good_answers_nothing_is_refused(void **state)
{
  (void)state;
  for (int i = 0; i < 1000; i++)
    request(T0 + i);
  assert_true(refusal(T0 + SECOND) > 0.9);
  assert_true(refusal(T0 + 109 * SECOND) > 0.9);
  assert_true(refusal(T0 + 121 * SECOND) <= 0);
}

static void a_clock_that_steps_back_a_little_keeps_the_counts(void **state)
{
  (void)state;
  for (int i = 0; i < 100; i++)
    request(T0);
  double before = refusal(T0);
  assert_true(fabs(refusal(T0 - 30 * SECOND) - before) < 1e-12);
  assert_true(refusal(T0 - 500 * SECOND) <= 0);
  assert_true(refusal(INT64_MIN) <= 0);
  assert_true(refusal(INT64_MAX) <= 0);
}

static void counts_do_not_overflow(void **state)
{
  (void)state;
  request(T0);
  for (int i = 0; i < GUARD_THROTTLE_SLOTS; i++)
    throttle.requests[i] = throttle.accepts[i] = INT64_MAX;
  request(T0);
  guard_throttle_accept(&throttle, &pacing, T0);
  assert_true(refusal(T0) <= 0);
  for (int i = 0; i < GUARD_THROTTLE_SLOTS; i++)
    throttle.accepts[i] = INT64_MIN;
  assert_true(refusal(T0) > 0.99 && refusal(T0) <= 1);
  throttle.slot = -1;
  assert_true(refusal(T0) <= 0);
}

static int64_t wait_for(int64_t cost, int64_t now_ms)
{
  int64_t wait_ms = 0;
  if (guard_bucket_take(&bucket, cost, now_ms, &wait_ms))
    return 0;
  assert_true(wait_ms > 0);
  return wait_ms;
}

static void sixty_a_minute_is_one_a_second(void **state)
{
  (void)state;
  guard_bucket_init(&bucket, 60, 60, T0);
  for (int i = 0; i < 60; i++)
    assert_int_equal(wait_for(1, T0), 0);
  assert_int_equal(wait_for(1, T0), 1000);
  assert_int_equal(wait_for(1, T0 + 999), 1);
  assert_int_equal(wait_for(1, T0 + 1000), 0);
  assert_int_equal(wait_for(2, T0 + 1000), 2000);
}

static void a_call_larger_than_the_bucket_never_fits(void **state)
{
  (void)state;
  guard_bucket_init(&bucket, 60, 60, T0);
  assert_true(wait_for(61, T0) == GUARD_NEVER_MS);
  guard_bucket_init(&bucket, 60, 0, T0);
  assert_int_equal(wait_for(60, T0), 0);
  assert_true(wait_for(1, T0) == GUARD_NEVER_MS);
  assert_int_equal(wait_for(0, T0), 0);
}

static void the_wait_named_is_exact_in_any_history(void **state)
{
  (void)state;
  guard_bucket_init(&bucket, 5000, 777, T0);
  int64_t now = T0;
  for (int i = 0; i < 200000; i++) {
    int64_t cost = (int64_t)(chance() * 5001);
    int64_t wait_ms = wait_for(cost, now);
    if (wait_ms > 0) {
      struct guard_bucket early = bucket;
      int64_t again_ms = 0;
      assert_false(
          guard_bucket_take(&early, cost, now + wait_ms - 1, &again_ms));
      assert_int_equal(again_ms, 1);
      now += wait_ms;
      assert_int_equal(wait_for(cost, now), 0);
    }
    assert_true(bucket.level >= 0 && bucket.level <= 5000 * MINUTE);
    now += (int64_t)(chance() * 2000);
  }
}

static void no_history_gets_more_than_the_bucket_and_its_inflow(void **state)
{
  (void)state;
  guard_bucket_init(&bucket, 100, 60, T0);
  int64_t taken = 0, now = T0, latest = T0;
  for (int i = 0; i < 300000; i++) {
    int64_t cost = 1 + (int64_t)(chance() * 100), wait_ms;
    if (guard_bucket_take(&bucket, cost, now, &wait_ms))
      taken += cost;
    now += (int64_t)(chance() * 1500);
    latest = now > latest ? now : latest;
    assert_true(taken <= 100 + (now - T0) * 60 / MINUTE + 1);
  }
  assert_true(taken > 100000);
}

static void a_step_back_gives_nothing_and_takes_nothing(void **state)
{
  (void)state;
  guard_bucket_init(&bucket, 60, 60, T0);
  assert_int_equal(wait_for(60, T0), 0);
  assert_int_equal(wait_for(30, T0 - 3600 * SECOND), 30000);
  assert_int_equal(wait_for(30, T0 - 3600 * SECOND + 30000), 0);
  assert_int_equal(wait_for(1, INT64_MIN), 1000);
  assert_int_equal(wait_for(60, INT64_MAX), 0);
}

static void an_idle_year_fills_the_bucket_and_no_more(void **state)
{
  (void)state;
  int64_t year_ms = INT64_C(365) * 24 * 3600 * SECOND;
  guard_bucket_init(&bucket, 60, 60, T0);
  assert_int_equal(wait_for(60, T0), 0);
  assert_int_equal(wait_for(60, T0 + year_ms), 0);
  assert_int_equal(wait_for(1, T0 + year_ms), 1000);
  bucket.level = INT64_MAX; /* torn */
  assert_int_equal(wait_for(60, T0 + year_ms), 0);
  assert_int_equal(wait_for(1, T0 + year_ms), 1000);
}

static void any_numbers_in_shared_memory_do_no_harm(void **state)
{
  (void)state;
  static const int64_t edge[] = {INT64_MIN, INT64_MIN + 1, -1,       0, 1,
                                 T0,        INT64_MAX - 1, INT64_MAX};
  for (size_t i = 0; i < COUNT(edge) * COUNT(edge) * COUNT(edge); i++) {
    int64_t wait_ms = 0, a = edge[i % 8], b = edge[i / 8 % 8], c = edge[i / 64];
    bucket = (struct guard_bucket){a, b, c, a};
    if (!guard_bucket_take(&bucket, b, c, &wait_ms))
      assert_true(wait_ms > 0);
    guard_bucket_correct(&bucket, a, b, c);
    guard_bucket_init(&bucket, a, b, c);
    assert_true(bucket.level >= 0);
  }
}

static void an_estimate_is_corrected_into_debt_of_one_bucket(void **state)
{
  (void)state;
  guard_bucket_init(&bucket, 1000, 600, T0);
  assert_int_equal(wait_for(800, T0), 0);
  guard_bucket_correct(&bucket, 800, 300, T0); /* 700 are there */
  assert_int_equal(wait_for(700, T0), 0);
  guard_bucket_correct(&bucket, 700, 950, T0); /* 250 in debt */
  assert_int_equal(wait_for(1, T0), 25100);
  guard_bucket_correct(&bucket, 0, 999999, T0);
  assert_int_equal(wait_for(1000, T0), 200000);
}

static struct guard_rate rate(int64_t limit, int64_t left, int64_t reset_ms)
{
  struct guard_rate r = {.seen = 1u << GUARD_RATE_QUOTA |
                                 1u << GUARD_RATE_REMAINING |
                                 1u << GUARD_RATE_RESET,
                         .refills = true,
                         .value = {limit, left, reset_ms}};
  return r;
}

static void the_bucket_learns_what_the_server_says(void **state)
{
  (void)state;
  guard_bucket_init(&bucket, 10, 10, T0);
  struct guard_rate r = rate(1000, 400, 36000); /* 600 in 36 s */
  bucket.capacity = 1000;
  bucket.level = 1000 * MINUTE;
  guard_bucket_learn(&bucket, &r, T0);
  assert_int_equal(bucket.per_minute, 1000);
  assert_int_equal(wait_for(401, T0), 60);
  assert_int_equal(wait_for(400, T0), 0);
  /* what it says is left never raises the level */
  guard_bucket_learn(&bucket, &r, T0);
  assert_int_equal(wait_for(1, T0), 60);
}

static void a_quota_of_a_day_is_learnt_as_its_slow_inflow(void **state)
{
  (void)state;
  guard_bucket_init(&bucket, 14400, 14400, T0);
  struct guard_rate r = rate(14400, 14370, 179560); /* Groq */
  guard_bucket_learn(&bucket, &r, T0);
  assert_in_range(bucket.per_minute, 10, 11);
}

static void a_reset_in_whole_seconds_tells_no_speed(void **state)
{
  (void)state;
  guard_bucket_init(&bucket, 3000, 3000, T0);
  struct guard_rate r = rate(3000, 2999, 1000);
  guard_bucket_learn(&bucket, &r, T0);
  assert_int_equal(bucket.per_minute, 3000);
  r = rate(3000, 2000, 10000); /* faster than a limit per minute can be */
  guard_bucket_learn(&bucket, &r, T0);
  assert_int_equal(bucket.per_minute, 3000);
  r = rate(500, INT64_MAX, INT64_MAX);
  guard_bucket_learn(&bucket, &r, T0);
  assert_int_equal(bucket.capacity, 500);
  assert_int_equal(wait_for(500, T0), 0);
}

#define TEST(name) cmocka_unit_test_setup(name, fresh)

int main(void)
{
  const struct CMUnitTest tests[] = {
      TEST(the_defaults_fit_together),
      TEST(every_number_that_does_not_fit_is_named),
      TEST(the_formula_is_that_of_the_book),
      TEST(few_requests_are_never_refused),
      TEST(while_half_is_accepted_all_are_sent),
      TEST(a_dead_server_is_nearly_left_alone_and_still_probed),
      TEST(after_a_window_of_good_answers_nothing_is_refused),
      TEST(a_clock_that_steps_back_a_little_keeps_the_counts),
      TEST(counts_do_not_overflow),
      TEST(sixty_a_minute_is_one_a_second),
      TEST(a_call_larger_than_the_bucket_never_fits),
      TEST(the_wait_named_is_exact_in_any_history),
      TEST(no_history_gets_more_than_the_bucket_and_its_inflow),
      TEST(a_step_back_gives_nothing_and_takes_nothing),
      TEST(an_idle_year_fills_the_bucket_and_no_more),
      TEST(any_numbers_in_shared_memory_do_no_harm),
      TEST(an_estimate_is_corrected_into_debt_of_one_bucket),
      TEST(the_bucket_learns_what_the_server_says),
      TEST(a_quota_of_a_day_is_learnt_as_its_slow_inflow),
      TEST(a_reset_in_whole_seconds_tells_no_speed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
