/*
 * test_breaker.c - opens, cools, probes; and the trap of the first article:
 * a place in half-open that nobody gives back.
 */
#include "guard/breaker.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define T0 INT64_C(1796000000000) /* some moment in 2026 */
enum { LEASE = 330000, HOUR = 3600000 };

static struct guard_policy policy;
static struct guard_breaker breaker;

static int fresh(void **state)
{
  (void)state;
  guard_policy_default(&policy);
  breaker = (struct guard_breaker){0};
  return 0;
}

static struct guard_permit pass(int64_t now_ms)
{
  struct guard_permit permit = {0};
  int64_t in_ms = 0;
  if (!guard_breaker_before_call(&breaker, &policy, now_ms, LEASE, &permit,
                                 &in_ms))
    fail_msg("refused at T0%+lld ms", (long long)(now_ms - T0));
  return permit;
}

static int64_t refused(int64_t now_ms)
{
  struct guard_permit permit = {0};
  int64_t in_ms = 0;
  if (guard_breaker_before_call(&breaker, &policy, now_ms, LEASE, &permit,
                                &in_ms))
    fail_msg("let out at T0%+lld ms", (long long)(now_ms - T0));
  assert_false(permit.held);
  return in_ms;
}

static bool limit(int64_t now_ms)
{
  struct guard_permit permit = pass(now_ms);
  return guard_breaker_on_limit(&breaker, &policy, &permit, now_ms,
                                GUARD_UNKNOWN_MS);
}

/* Opens at |now_ms| with the first cooling of 60 s. */
static void open_at(int64_t now_ms)
{
  assert_false(limit(now_ms - 2));
  assert_false(limit(now_ms - 1));
  assert_true(limit(now_ms));
}

static void third_hit_in_the_window_opens_for_60_s(void **state)
{
  (void)state;
  assert_false(limit(T0));
  assert_false(limit(T0 + 60000));
  assert_true(limit(T0 + 119999));
  assert_int_equal(refused(T0 + 119999), 60000);
  assert_int_equal(refused(T0 + 179998), 1);
  pass(T0 + 179999);
}

static void hits_older_than_the_window_do_not_count(void **state)
{
  (void)state;
  assert_false(limit(T0));
  assert_false(limit(T0 + 60000));
  assert_false(limit(T0 + 120000));
  assert_true(limit(T0 + 120001));
}

static void a_hit_every_minute_for_years_never_opens(void **state)
{
  (void)state;
  for (int64_t m = 0; m < INT64_C(5) * 365 * 24 * 60; m++)
    assert_false(limit(T0 + m * 60000));
}

static void only_limits_count(void **state)
{
  (void)state;
  for (int i = 0; i < 1000; i++) {
    struct guard_permit a = pass(T0 + i), b = pass(T0 + i);
    assert_false(guard_breaker_on_failure(&breaker, &policy, &a, T0 + i));
    assert_false(guard_breaker_on_abandoned(&breaker, &policy, &b, T0 + i));
  }
  assert_int_equal(guard_breaker_state(&breaker, &policy, T0 + 1000),
                   GUARD_BREAKER_CLOSED);
}

static void half_open_lets_exactly_one_out_and_success_closes(void **state)
{
  (void)state;
  open_at(T0);
  struct guard_permit probe = pass(T0 + 60000);
  assert_int_equal(guard_breaker_state(&breaker, &policy, T0 + 60000),
                   GUARD_BREAKER_HALF_OPEN);
  assert_int_equal(refused(T0 + 60000), LEASE);
  refused(T0 + 90000);
  guard_breaker_on_success(&breaker, &probe);
  assert_int_equal(guard_breaker_state(&breaker, &policy, T0 + 90000),
                   GUARD_BREAKER_CLOSED);
  /* the count begins anew, and so does the cooling */
  open_at(T0 + 100000);
  assert_int_equal(refused(T0 + 100000), 60000);
}

static void every_failed_probe_doubles_the_cooling_up_to_600_s(void **state)
{
  (void)state;
  static const int64_t want[] = {120000, 240000, 480000, 600000, 600000};
  open_at(T0);
  int64_t now = T0 + 60000;
  for (int i = 0; i < 5; i++) {
    assert_true(limit(now));
    assert_int_equal(refused(now), want[i]);
    now += want[i];
  }
}

