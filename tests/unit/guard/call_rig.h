/*
 * call_rig.h - one gate and one call for the tests of guard/call.h; included
 * once by each of them.
 */
#ifndef TESTS_CALL_RIG_H
#define TESTS_CALL_RIG_H

#include "guard/call.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define T0 INT64_C(1796000000000) /* some moment in 2026 */

static struct guard_policy policy;
static struct guard_breaker breaker;
static struct guard_budget budget;
static struct guard_metrics metrics;
static const struct guard_gate gate = {&policy, &breaker, &budget, &metrics};
static struct guard_call call;

static int fresh(void **state)
{
  (void)state;
  guard_policy_default(&policy);
  memset(&breaker, 0, sizeof breaker);
  memset(&budget, 0, sizeof budget);
  memset(&metrics, 0, sizeof metrics);
  return 0;
}

static struct guard_outcome answer(enum guard_class cls)
{
  static const bool retryable[GUARD_NCLASSES] = {[GUARD_RATE_LIMIT] = true,
                                                 [GUARD_OVERLOADED] = true,
                                                 [GUARD_TIMEOUT] = true,
                                                 [GUARD_SERVER_ERROR] = true,
                                                 [GUARD_STREAM_INTERRUPTED] =
                                                     true};
  return (struct guard_outcome){
      .verdict = {.cls = cls, .retryable = retryable[cls], .rule = "test"}};
}

static inline struct guard_outcome answer_wait(enum guard_class cls,
                                               int64_t wait_ms)
{
  struct guard_outcome o = answer(cls);
  o.verdict.hint = GUARD_HINT_WAIT;
  o.verdict.wait_ms = wait_ms;
  return o;
}

static void begin(int64_t now_ms)
{
  struct guard_order o = guard_call_begin(&call, &gate, now_ms);
  assert_int_equal(o.step, GUARD_TRY);
}

static struct guard_order result(struct guard_outcome o, int64_t now_ms,
                                 double random)
{
  return guard_call_result(&call, &gate, &o, now_ms, random);
}

/* One call with one answer. */
static struct guard_order once(struct guard_outcome o, int64_t now_ms)
{
  begin(now_ms);
  return result(o, now_ms, 0.5);
}

#define TEST(name) cmocka_unit_test_setup(name, fresh)

#endif
