/* test_pace.c - one decision before a try: nothing is taken by a wait, no
 * place is lost on any path, and a call slows down before it is refused. */
#include "tests/unit/guard/pace_rig.h"

static void a_first_call_goes_at_once(void **state)
{
  (void)state;
  struct guard_pace_ticket t = go(T0);
  assert_int_equal(held(T0), 1);
  done(&t, T0);
  assert_int_equal(held(T0), 0);
}

static void the_fourth_waits_for_a_place_and_keeps_its_rank(void **state)
{
  (void)state;
  struct guard_pace_ticket a = go(T0), fourth = {0}, fifth = {0};
  go(T0);
  go(T0);
  assert_int_equal(waits(&fourth, GUARD_PACE_PLACES, T0), pacing.ask_ms);
  waits(&fifth, GUARD_PACE_PLACES, T0 + 1);
  done(&a, T0 + 2);
  waits(&fifth, GUARD_PACE_PLACES, T0 + 3);
  assert_int_equal(ask(&fourth, T0 + 4).step, GUARD_PACE_GO);
}

static void a_higher_lane_goes_first(void **state)
{
  (void)state;
  struct guard_pace_ticket a = go(T0), low = {0}, high = {0};
  go(T0);
  go(T0);
  request.lane = GUARD_LANE_LOW;
  waits(&low, GUARD_PACE_PLACES, T0);
  request.lane = GUARD_LANE_HIGH;
  waits(&high, GUARD_PACE_PLACES, T0);
  done(&a, T0);
  request.lane = GUARD_LANE_LOW;
  waits(&low, GUARD_PACE_PLACES, T0);
  request.lane = GUARD_LANE_HIGH;
  assert_int_equal(ask(&high, T0).step, GUARD_PACE_GO);
}

static void no_places_are_any_number_of_them(void **state)
{
  (void)state;
  pacing.places = 0;
  for (int i = 0; i < 200; i++)
    go(T0);
  assert_int_equal(held(T0), 0);
}

static void a_wait_for_a_place_never_overruns_the_deadline(void **state)
{
  (void)state;
  struct guard_pace_ticket t = {0};
  for (int i = 0; i < 3; i++)
    go(T0);
  request.deadline_left_ms = pacing.ask_ms + 1;
  waits(&t, GUARD_PACE_PLACES, T0);
  request.deadline_left_ms = pacing.ask_ms;
  refused(&t, GUARD_PACE_PLACES, T0);
  for (int i = 0; i < GUARD_MAX_WAITERS; i++)
    assert_int_equal(pace.lanes.waiter[i].ticket, 0);
}

static void a_cap_of_nothing_does_not_forbid_to_queue(void **state)
{
  (void)state;
  struct guard_pace_ticket t = {0};
  for (int i = 0; i < 3; i++)
    go(T0);
  request.cap_ms = 0;
  waits(&t, GUARD_PACE_PLACES, T0);
}

static void an_own_quota_makes_calls_wait_without_a_place(void **state)
{
  (void)state;
  struct guard_pace_ticket t = {0};
  pacing.requests_per_minute = 2;
  for (int i = 0; i < 2; i++) {
    struct guard_pace_ticket one = go(T0);
    done(&one, T0);
  }
  assert_int_equal(waits(&t, GUARD_PACE_QUOTA, T0), MINUTE / 2);
  assert_int_equal(held(T0), 0);
  /* asking takes nothing, however often */
  assert_int_equal(waits(&t, GUARD_PACE_QUOTA, T0 + MINUTE / 4), MINUTE / 4);
  assert_int_equal(ask(&t, T0 + MINUTE / 2).step, GUARD_PACE_GO);
}

static void a_wait_for_a_place_takes_nothing_out_of_a_quota(void **state)
{
  (void)state;
  struct guard_pace_ticket t = {0}, first = {0};
  pacing.places = 1;
  pacing.requests_per_minute = 2;
  first = go(T0);
  for (int i = 0; i < 10; i++)
    waits(&t, GUARD_PACE_PLACES, T0);
  done(&first, T0);
  assert_int_equal(ask(&t, T0).step, GUARD_PACE_GO);
}

