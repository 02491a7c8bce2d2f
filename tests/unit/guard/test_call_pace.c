/* test_call_pace.c - breaker first, then places, and both or neither: no
 * permit is held by one who waits, no place by one who is refused. */
#include "guard/call_pace.h"
#include "tests/unit/unit.h"

#include <string.h>

#define T0 INT64_C(1796000000000) /* some moment in 2026 */

static struct guard_policy policy;
static struct guard_breaker breaker;
static struct guard_budget budget;
static struct guard_metrics metrics;
static struct guard_pacing pacing;
static struct guard_pace pace;
static const struct guard_paced_gate gate = {
    .gate = {&policy, &breaker, &budget, &metrics},
    .pacing = &pacing,
    .pace = &pace};

static int fresh(void **state)
{
  (void)state;
  guard_policy_default(&policy);
  guard_pacing_default(&pacing);
  memset(&breaker, 0, sizeof breaker);
  memset(&budget, 0, sizeof budget);
  memset(&metrics, 0, sizeof metrics);
  memset(&pace, 0, sizeof pace);
  return 0;
}

static struct guard_order enter(struct guard_paced_call *c, int64_t now_ms)
{
  return guard_paced_enter(
      c, &gate, (struct guard_pace_request){.lane = GUARD_LANE_NORMAL}, now_ms);
}

static struct guard_order opened(struct guard_paced_call *c, int64_t now_ms)
{
  *c = (struct guard_paced_call){0};
  guard_call_open(&c->call, &gate.gate, now_ms);
  return enter(c, now_ms);
}

static struct guard_order ended(struct guard_paced_call *c,
                                enum guard_class cls, int64_t now_ms)
{
  const struct guard_outcome o = {
      .verdict = {.cls = cls, .retryable = cls == GUARD_RATE_LIMIT}};
  return guard_paced_result(c, &gate, &o, now_ms, 0.5);
}

static int held(void)
{
  return guard_lanes_held(&pace.lanes, T0);
}

static void a_call_holds_permit_and_place_until_its_end(void **state)
{
  (void)state;
  struct guard_paced_call c;
  assert_int_equal(opened(&c, T0).step, GUARD_TRY);
  assert_true(c.call.permit.held && held() == 1);
  assert_int_equal(ended(&c, GUARD_NONE, T0).step, GUARD_DONE);
  assert_true(!c.call.permit.held && held() == 0);
  assert_int_equal(metrics.paced, 0);
  assert_int_equal(metrics.attempts, 1);
}

static void a_wait_holds_neither_and_counts_once(void **state)
{
  (void)state;
  struct guard_paced_call a, waiter;
  pacing.places = 1;
  opened(&a, T0);
  for (int i = 0; i < 3; i++) {
    struct guard_order o = i ? enter(&waiter, T0) : opened(&waiter, T0);
    assert_int_equal(o.step, GUARD_WAIT);
    assert_int_equal(o.wait_ms, pacing.ask_ms);
    assert_false(waiter.call.permit.held);
  }
  assert_int_equal(metrics.paced, 1);
  assert_int_equal(metrics.paced_total_ms, 3 * pacing.ask_ms);
  assert_int_equal(metrics.attempts, 1);
  assert_int_equal(metrics.calls, 2);
  ended(&a, GUARD_NONE, T0);
  assert_int_equal(enter(&waiter, T0).step, GUARD_TRY);
}

static void an_open_breaker_refuses_before_a_place_is_asked_for(void **state)
{
  (void)state;
  struct guard_paced_call c;
  guard_breaker_set(&breaker, GUARD_BREAKER_OPEN, T0, T0 + 1000);
  struct guard_order o = opened(&c, T0);
  assert_int_equal(o.step, GUARD_DEGRADE);
  assert_int_equal(o.wait_ms, 1000);
  assert_int_equal(held(), 0);
  assert_int_equal(pace.lanes.last_ticket, 0);
  assert_int_equal(metrics.rejected, 1);
}

static void a_breaker_that_opens_meanwhile_ends_the_wait(void **state)
{
  (void)state;
  struct guard_paced_call a, waiter;
  pacing.places = 1;
  opened(&a, T0);
  assert_int_equal(opened(&waiter, T0).step, GUARD_WAIT);
  guard_breaker_set(&breaker, GUARD_BREAKER_OPEN, T0, T0 + 1000);
  assert_int_equal(enter(&waiter, T0).step, GUARD_DEGRADE);
  assert_int_equal(waiter.ticket.place, 0);
  for (int i = 0; i < GUARD_MAX_WAITERS; i++)
    assert_int_equal(pace.lanes.waiter[i].ticket, 0);
}

