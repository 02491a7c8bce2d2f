/*
 * test_call.c - the gate: every way a try can end, and what may follow.
 */
#include "call_rig.h"

static void each_class_ends_or_waits_as_it_should(void **state)
{
  (void)state;
  static const struct {
    enum guard_class cls;
    enum guard_step want;
    bool hit, opens;
    const char *why;
  } t[] = {
      {GUARD_NONE, GUARD_DONE, false, false, "success"},
      {GUARD_RATE_LIMIT, GUARD_WAIT, true, false, "waiting helps"},
      {GUARD_OVERLOADED, GUARD_WAIT, true, false, "a limit too"},
      {GUARD_USAGE_LIMIT, GUARD_DEGRADE, true, true, "no sleep, no retry"},
      {GUARD_QUOTA_EXHAUSTED, GUARD_DEGRADE, true, true, "money"},
      {GUARD_TIMEOUT, GUARD_WAIT, false, false, "not a limit hit"},
      {GUARD_AUTH, GUARD_GIVE_UP, false, false, "never retried"},
      {GUARD_INVALID_REQUEST, GUARD_GIVE_UP, false, false, "never retried"},
      {GUARD_SERVER_ERROR, GUARD_WAIT, false, false, "5xx"},
      {GUARD_STREAM_INTERRUPTED, GUARD_WAIT, false, false, "cut"},
  };
  for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
    fresh(NULL);
    struct guard_order o = once(answer(t[i].cls), T0);
    if (o.step != t[i].want || metrics.hits != t[i].hit ||
        metrics.opened != t[i].opens || call.permit.held || !o.why)
      fail_msg("class %d (%s): step %d, hits %d, opened %d", t[i].cls, t[i].why,
               o.step, (int)metrics.hits, (int)metrics.opened);
  }
}

static void auth_and_bad_requests_are_not_retried_even_if_told(void **state)
{
  (void)state;
  struct guard_outcome o = answer(GUARD_INVALID_REQUEST);
  o.verdict.retryable = true;
  assert_int_equal(once(o, T0).step, GUARD_GIVE_UP);
  o.verdict.cls = GUARD_AUTH;
  assert_int_equal(once(o, T0).step, GUARD_GIVE_UP);
}

static void a_server_that_forbids_retries_is_obeyed(void **state)
{
  (void)state;
  struct guard_outcome o = answer(GUARD_OVERLOADED);
  o.verdict.retryable = false;
  /* out at once, for the whole server is at its limit */
  assert_int_equal(once(o, T0).step, GUARD_DEGRADE);
  o.verdict.retryable = true;
  o.verdict.hint = GUARD_HINT_STOP;
  assert_int_equal(once(o, T0).step, GUARD_GIVE_UP);
  o = answer(GUARD_SERVER_ERROR);
  o.verdict.retryable = false;
  assert_int_equal(once(o, T0).step, GUARD_GIVE_UP);
}

static void only_the_classes_the_policy_names_open_it(void **state)
{
  (void)state;
  policy.breaker_counts = 1U << GUARD_SERVER_ERROR;
  for (int i = 0; i < 5; i++)
    once(answer(GUARD_RATE_LIMIT), T0);
  assert_int_equal(metrics.opened, 0);
  assert_int_equal(once(answer(GUARD_USAGE_LIMIT), T0).step, GUARD_DEGRADE);
  once(answer_wait(GUARD_RATE_LIMIT, 300001), T0);
  assert_int_equal(metrics.opened, 0);
  for (int i = 0; i < 3; i++)
    once(answer(GUARD_SERVER_ERROR), T0);
  assert_int_equal(metrics.opened, 1);
}

static void a_breaker_forced_open_degrades_every_call(void **state)
{
  (void)state;
  policy.breaker_force = GUARD_FORCE_OPEN;
  struct guard_order o = guard_call_begin(&call, &gate, T0);
  assert_int_equal(o.step, GUARD_DEGRADE);
  assert_int_equal(o.wait_ms, 0);
  assert_int_equal(metrics.rejected, 1);
}