static void an_own_quota_follows_its_option(void **state)
{
  (void)state;
  struct guard_pace_ticket t = {0};
  pacing.requests_per_minute = 1;
  t = go(T0);
  done(&t, T0);
  waits(&t, GUARD_PACE_QUOTA, T0);
  pacing.requests_per_minute = 60;
  assert_int_equal(waits(&t, GUARD_PACE_QUOTA, T0), SECOND);
  pacing.requests_per_minute = 0;
  t = go(T0);
}

static void estimated_tokens_are_corrected_by_what_was_used(void **state)
{
  (void)state;
  struct guard_pace_ticket t = {0};
  pacing.tokens_per_minute = 1000;
  request.cost = (struct guard_rate_cost){100, 700};
  t = go(T0);
  assert_true(waits(&(struct guard_pace_ticket){0}, GUARD_PACE_QUOTA, T0) > 0);
  guard_pace_report(&pace, &pacing, &t, GUARD_NONE, 150, T0);
  t = go(T0); /* 850 are left */
  guard_pace_report(&pace, &pacing, &t, GUARD_NONE, 0, T0);
  waits(&t, GUARD_PACE_QUOTA, T0); /* not known: the estimate stands */
}

static void a_call_larger_than_its_quota_waits_for_a_full_one(void **state)
{
  (void)state;
  struct guard_pace_ticket t = {0};
  pacing.tokens_per_minute = 1000;
  request.cost.output_tokens = 5000;
  t = go(T0);
  done(&t, T0);
  assert_int_equal(waits(&t, GUARD_PACE_QUOTA, T0), MINUTE);
  assert_int_equal(ask(&t, T0 + MINUTE).step, GUARD_PACE_GO);
}

static void an_empty_limit_slows_down_before_the_429(void **state)
{
  (void)state;
  struct guard_pace_ticket t = go(T0);
  struct guard_rate_advice a = learn(GUARD_RATE_REQUESTS, true, 1, 0, 3000, T0);
  assert_int_equal(a.slow_ms, 3000);
  assert_true(a.empty);
  done(&t, T0);
  assert_int_equal(guard_pace_slowed_until_ms(&pace, &pacing, T0), T0 + 3000);
  assert_int_equal(waits(&t, GUARD_PACE_SLOW, T0), 3000);
  assert_int_equal(waits(&t, GUARD_PACE_SLOW, T0 + 2999), 1);
  assert_int_equal(ask(&t, T0 + 3000).step, GUARD_PACE_GO);
  assert_int_equal(guard_pace_slowed_until_ms(&pace, &pacing, T0 + 3001), 0);
}

static void a_window_that_is_used_up_is_waited_for(void **state)
{
  (void)state;
  struct guard_pace_ticket t = {0};
  learn(GUARD_RATE_REQUESTS, false, 100, 0, 20 * SECOND, T0);
  assert_int_equal(waits(&t, GUARD_PACE_SLOW, T0), 20 * SECOND);
  t = go(T0 + 20 * SECOND);
}

static void whoever_wants_no_slow_down_has_none(void **state)
{
  (void)state;
  pacing.slow_down = false;
  struct guard_rate_advice a =
      learn(GUARD_RATE_REQUESTS, true, 1, 0, 30 * SECOND, T0);
  assert_int_equal(a.slow_ms, 0);
  assert_int_equal(a.family, GUARD_RATE_REQUESTS);
  assert_int_equal(guard_pace_slowed_until_ms(&pace, &pacing, T0), 0);
  go(T0);
}

static void a_slow_down_above_the_cap_is_refused_at_once(void **state)
{
  (void)state;
  struct guard_pace_ticket t = {0};
  learn(GUARD_RATE_REQUESTS, false, 100, 0, 20 * SECOND, T0);
  request.cap_ms = 19 * SECOND;
  refused(&t, GUARD_PACE_SLOW, T0);
  request.cap_ms = 20 * SECOND;
  request.deadline_left_ms = 20 * SECOND;
  refused(&t, GUARD_PACE_SLOW, T0);
  request.deadline_left_ms++;
  waits(&t, GUARD_PACE_SLOW, T0);
}

