/*
 * test_call_reports.c - every path out of the gate reports: the half-open
 * place comes back, and each call ends in one counter.
 */
#include "call_rig.h"

/* Half-open, one probe out in `call`. */
static int64_t probe(void)
{
  struct guard_outcome o = answer(GUARD_USAGE_LIMIT);
  o.verdict.reset_epoch_s = T0 / 1000 + 60;
  once(o, T0);
  begin(T0 + 60000);
  struct guard_call second;
  assert_int_equal(guard_call_begin(&second, &gate, T0 + 60000).step,
                   GUARD_DEGRADE);
  return T0 + 60000;
}

static void after_an_unforeseen_failure_in_half_open_it_recovers(void **state)
{
  (void)state;
  int64_t now = probe();
  guard_call_abandon(&call, &gate, now);
  assert_int_equal(guard_call_begin(&call, &gate, now + 59999).step,
                   GUARD_DEGRADE);
  assert_int_equal(once(answer(GUARD_NONE), now + 60000).step, GUARD_DONE);
  begin(now + 60001);
  assert_int_equal(guard_breaker_state(&breaker, &policy, now + 60001),
                   GUARD_BREAKER_CLOSED);
}

static void after_a_4xx_probe_it_recovers(void **state)
{
  (void)state;
  int64_t now = probe();
  assert_int_equal(result(answer(GUARD_INVALID_REQUEST), now, 0).step,
                   GUARD_GIVE_UP);
  assert_int_equal(once(answer(GUARD_AUTH), now + 1).step, GUARD_GIVE_UP);
  assert_int_equal(once(answer(GUARD_NONE), now + 2).step, GUARD_DONE);
  begin(now + 3);
  assert_int_equal(metrics.opened, 1);
}

static void abandoning_is_right_at_any_moment(void **state)
{
  (void)state;
  begin(T0);
  guard_call_abandon(&call, &gate, T0); /* during the try */
  begin(T0);
  result(answer(GUARD_SERVER_ERROR), T0, 0);
  guard_call_abandon(&call, &gate, T0); /* during the wait */
  assert_false(call.permit.held);
  assert_int_equal(metrics.failed, 2);
  assert_int_equal(metrics.opened, 0);
}

static void every_call_ends_in_exactly_one_counter(void **state)
{
  (void)state;
  uint32_t dice = 1;
  int64_t now = T0;
  for (int i = 0; i < 200000; i++) {
    struct guard_order o = guard_call_begin(&call, &gate, now);
    while (o.step == GUARD_TRY || o.step == GUARD_WAIT) {
      dice = dice * 1103515245u + 12345u;
      enum guard_class cls = (enum guard_class)(dice >> 16) % GUARD_NCLASSES;
      if (o.step == GUARD_WAIT)
        o = guard_call_again(&call, &gate, now += o.wait_ms);
      else if (dice >> 28 == 7) {
        guard_call_abandon(&call, &gate, now);
        o.step = GUARD_GIVE_UP;
      } else
        o = result(answer(cls), now, 0.25);
    }
    now += 70000;
    assert_false(call.permit.held);
  }
  assert_int_equal(metrics.calls, 200000);
  assert_int_equal(metrics.done + metrics.failed + metrics.degraded, 200000);
  assert_true(metrics.done > 1000 && metrics.failed > 1000 &&
              metrics.rejected > 1000);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      TEST(after_an_unforeseen_failure_in_half_open_it_recovers),
      TEST(after_a_4xx_probe_it_recovers),
      TEST(abandoning_is_right_at_any_moment),
      TEST(every_call_ends_in_exactly_one_counter),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