static void the_wait_asked_for_is_a_floor_with_up_to_1_s_on_top(void **state)
{
  (void)state;
  static const struct {
    const char *id;
    int64_t asked;
    double random;
    int64_t want;
    const char *why;
  } t[] = {{"zero", 0, 0, 2500, "own backoff is the floor of a short wait"},
           {"zero-jitter", 0, 0.5, 3750, "the same"},
           {"short", 999, 0, 2500, "the same"},
           {"second", 1000, 0, 1000, "no short wait any more"},
           {"two-jitter", 2000, 0.999999, 2999, "up to a second on top"},
           {"cap", 300000, 0, 300000, "the cap itself is obeyed"},
           {"cap-jitter", 300000, 0.5, 300500, "jitter does not count"}};
  for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
    fresh(NULL);
    begin(T0);
    struct guard_order o =
        result(answer_wait(GUARD_RATE_LIMIT, t[i].asked), T0, t[i].random);
    if (o.step != GUARD_WAIT || o.wait_ms != t[i].want)
      fail_msg("%s (%s): step %d, wait %d", t[i].id, t[i].why, o.step,
               (int)o.wait_ms);
  }
}

static void a_short_wait_longer_than_the_backoff_is_kept(void **state)
{
  (void)state;
  policy.base_ms = 100;
  begin(T0);
  assert_int_equal(result(answer_wait(GUARD_RATE_LIMIT, 700), T0, 0).wait_ms,
                   700);
}

static void a_wait_above_the_cap_opens_and_gets_out(void **state)
{
  (void)state;
  struct guard_order o = once(answer_wait(GUARD_RATE_LIMIT, 300001), T0);
  assert_int_equal(o.step, GUARD_DEGRADE);
  assert_int_equal(o.wait_ms, 300001);
  assert_int_equal(metrics.opened, 1);
  assert_int_equal(metrics.backoff_total_ms, 0);
  /* whoever comes next is not let out, and slept nothing either */
  assert_int_equal(guard_call_begin(&call, &gate, T0 + 300000).step,
                   GUARD_DEGRADE);
  assert_int_equal(metrics.rejected, 1);
  begin(T0 + 300001);
}

static void without_a_hint_the_backoff_doubles(void **state)
{
  (void)state;
  policy.retries_per_request = 100;
  int64_t now = T0, want = 5000;
  begin(now);
  for (int i = 0; i < 5; i++) {
    struct guard_order o = result(answer(GUARD_SERVER_ERROR), now, 0);
    assert_int_equal(o.step, GUARD_WAIT);
    assert_int_equal(o.wait_ms, want / 2); /* equal jitter at random 0 */
    now += o.wait_ms;
    assert_int_equal(guard_call_again(&call, &gate, now).step, GUARD_TRY);
    want *= 2;
  }
  struct guard_order o = result(answer(GUARD_SERVER_ERROR), now, 0);
  assert_int_equal(o.step, GUARD_GIVE_UP);
  assert_int_equal(metrics.attempts, 6);
  assert_int_equal(metrics.retries, 5);
  assert_int_equal(metrics.backoff_total_ms, 77500);
}

static void three_retries_of_one_request_are_the_default(void **state)
{
  (void)state;
  int64_t now = T0;
  struct guard_order o = guard_call_begin(&call, &gate, now);
  while (o.step == GUARD_TRY || o.step == GUARD_WAIT) {
    if (o.step == GUARD_WAIT)
      o = guard_call_again(&call, &gate, now += o.wait_ms);
    else
      o = result(answer(GUARD_SERVER_ERROR), now, 0.5);
  }
  assert_int_equal(o.step, GUARD_GIVE_UP);
  assert_int_equal(call.tries, 4);
}