static void the_probe_goes_to_whoever_goes_first(void **state)
{
  (void)state;
  struct guard_paced_call a, waiter, probe;
  pacing.places = 1;
  opened(&a, T0);
  guard_breaker_set(&breaker, GUARD_BREAKER_HALF_OPEN, T0, T0);
  /* it waits for a place and holds no probe meanwhile */
  assert_int_equal(opened(&waiter, T0).step, GUARD_WAIT);
  assert_int_equal(breaker.probe, 0);
  guard_pace_leave(&pace, &a.ticket);
  guard_pace_leave(&pace, &waiter.ticket);
  assert_int_equal(opened(&probe, T0).step, GUARD_TRY);
  assert_true(probe.call.permit.probe > 0);
  /* another call: refused, and no place is waited for */
  struct guard_order o = enter(&waiter, T0);
  assert_int_equal(o.step, GUARD_DEGRADE);
  assert_string_equal(o.why, "another call is probing");
}

static void a_retry_sleeps_without_its_place_and_asks_again(void **state)
{
  (void)state;
  struct guard_paced_call c, other;
  pacing.places = 1;
  opened(&c, T0);
  struct guard_order o = ended(&c, GUARD_RATE_LIMIT, T0);
  assert_int_equal(o.step, GUARD_WAIT);
  assert_int_equal(held(), 0);
  assert_int_equal(opened(&other, T0).step, GUARD_TRY);
  assert_int_equal(enter(&c, T0 + o.wait_ms).step, GUARD_WAIT);
}

static void a_throttled_call_degrades_and_is_counted(void **state)
{
  (void)state;
  struct guard_paced_call c;
  pace.throttle = (struct guard_throttle){.slot = T0 / 10000};
  pace.throttle.requests[T0 / 10000 % GUARD_THROTTLE_SLOTS] = 1000;
  assert_int_equal(opened(&c, T0).step, GUARD_DEGRADE);
  assert_int_equal(metrics.throttled, 1);
  assert_int_equal(metrics.degraded, 1);
  assert_int_equal(metrics.attempts, 0);
  assert_int_equal(held(), 0);
}

static void a_wait_beyond_the_deadline_degrades_and_names_it(void **state)
{
  (void)state;
  struct guard_paced_call c;
  pace.not_before_ms = T0 + 10000;
  policy.deadline_ms = 10000;
  struct guard_order o = opened(&c, T0);
  assert_int_equal(o.step, GUARD_DEGRADE);
  assert_int_equal(o.wait_ms, 10000);
  assert_non_null(strstr(o.why, "deadline"));
  policy.deadline_ms = 20000;
  policy.cap_ms = 9999;
  o = opened(&c, T0);
  assert_int_equal(o.step, GUARD_DEGRADE);
  assert_non_null(strstr(o.why, "cap"));
  policy.cap_ms = 10000;
  assert_int_equal(opened(&c, T0).step, GUARD_WAIT);
}

static void the_deadline_runs_while_a_place_is_waited_for(void **state)
{
  (void)state;
  struct guard_paced_call a, c;
  pacing.places = 1;
  opened(&a, T0);
  assert_int_equal(opened(&c, T0).step, GUARD_WAIT);
  struct guard_order o = enter(&c, T0 + policy.deadline_ms - pacing.ask_ms);
  assert_int_equal(o.step, GUARD_DEGRADE);
  assert_int_equal(opened(&c, T0).step, GUARD_WAIT);
  o = enter(&c, T0 + policy.deadline_ms);
  assert_string_equal(o.why, "the deadline is over");
}

static void an_abandoned_call_gives_all_back(void **state)
{
  (void)state;
  struct guard_paced_call c, waiter;
  pacing.places = 1;
  opened(&c, T0);
  opened(&waiter, T0);
  guard_paced_abandon(&waiter, &gate, T0);
  guard_paced_abandon(&c, &gate, T0);
  assert_int_equal(held(), 0);
  assert_false(c.call.permit.held);
  assert_int_equal(metrics.failed, 2);
  assert_int_equal(opened(&c, T0).step, GUARD_TRY);
}

#define TEST(name) cmocka_unit_test_setup(name, fresh)

int main(void)
{
  const struct CMUnitTest tests[] = {
      TEST(a_call_holds_permit_and_place_until_its_end),
      TEST(a_wait_holds_neither_and_counts_once),
      TEST(an_open_breaker_refuses_before_a_place_is_asked_for),
      TEST(a_breaker_that_opens_meanwhile_ends_the_wait),
      TEST(the_probe_goes_to_whoever_goes_first),
      TEST(a_retry_sleeps_without_its_place_and_asks_again),
      TEST(a_throttled_call_degrades_and_is_counted),
      TEST(a_wait_beyond_the_deadline_degrades_and_names_it),
      TEST(the_deadline_runs_while_a_place_is_waited_for),
      TEST(an_abandoned_call_gives_all_back),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
