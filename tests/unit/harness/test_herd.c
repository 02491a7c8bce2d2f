#include "tests/unit/unit.h"

#include "harness/herd.h"

#include "tests/unit/harness/literal.h"

static void the_most_within_a_window_are_counted(void **state)
{
  static const struct {
    const char *id;
    int64_t at[6];
    size_t n;
    int64_t window;
    size_t peak;
  } rows[] = {{"none", {0}, 0, 10, 0},
              {"one", {5}, 1, 0, 1},
              {"the ends count", {0, 10, 20}, 3, 10, 2},
              {"in any order", {30, 0, 31, 1, 2, 29}, 6, 2, 3},
              {"all", {3, 1, 2}, 3, 100, 3}};
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    int64_t at[6];
    memcpy(at, rows[i].at, sizeof at);
    size_t peak = herd_peak(at, rows[i].n, rows[i].window);
    if (peak != rows[i].peak)
      fail_msg("%s: %zu", rows[i].id, peak);
  }
}

static void the_chance_is_the_binomial_tail_n_times(void **state)
{
  static const struct {
    const char *why;
    size_t n, peak;
    double share, p;
  } rows[] = {
      {"all five: 5 * 0.1^4", 5, 5, 0.1, 5e-4},
      {"four of four: 4 * 0.1^3", 4, 4, 0.1, 4e-3},
      {"all eight: 8 * 0.1^7", 8, 8, 0.1, 8e-7},
      {"seven of eight: 8 * (7 * 0.1^6 * 0.9 + 0.1^7)", 8, 7, 0.1, 5.12e-5},
      {"two of two: 2 * 0.1", 2, 2, 0.1, 0.2},
      {"one is always there", 8, 1, 0.1, 1},
      {"no more than certain", 60, 2, 0.1, 1},
      {"nobody", 0, 0, 0.1, 1}};
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    double p = herd_chance(rows[i].n, rows[i].peak, rows[i].share);
    if (p < rows[i].p * 0.999 || p > rows[i].p * 1.001)
      fail_msg("%s: %g", rows[i].why, p);
  }
}

/* The same numbers every time: a fixed start of a linear generator (Knuth's
 * MMIX constants). */
static double next_share(uint64_t *state)
{
  *state =
      *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(*state >> 11) / 9007199254740992.0;
}

static size_t count_in_step(size_t runs, size_t n, double from_ms,
                            double range_ms)
{
  uint64_t seed = 1;
  size_t found = 0;
  for (size_t run = 0; run < runs; run++) {
    double waits[64];
    struct herd_lockstep l;
    for (size_t i = 0; i < n; i++)
      waits[i] = from_ms + range_ms * next_share(&seed);
    herd_lockstep(&l, waits, n);
    found += l.step == HERD_IN_STEP;
  }
  return found;
}

static void jitter_is_called_lockstep_once_in_a_thousand_at_most(void **state)
{
  (void)state;
  /* full, equal and a quarter of jitter, 4000 runs each: 4 are expected at
   * most; 12 are a matter of 1 in 1000 then */
  assert_in_range(count_in_step(4000, 8, 0, 2000), 0, 12);
  assert_in_range(count_in_step(4000, 8, 1000, 1000), 0, 12);
  assert_in_range(count_in_step(4000, 20, 1000, 1000), 0, 12);
  assert_in_range(count_in_step(4000, 5, 1000, 1000), 0, 12);
}

static void equal_waits_are_lockstep_whatever_the_scheduler_adds(void **state)
{
  (void)state;
  assert_int_equal(count_in_step(1000, 5, 2000, 60), 1000);
  assert_int_equal(count_in_step(1000, 16, 1000, 40), 1000);
  assert_int_equal(count_in_step(1000, 8, 0, 15), 1000); /* at once */
}

static void four_waits_tell_nothing(void **state)
{
  double waits[4] = {1000, 1000, 1000, 1000};
  struct herd_lockstep l;
  (void)state;
  herd_lockstep(&l, waits, 4);
  assert_int_equal(l.step, HERD_UNKNOWN);
}

static void literal_herd(struct herd *ret, const struct att *a)
{
  struct literal l;
  struct diag diag = {0};
  static const struct sta ran[] = {{RAN(0, 30)}, {.exit_s = 0}};
  assert_int_equal(
      literal_init(&l, "[]", "{}", "{\"check\":\"body_same\"}", NULL, &diag),
      0);
  literal_fill(&l, a, ran);
  herd_measure(ret, &l.e, NULL);
  literal_release(&l);
}

#define LIMITED(at, name)                                                      \
  {                                                                            \
    CALL(at, (at) + 0.1, 429), .faulty = true, .retry_after = "2",             \
                               .lane = name, .body = 1                         \
  }
#define ANSWERED(at, name)                                                     \
  {                                                                            \
    CALL(at, (at) + 0.1, 200), .lane = name, .body = 1                         \
  }

static void two_lanes_are_measured_together_and_apart(void **state)
{
  static const struct att a[] = {LIMITED(0, "a"),    LIMITED(0, "b"),
                                 LIMITED(1, "a"),    ANSWERED(2.1, "b"),
                                 ANSWERED(3.2, "a"), {.end_s = 0}};
  struct herd h;
  (void)state;
  literal_herd(&h, a);
  assert_int_equal(h.lanes, 2);
  assert_int_equal(h.attempts, 5);
  assert_int_equal(h.calls, 2);
  assert_int_equal(h.completed, 2);
  assert_int_equal(h.waste, 1); /* a came after 0.9 of 2 seconds */
  assert_int_equal(h.peak, 2);
  assert_int_equal(h.peak_repeats, 1);
  assert_int_equal(h.first_repeats, 2);
  assert_true(h.spread_s > 1.099 && h.spread_s < 1.101);
  assert_false(h.told);
  assert_true(herd_amplification(&h) > 2.49 && herd_amplification(&h) < 2.51);
}

static void a_call_answered_twice_is_completed_once(void **state)
{
  static const struct att a[] = {{CALL(0, 0.1, 200), .key = "k", .body = 1},
                                 {CALL(1, 1.1, 200), .key = "k", .body = 1},
                                 {CALL(2, 2.1, 200), .key = "l", .body = 1},
                                 {.end_s = 0}};
  struct herd h;
  (void)state;
  literal_herd(&h, a);
  assert_int_equal(h.calls, 2);
  assert_int_equal(h.completed, 2);
  assert_int_equal(h.attempts, 3);
  assert_true(h.told);
}

static void nothing_measured_is_nothing(void **state)
{
  static const struct att none[] = {{.end_s = 0}};
  struct herd h;
  (void)state;
  literal_herd(&h, none);
  assert_int_equal(h.attempts, 0);
  assert_int_equal(h.peak, 0);
  assert_int_equal(h.lockstep.step, HERD_UNKNOWN);
  assert_true(herd_amplification(&h) <= 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_most_within_a_window_are_counted),
      cmocka_unit_test(the_chance_is_the_binomial_tail_n_times),
      cmocka_unit_test(jitter_is_called_lockstep_once_in_a_thousand_at_most),
      cmocka_unit_test(equal_waits_are_lockstep_whatever_the_scheduler_adds),
      cmocka_unit_test(four_waits_tell_nothing),
      cmocka_unit_test(two_lanes_are_measured_together_and_apart),
      cmocka_unit_test(a_call_answered_twice_is_completed_once),
      cmocka_unit_test(nothing_measured_is_nothing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