static void the_third_limit_opens_and_nobody_is_started_after(void **state)
{
  (void)state;
  int64_t now = T0;
  begin(now);
  for (int i = 0; i < 2; i++) {
    struct guard_order o = result(answer(GUARD_OVERLOADED), now, 0);
    assert_int_equal(o.step, GUARD_WAIT);
    now += o.wait_ms;
    assert_int_equal(guard_call_again(&call, &gate, now).step, GUARD_TRY);
  }
  assert_int_equal(result(answer(GUARD_RATE_LIMIT), now, 0).step,
                   GUARD_DEGRADE);
  for (int i = 0; i < 40; i++)
    assert_int_equal(guard_call_begin(&call, &gate, now + i).step,
                     GUARD_DEGRADE);
  assert_int_equal(metrics.attempts, 3);
  assert_int_equal(metrics.hits, 3);
  assert_int_equal(metrics.opened, 1);
  assert_int_equal(metrics.rejected, 40);
}

static void
who_opens_is_out_even_if_the_wait_ends_with_the_cooling(void **state)
{
  (void)state;
  once(answer(GUARD_RATE_LIMIT), T0);
  once(answer(GUARD_RATE_LIMIT), T0);
  struct guard_order o = once(answer_wait(GUARD_RATE_LIMIT, 100000), T0);
  assert_int_equal(o.step, GUARD_DEGRADE);
  assert_int_equal(o.wait_ms, 100000);
}

static void one_limited_worker_waits_and_the_others_finish(void **state)
{
  (void)state;
  struct guard_call other;
  struct guard_outcome ok = answer(GUARD_NONE);
  begin(T0);
  assert_int_equal(guard_call_begin(&other, &gate, T0).step, GUARD_TRY);
  assert_int_equal(result(answer(GUARD_RATE_LIMIT), T0, 0).step, GUARD_WAIT);
  assert_int_equal(guard_call_result(&other, &gate, &ok, T0, 0).step,
                   GUARD_DONE);
}

static void a_try_that_ends_while_others_opened_does_not_wait(void **state)
{
  (void)state;
  struct guard_call late = {0};
  guard_call_begin(&late, &gate, T0);
  once(answer(GUARD_USAGE_LIMIT), T0);
  struct guard_outcome o = answer(GUARD_SERVER_ERROR);
  assert_int_equal(guard_call_result(&late, &gate, &o, T0, 0).step,
                   GUARD_DEGRADE);
}

static void a_usage_limit_with_its_reset_holds_until_then(void **state)
{
  (void)state;
  struct guard_outcome o = answer(GUARD_USAGE_LIMIT);
  o.verdict.reset_epoch_s = T0 / 1000 + 90;
  assert_int_equal(once(o, T0).wait_ms, 90000);
  fresh(NULL);
  o.verdict.reset_epoch_s = T0 / 1000 + 3 * 3600;
  assert_int_equal(once(o, T0).wait_ms, 3 * 3600 * 1000);
  fresh(NULL);
  o.verdict.reset_epoch_s = INT64_MAX;
  assert_int_equal(once(o, T0).wait_ms, 6 * 3600 * 1000);
  fresh(NULL);
  o.verdict.reset_epoch_s = T0 / 1000 - 5; /* over already: not known */
  assert_int_equal(once(o, T0).wait_ms, 600000);
}

static void a_timeout_is_retried_once_with_half_as_much_again(void **state)
{
  (void)state;
  struct guard_order o = guard_call_begin(&call, &gate, T0);
  assert_int_equal(o.limits.total_ms, 300000);
  assert_int_equal(o.limits.first_byte_ms, 120000);
  assert_int_equal(o.limits.idle_ms, 60000);
  assert_int_equal(o.limits.connect_ms, 10000);
  o = result(answer(GUARD_TIMEOUT), T0 + 100000, 0);
  assert_int_equal(o.step, GUARD_WAIT);
  o = guard_call_again(&call, &gate, T0 + 102500);
  assert_int_equal(o.limits.total_ms, 450000);
  assert_int_equal(o.limits.first_byte_ms, 180000);
  assert_int_equal(o.limits.idle_ms, 90000);
  o = result(answer(GUARD_TIMEOUT), T0 + 200000, 0);
  assert_int_equal(o.step, GUARD_GIVE_UP);
  assert_int_equal(metrics.timeouts, 2);
  assert_int_equal(metrics.hits, 0);
  assert_int_equal(breaker.nhits, 0);
}