static void a_reset_days_away_holds_for_the_longest_slow_down(void **state)
{
  (void)state;
  request.cap_ms = request.deadline_left_ms = INT64_MAX;
  struct guard_pace_ticket t = {0};
  struct guard_rate_advice a =
      learn(GUARD_RATE_REQUESTS, true, 1, 0, INT64_MAX, T0);
  assert_int_equal(a.slow_ms, pacing.max_slow_ms);
  assert_int_equal(waits(&t, GUARD_PACE_SLOW, T0), pacing.max_slow_ms);
  assert_int_equal(ask(&t, T0 + pacing.max_slow_ms).step, GUARD_PACE_GO);
}

static void
slowed_calls_keep_their_distance_until_the_limit_is_full(void **state)
{
  (void)state;
  struct guard_pace_ticket t = {0};
  /* a window: 4 more until its end in 20 s, so one in 5 s */
  struct guard_rate_advice a =
      learn(GUARD_RATE_REQUESTS, false, 100, 4, 20 * SECOND, T0);
  assert_int_equal(a.slow_ms, 5 * SECOND);
  t = go(T0 + 5 * SECOND);
  done(&t, T0 + 5 * SECOND);
  assert_int_equal(waits(&t, GUARD_PACE_SLOW, T0 + 5 * SECOND), 5 * SECOND);
  assert_int_equal(ask(&t, T0 + 10 * SECOND).step, GUARD_PACE_GO);
  for (int i = 0; i < 2; i++) {
    t = go(T0 + 20 * SECOND); /* the window has come back */
    done(&t, T0 + 20 * SECOND);
  }
}

static void an_answer_with_enough_left_ends_the_distance(void **state)
{
  (void)state;
  struct guard_pace_ticket t = {0};
  learn(GUARD_RATE_REQUESTS, false, 100, 4, 20 * SECOND, T0);
  learn(GUARD_RATE_REQUESTS, false, 100, 90, 20 * SECOND, T0 + 1);
  /* what was asked for before still holds */
  waits(&t, GUARD_PACE_SLOW, T0 + 1);
  for (int i = 0; i < 2; i++) {
    t = go(T0 + 5 * SECOND);
    done(&t, T0 + 5 * SECOND);
  }
}

static void a_later_answer_about_an_earlier_call_shortens_nothing(void **state)
{
  (void)state;
  struct guard_pace_ticket t = {0};
  learn(GUARD_RATE_REQUESTS, false, 100, 0, 20 * SECOND, T0);
  learn(GUARD_RATE_REQUESTS, false, 100, 0, 2 * SECOND, T0 + SECOND);
  assert_int_equal(waits(&t, GUARD_PACE_SLOW, T0 + SECOND), 19 * SECOND);
}

static void a_told_quota_is_used_no_faster_than_it_fills(void **state)
{
  (void)state;
  struct guard_pace_ticket t = {0};
  int64_t left, limit;
  pacing.places = 0;
  assert_false(guard_pace_level(&pace, GUARD_UNIT_REQUESTS, T0, &left, &limit));
  /* 60 a minute, 30 left: nobody slows down, and 30 may go at once */
  struct guard_rate_advice a =
      learn(GUARD_RATE_REQUESTS, true, 60, 30, 30 * SECOND, T0);
  assert_int_equal(a.slow_ms, 0);
  for (int i = 0; i < 30; i++)
    go(T0);
  assert_int_equal(waits(&t, GUARD_PACE_SLOW, T0), SECOND);
  assert_true(
      guard_pace_level(&pace, GUARD_UNIT_REQUESTS, T0 + SECOND, &left, &limit));
  assert_int_equal(left, 1);
  assert_int_equal(limit, 60);
  assert_int_equal(ask(&t, T0 + SECOND).step, GUARD_PACE_GO);
  waits(&(struct guard_pace_ticket){0}, GUARD_PACE_SLOW, T0 + SECOND);
}

