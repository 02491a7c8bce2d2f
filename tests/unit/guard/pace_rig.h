/*
 * pace_rig.h - one pacing and its callers for the tests of guard/pace.h;
 * included once by each of them.
 */
#ifndef TESTS_PACE_RIG_H
#define TESTS_PACE_RIG_H

#include "guard/pace.h"
#include "tests/unit/unit.h"

#include <string.h>

#define T0 INT64_C(1796000000000) /* some moment in 2026 */
enum { SECOND = 1000, MINUTE = 60000 };

static struct guard_pacing pacing;
static struct guard_pace pace;
static struct guard_pace_request request;
static uint64_t seed;

static inline int fresh(void **state)
{
  (void)state;
  guard_pacing_default(&pacing);
  memset(&pace, 0, sizeof pace);
  request = (struct guard_pace_request){.lane = GUARD_LANE_NORMAL,
                                        .deadline_left_ms = 600 * SECOND,
                                        .cap_ms = 300 * SECOND};
  seed = 1;
  return 0;
}

static inline double chance(void)
{
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(seed >> 11) / 9007199254740992.0;
}

static inline struct guard_pace_decision ask(struct guard_pace_ticket *t,
                                             int64_t now_ms)
{
  struct guard_pace_decision d =
      guard_pace_ask(&pace, &pacing, &request, t, now_ms);
  assert_non_null(d.why);
  assert_int_equal(t->out, d.step == GUARD_PACE_GO);
  if (d.step == GUARD_PACE_REFUSE)
    assert_int_equal(t->place, 0);
  return d;
}

static inline struct guard_pace_ticket go(int64_t now_ms)
{
  struct guard_pace_ticket t = {0};
  struct guard_pace_decision d = ask(&t, now_ms);
  assert_int_equal(d.step, GUARD_PACE_GO);
  assert_int_equal(d.cause, GUARD_PACE_FREE);
  return t;
}

static inline int64_t waits(struct guard_pace_ticket *t,
                            enum guard_pace_cause cause, int64_t now_ms)
{
  struct guard_pace_decision d = ask(t, now_ms);
  assert_int_equal(d.step, GUARD_PACE_WAIT);
  assert_int_equal(d.cause, cause);
  assert_true(d.wait_ms > 0);
  return d.wait_ms;
}

static inline void refused(struct guard_pace_ticket *t,
                           enum guard_pace_cause cause, int64_t now_ms)
{
  struct guard_pace_decision d = ask(t, now_ms);
  assert_int_equal(d.step, GUARD_PACE_REFUSE);
  assert_int_equal(d.cause, cause);
}

static inline void done(struct guard_pace_ticket *t, int64_t now_ms)
{
  guard_pace_report(&pace, &pacing, t, GUARD_NONE, 0, now_ms);
  assert_true(!t->out && t->place == 0);
}

/* |limit| -1: not told. */
static inline void told(struct guard_rates *r, enum guard_rate_family f,
                        bool refills, const int64_t numbers[3])
{
  struct guard_rate *rate = &r->family[f];
  rate->refills = refills;
  for (int i = 0; i < 3; i++)
    if (numbers[i] >= 0) {
      rate->seen |= 1u << i;
      rate->value[i] = numbers[i];
    }
}

static inline struct guard_rate_advice learn(enum guard_rate_family f,
                                             bool refills, int64_t limit,
                                             int64_t left, int64_t reset_ms,
                                             int64_t now_ms)
{
  struct guard_rates r = {0};
  const int64_t numbers[3] = {limit, left, reset_ms};
  told(&r, f, refills, numbers);
  return guard_pace_learn(&pace, &pacing, &r, &request.cost, now_ms);
}

static inline int held(int64_t now_ms)
{
  return guard_lanes_held(&pace.lanes, now_ms);
}

#define TEST(name) cmocka_unit_test_setup(name, fresh)

#endif