static void after_an_unforeseen_failure_the_next_cooling_recovers(void **state)
{
  (void)state;
  open_at(T0);
  struct guard_permit probe = pass(T0 + 60000);
  assert_true(
      guard_breaker_on_abandoned(&breaker, &policy, &probe, T0 + 61000));
  assert_int_equal(refused(T0 + 61000), 60000); /* nothing learnt: same */
  probe = pass(T0 + 121000);
  guard_breaker_on_success(&breaker, &probe);
  pass(T0 + 121001);
  pass(T0 + 121001);
}

static void after_a_4xx_probe_the_next_call_is_the_probe(void **state)
{
  (void)state;
  open_at(T0);
  struct guard_permit probe = pass(T0 + 60000);
  guard_breaker_on_client_error(&breaker, &probe);
  probe = pass(T0 + 61000);
  refused(T0 + 61000); /* one at a time all the same */
  guard_breaker_on_success(&breaker, &probe);
  pass(T0 + 61001);
  pass(T0 + 61001);
}

static void a_probe_whose_process_died_is_replaced_after_its_lease(void **state)
{
  (void)state;
  open_at(T0);
  struct guard_permit dead = pass(T0 + 60000);
  assert_int_equal(refused(T0 + 60000 + LEASE - 1), 1);
  struct guard_permit next = pass(T0 + 60000 + LEASE);
  /* its late report decides nothing */
  guard_breaker_on_success(&breaker, &dead);
  refused(T0 + 60000 + LEASE);
  guard_breaker_on_success(&breaker, &next);
  pass(T0 + 60000 + LEASE);
}

static void a_late_success_from_before_the_opening_does_not_close(void **state)
{
  (void)state;
  struct guard_permit old = pass(T0 - 10);
  open_at(T0);
  guard_breaker_on_success(&breaker, &old);
  assert_int_equal(refused(T0), 60000);
}

static void a_late_hit_from_before_only_moves_the_end(void **state)
{
  (void)state;
  struct guard_permit a = pass(T0 - 10), b = pass(T0 - 10), c = pass(T0 - 10);
  open_at(T0);
  assert_false(guard_breaker_on_limit(&breaker, &policy, &a, T0 + 1000,
                                      GUARD_UNKNOWN_MS));
  assert_int_equal(refused(T0 + 1000), 59000);
  assert_false(guard_breaker_on_limit(&breaker, &policy, &b, T0 + 1000, 90000));
  assert_int_equal(refused(T0 + 1000), 90000);
  assert_false(guard_breaker_on_limit(&breaker, &policy, &c, T0 + 2000, 5000));
  assert_int_equal(refused(T0 + 2000), 89000);
}

/* found by test_breaker_model.c: it depended on who asked first */
static void a_late_hit_after_the_cooling_is_nothing(void **state)
{
  (void)state;
  struct guard_permit early = pass(T0 - 5);
  open_at(T0);
  guard_breaker_on_limit(&breaker, &policy, &early, T0 + 61000, 90000);
  pass(T0 + 61000);
}

static void a_known_end_keeps_it_open_until_then(void **state)
{
  (void)state;
  static const struct {
    const char *id;
    int64_t ends_in, want;
    const char *why;
  } t[] = {
      {"soon", 20000, 20000, "open until then, not a whole cooling"},
      {"hours", INT64_C(3) * HOUR, INT64_C(3) * HOUR, "not one probe before"},
      {"days", INT64_C(48) * HOUR, INT64_C(6) * HOUR,
       "a wrong date is no lock"},
      {"never", INT64_MAX, INT64_C(6) * HOUR, "saturates"},
      {"unknown", GUARD_UNKNOWN_MS, 600000, "longest, for nothing is known"},
  };
  for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
    breaker = (struct guard_breaker){0};
    struct guard_permit permit = pass(T0);
    assert_true(guard_breaker_on_exhausted(&breaker, &policy, &permit, T0,
                                           t[i].ends_in));
    if (refused(T0) != t[i].want)
      fail_msg("%s: %s", t[i].id, t[i].why);
    pass(T0 + t[i].want);
  }
}

static void a_third_hit_with_a_known_end_is_open_that_long(void **state)
{
  (void)state;
  limit(T0);
  limit(T0);
  struct guard_permit permit = pass(T0);
  assert_true(guard_breaker_on_limit(&breaker, &policy, &permit, T0, 250000));
  assert_int_equal(refused(T0), 250000);
}