static void a_limit_by_the_second_comes_back_by_the_second(void **state)
{
  (void)state;
  struct guard_pace_ticket t = {0};
  struct guard_rate_advice a =
      learn(GUARD_RATE_REQUESTS, true, 10, 0, 2 * SECOND, T0);
  assert_int_equal(a.slow_ms, 200);
  assert_int_equal(waits(&t, GUARD_PACE_SLOW, T0), 200);
  assert_int_equal(ask(&t, T0 + 200).step, GUARD_PACE_GO);
  /* whole seconds that are as good as over tell nothing */
  learn(GUARD_RATE_REQUESTS, true, 10, 9, 0, T0);
  assert_true(pace.told[GUARD_UNIT_REQUESTS].bucket.per_minute <= 300);
}

static void
a_told_quota_is_full_at_its_reset_but_for_what_was_taken(void **state)
{
  (void)state;
  pacing.places = 0;
  learn(GUARD_RATE_TOKENS, true, 100, 50, 3 * SECOND, T0);
  request.cost.input_tokens = 40;
  go(T0);
  go(T0 + 3 * SECOND); /* 60 */
  waits(&(struct guard_pace_ticket){0}, GUARD_PACE_SLOW, T0 + 3 * SECOND);
  int64_t left, limit;
  assert_true(guard_pace_level(&pace, GUARD_UNIT_TOKENS, T0 + 3 * SECOND, &left,
                               &limit));
  assert_int_equal(left, 20);
}

static void tokens_told_are_corrected_too(void **state)
{
  (void)state;
  learn(GUARD_RATE_TOKENS, true, 100, 100, 0, T0);
  request.cost.input_tokens = 90;
  struct guard_pace_ticket t = go(T0);
  guard_pace_report(&pace, &pacing, &t, GUARD_NONE, 10, T0);
  go(T0);
}

static void limits_without_a_number_are_no_quota(void **state)
{
  (void)state;
  learn(GUARD_RATE_REQUESTS, true, -1, 10, 3000, T0);
  assert_int_equal(pace.told[GUARD_UNIT_REQUESTS].bucket.capacity, 0);
  learn(GUARD_RATE_REQUESTS, true, 0, -1, -1, T0); /* nothing sensible */
  go(T0 + 3000);
}

static void too_many_refusals_are_answered_here(void **state)
{
  (void)state;
  for (int64_t i = 0; i < pacing.throttle_min; i++) {
    struct guard_pace_ticket t = go(T0);
    guard_pace_report(&pace, &pacing, &t, GUARD_OVERLOADED, 0, T0);
  }
  struct guard_pace_ticket t = {0};
  refused(&t, GUARD_PACE_THROTTLE, T0);
  assert_int_equal(held(T0), 0);
  request.random = 0.999; /* still probed */
  t = go(T0);
  done(&t, T0);
  request.random = 0;
  pacing.throttle_k = 0;
  go(T0);
}

static void
a_try_counts_once_in_the_throttle_however_often_it_asks(void **state)
{
  (void)state;
  struct guard_pace_ticket a = go(T0), t = {0};
  go(T0);
  go(T0);
  for (int i = 0; i < 1000; i++)
    waits(&t, GUARD_PACE_PLACES, T0);
  guard_pace_leave(&pace, &t);
  guard_pace_report(&pace, &pacing, &a, GUARD_RATE_LIMIT, 0, T0);
  int64_t requests = 0;
  for (int i = 0; i < GUARD_THROTTLE_SLOTS; i++)
    requests += pace.throttle.requests[i];
  assert_int_equal(requests, 1);
}

static void a_waiter_is_refused_when_the_server_dies_meanwhile(void **state)
{
  (void)state;
  struct guard_pace_ticket t[3] = {{0}}, waiter = {0};
  pacing.throttle_min = 2;
  for (int i = 0; i < 3; i++)
    t[i] = go(T0);
  waits(&waiter, GUARD_PACE_PLACES, T0);
  for (int i = 0; i < 2; i++)
    guard_pace_report(&pace, &pacing, &t[i], GUARD_TIMEOUT, 0, T0);
  refused(&waiter, GUARD_PACE_THROTTLE, T0);
  for (int i = 0; i < GUARD_MAX_WAITERS; i++)
    assert_int_equal(pace.lanes.waiter[i].ticket, 0);
}