static void a_try_never_gets_more_than_the_deadline_leaves(void **state)
{
  (void)state;
  begin(T0);
  struct guard_order o = result(answer(GUARD_TIMEOUT), T0 + 300000, 0);
  assert_int_equal(o.step, GUARD_WAIT);
  o = guard_call_again(&call, &gate, T0 + 300000 + o.wait_ms);
  assert_int_equal(o.limits.total_ms, 297500);
}

static void a_wait_that_overruns_the_deadline_ends_it_now(void **state)
{
  (void)state;
  policy.deadline_ms = 10000;
  begin(T0);
  assert_int_equal(
      result(answer_wait(GUARD_RATE_LIMIT, 9000), T0 + 500, 0).step,
      GUARD_WAIT);
  guard_call_again(&call, &gate, T0 + 1000);
  assert_int_equal(
      result(answer_wait(GUARD_RATE_LIMIT, 9000), T0 + 1000, 0).step,
      GUARD_DEGRADE);
  assert_int_equal(metrics.backoff_total_ms, 9000); /* only the one granted */
}

static void a_wait_slept_too_long_is_no_new_try(void **state)
{
  (void)state;
  begin(T0);
  assert_int_equal(result(answer(GUARD_SERVER_ERROR), T0, 0).step, GUARD_WAIT);
  assert_int_equal(guard_call_again(&call, &gate, T0 + 600000).step,
                   GUARD_DEGRADE);
  assert_int_equal(metrics.attempts, 1);
}

static void nothing_is_repeated_after_output_was_delivered(void **state)
{
  (void)state;
  struct guard_outcome o = answer(GUARD_STREAM_INTERRUPTED);
  o.delivered = true;
  assert_int_equal(once(o, T0).step, GUARD_GIVE_UP);
  policy.repeat_output = true; /* told so */
  assert_int_equal(once(o, T0).step, GUARD_WAIT);
}

static void all_calls_together_spend_one_budget(void **state)
{
  (void)state;
  policy.min_retries = 2;
  policy.retries_per_request = 1;
  int waits = 0;
  for (int i = 0; i < 20; i++)
    waits += once(answer(GUARD_SERVER_ERROR), T0 + i).step == GUARD_WAIT;
  assert_int_equal(waits, 2);
  assert_int_equal(metrics.failed, 18);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      TEST(each_class_ends_or_waits_as_it_should),
      TEST(auth_and_bad_requests_are_not_retried_even_if_told),
      TEST(a_server_that_forbids_retries_is_obeyed),
      TEST(only_the_classes_the_policy_names_open_it),
      TEST(a_breaker_forced_open_degrades_every_call),
      TEST(the_wait_asked_for_is_a_floor_with_up_to_1_s_on_top),
      TEST(a_short_wait_longer_than_the_backoff_is_kept),
      TEST(a_wait_above_the_cap_opens_and_gets_out),
      TEST(without_a_hint_the_backoff_doubles),
      TEST(three_retries_of_one_request_are_the_default),
      TEST(the_third_limit_opens_and_nobody_is_started_after),
      TEST(who_opens_is_out_even_if_the_wait_ends_with_the_cooling),
      TEST(one_limited_worker_waits_and_the_others_finish),
      TEST(a_try_that_ends_while_others_opened_does_not_wait),
      TEST(a_usage_limit_with_its_reset_holds_until_then),
      TEST(a_timeout_is_retried_once_with_half_as_much_again),
      TEST(a_try_never_gets_more_than_the_deadline_leaves),
      TEST(a_wait_that_overruns_the_deadline_ends_it_now),
      TEST(a_wait_slept_too_long_is_no_new_try),
      TEST(nothing_is_repeated_after_output_was_delivered),
      TEST(all_calls_together_spend_one_budget),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