static void a_clock_that_steps_back_never_locks_it_for_long(void **state)
{
  (void)state;
  open_at(T0);
  assert_int_equal(refused(T0 - INT64_C(86400000)), 60000);
  pass(T0 - INT64_C(86400000) + 60000);
  /* hits noted in what is now the future count as now */
  breaker = (struct guard_breaker){0};
  limit(T0);
  limit(T0);
  assert_true(limit(T0 - INT64_C(86400000)));
}

static void zero_hits_means_no_breaker(void **state)
{
  (void)state;
  open_at(T0); /* by somebody with a breaker */
  policy.breaker_hits = 0;
  for (int i = 0; i < 100; i++)
    assert_false(limit(T0));
  struct guard_permit permit = pass(T0);
  assert_false(guard_breaker_on_exhausted(&breaker, &policy, &permit, T0,
                                          GUARD_UNKNOWN_MS));
  pass(T0);
}

static void a_forced_one_refuses_or_lets_out_and_learns_nothing(void **state)
{
  (void)state;
  policy.breaker_force = GUARD_FORCE_OPEN;
  assert_int_equal(refused(T0), 0);
  assert_int_equal(guard_breaker_state(&breaker, &policy, T0),
                   GUARD_BREAKER_OPEN);
  policy.breaker_force = GUARD_FORCE_NONE;
  open_at(T0);
  struct guard_breaker before = breaker;
  policy.breaker_force = GUARD_FORCE_CLOSED;
  for (int i = 0; i < 5; i++)
    assert_false(limit(T0));
  assert_int_equal(guard_breaker_state(&breaker, &policy, T0),
                   GUARD_BREAKER_CLOSED);
  assert_memory_equal(&before, &breaker, sizeof before);
}

static void a_test_can_put_it_into_every_state(void **state)
{
  (void)state;
  guard_breaker_set(&breaker, GUARD_BREAKER_OPEN, T0, T0 + 5000);
  assert_int_equal(refused(T0), 5000);
  guard_breaker_set(&breaker, GUARD_BREAKER_HALF_OPEN, T0, 0);
  pass(T0);
  refused(T0);
  guard_breaker_set(&breaker, GUARD_BREAKER_CLOSED, T0, 0);
  pass(T0);
  pass(T0);
}

static void more_hits_than_it_remembers_are_no_overflow(void **state)
{
  (void)state;
  policy.breaker_hits = GUARD_MAX_HITS;
  for (int i = 0; i < GUARD_MAX_HITS - 1; i++)
    assert_false(limit(T0 + i));
  /* the same file read by a policy that counts fewer and then more */
  breaker.nhits = GUARD_MAX_HITS;
  for (int i = 0; i < GUARD_MAX_HITS; i++)
    breaker.hits_ms[i] = T0;
  assert_true(limit(T0 + 20));
  assert_int_equal(breaker.nhits, 0);
}

static void states_have_their_words(void **state)
{
  (void)state;
  assert_string_equal(guard_breaker_state_name(GUARD_BREAKER_CLOSED), "closed");
  assert_string_equal(guard_breaker_state_name(GUARD_BREAKER_OPEN), "open");
  assert_string_equal(guard_breaker_state_name(GUARD_BREAKER_HALF_OPEN),
                      "half-open");
}

#define TEST(name) cmocka_unit_test_setup(name, fresh)

int main(void)
{
  const struct CMUnitTest tests[] = {
      TEST(third_hit_in_the_window_opens_for_60_s),
      TEST(hits_older_than_the_window_do_not_count),
      TEST(a_hit_every_minute_for_years_never_opens),
      TEST(only_limits_count),
      TEST(half_open_lets_exactly_one_out_and_success_closes),
      TEST(every_failed_probe_doubles_the_cooling_up_to_600_s),
      TEST(after_an_unforeseen_failure_the_next_cooling_recovers),
      TEST(after_a_4xx_probe_the_next_call_is_the_probe),
      TEST(a_probe_whose_process_died_is_replaced_after_its_lease),
      TEST(a_late_success_from_before_the_opening_does_not_close),
      TEST(a_late_hit_from_before_only_moves_the_end),
      TEST(a_late_hit_after_the_cooling_is_nothing),
      TEST(a_known_end_keeps_it_open_until_then),
      TEST(a_third_hit_with_a_known_end_is_open_that_long),
      TEST(a_clock_that_steps_back_never_locks_it_for_long),
      TEST(zero_hits_means_no_breaker),
      TEST(a_forced_one_refuses_or_lets_out_and_learns_nothing),
      TEST(a_test_can_put_it_into_every_state),
      TEST(more_hits_than_it_remembers_are_no_overflow),
      TEST(states_have_their_words),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