static void only_answers_that_are_no_limit_are_accepts(void **state)
{
  (void)state;
  static const struct {
    enum guard_class cls;
    int64_t accepts;
  } rows[] = {{GUARD_NONE, 1},        {GUARD_INVALID_REQUEST, 1},
              {GUARD_AUTH, 1},        {GUARD_SERVER_ERROR, 1},
              {GUARD_RATE_LIMIT, 0},  {GUARD_OVERLOADED, 0},
              {GUARD_USAGE_LIMIT, 0}, {GUARD_QUOTA_EXHAUSTED, 0},
              {GUARD_TIMEOUT, 0},     {GUARD_STREAM_INTERRUPTED, 0}};
  assert_int_equal(COUNT(rows), GUARD_NCLASSES);
  for (size_t i = 0; i < COUNT(rows); i++) {
    fresh(NULL);
    struct guard_pace_ticket t = go(T0);
    guard_pace_report(&pace, &pacing, &t, rows[i].cls, 0, T0);
    int64_t accepts = 0;
    for (int k = 0; k < GUARD_THROTTLE_SLOTS; k++)
      accepts += pace.throttle.accepts[k];
    if (accepts != rows[i].accepts)
      fail_msg("%s", guard_class_name(rows[i].cls));
  }
}

static void leaving_is_right_at_any_moment(void **state)
{
  (void)state;
  struct guard_pace_ticket t = {0}, waiter = {0};
  guard_pace_leave(&pace, &t);
  pacing.places = 1;
  t = go(T0);
  waits(&waiter, GUARD_PACE_PLACES, T0);
  guard_pace_leave(&pace, &waiter);
  guard_pace_leave(&pace, &t);
  assert_int_equal(held(T0), 0);
  go(T0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      TEST(a_first_call_goes_at_once),
      TEST(the_fourth_waits_for_a_place_and_keeps_its_rank),
      TEST(a_higher_lane_goes_first),
      TEST(no_places_are_any_number_of_them),
      TEST(a_wait_for_a_place_never_overruns_the_deadline),
      TEST(a_cap_of_nothing_does_not_forbid_to_queue),
      TEST(an_own_quota_makes_calls_wait_without_a_place),
      TEST(a_wait_for_a_place_takes_nothing_out_of_a_quota),
      TEST(an_own_quota_follows_its_option),
      TEST(estimated_tokens_are_corrected_by_what_was_used),
      TEST(a_call_larger_than_its_quota_waits_for_a_full_one),
      TEST(an_empty_limit_slows_down_before_the_429),
      TEST(a_window_that_is_used_up_is_waited_for),
      TEST(whoever_wants_no_slow_down_has_none),
      TEST(a_slow_down_above_the_cap_is_refused_at_once),
      TEST(a_reset_days_away_holds_for_the_longest_slow_down),
      TEST(slowed_calls_keep_their_distance_until_the_limit_is_full),
      TEST(an_answer_with_enough_left_ends_the_distance),
      TEST(a_later_answer_about_an_earlier_call_shortens_nothing),
      TEST(a_told_quota_is_used_no_faster_than_it_fills),
      TEST(a_limit_by_the_second_comes_back_by_the_second),
      TEST(a_told_quota_is_full_at_its_reset_but_for_what_was_taken),
      TEST(tokens_told_are_corrected_too),
      TEST(limits_without_a_number_are_no_quota),
      TEST(too_many_refusals_are_answered_here),
      TEST(a_try_counts_once_in_the_throttle_however_often_it_asks),
      TEST(a_waiter_is_refused_when_the_server_dies_meanwhile),
      TEST(only_answers_that_are_no_limit_are_accepts),
      TEST(leaving_is_right_at_any_moment),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
