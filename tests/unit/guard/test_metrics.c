/* test_metrics.c - the one line, at zero too, byte for byte. */
#include "guard/metrics.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

static void the_line_begins_exactly_so_at_zero(void **state)
{
  (void)state;
  const struct guard_metrics m = {0};
  char line[GUARD_METRICS_LINE];
  static const char want[] =
      "rate_limit metrics label=analysis-pipeline state=closed hits=0 "
      "rejected=0 opened=0 backoff_total=0.0s";
  guard_metrics_line(&m, "analysis-pipeline", GUARD_BREAKER_CLOSED, line,
                     sizeof line);
  line[strlen(want)] = line[strlen(want)] == ' ' ? '\0' : '?';
  assert_string_equal(line, want);
}

static void every_counter_is_in_the_line(void **state)
{
  (void)state;
  const struct guard_metrics m = {.hits = 1,
                                  .rejected = 2,
                                  .opened = 3,
                                  .backoff_total_ms = 12349,
                                  .calls = 5,
                                  .attempts = 6,
                                  .retries = 7,
                                  .timeouts = 8,
                                  .done = 9,
                                  .degraded = 10,
                                  .failed = 11,
                                  .retried = 4,
                                  .recovered = 3,
                                  .overruns = 12,
                                  .paced = 14,
                                  .paced_total_ms = 15,
                                  .throttled = 16,
                                  .most_retries = 13,
                                  .longest_ms = 1001,
                                  .durations = {[0] = 90, [72] = 10}};
  char line[GUARD_METRICS_LINE];
  guard_metrics_line(&m, "x", GUARD_BREAKER_HALF_OPEN, line, sizeof line);
  assert_string_equal(
      line, "rate_limit metrics label=x state=half-open hits=1 rejected=2 "
            "opened=3 backoff_total=12.3s calls=5 attempts=6 retries=7 "
            "timeouts=8 done=9 degraded=10 failed=11 limit_rate=0.167 "
            "retried=4 recovered=3 recovery_rate=0.750 p95=1.001s p99=1.001s "
            "overruns=12 retries_mean=1.400 retries_max=13 paced=14 "
            "paced_total=0.015s throttled=16");
}

static void tenths_are_rounded_to_the_nearest(void **state)
{
  (void)state;
  static const struct {
    int64_t ms;
    const char *want;
  } t[] = {{49, "=0.0s"},
           {50, "=0.1s"},
           {999, "=1.0s"},
           {INT64_MAX, "=9223372036854775.8s"}};
  for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
    const struct guard_metrics m = {.backoff_total_ms = t[i].ms};
    char line[GUARD_METRICS_LINE];
    guard_metrics_line(&m, "x", GUARD_BREAKER_OPEN, line, sizeof line);
    if (!strstr(line, t[i].want))
      fail_msg("%s is not in: %s", t[i].want, line);
  }
}

static void nothing_is_divided_by_zero(void **state)
{
  (void)state;
  const struct guard_metrics m = {0};
  char line[GUARD_METRICS_LINE];
  guard_metrics_line(&m, "x", GUARD_BREAKER_CLOSED, line, sizeof line);
  assert_non_null(strstr(line,
                         " limit_rate=0.000 retried=0 recovered=0 "
                         "recovery_rate=0.000 p95=0.000s p99=0.000s overruns=0 "
                         "retries_mean=0.000 retries_max=0"));
}

static void the_longest_line_fits(void **state)
{
  (void)state;
  struct guard_metrics m;
  char label[101], line[GUARD_METRICS_LINE];
  memset(label, 'x', 100);
  label[100] = '\0';
  for (int64_t *n = (int64_t *)&m; n < (int64_t *)(&m + 1); n++)
    *n = INT64_MAX / 1000;
  guard_metrics_line(&m, label, GUARD_BREAKER_HALF_OPEN, line, sizeof line);
  assert_true(strlen(line) < sizeof line - 1);
  for (int64_t *n = (int64_t *)&m; n < (int64_t *)(&m + 1); n++)
    *n = INT64_MIN / 1000;
  guard_metrics_line(&m, label, GUARD_BREAKER_HALF_OPEN, line, sizeof line);
  assert_true(strlen(line) < sizeof line - 1);
}

static void sums_cover_every_counter(void **state)
{
  (void)state;
  struct guard_metrics one, m;
  int64_t *n = (int64_t *)&m;
  for (int64_t *p = (int64_t *)&one; p < (int64_t *)(&one + 1); p++)
    *p = 1;
  m = one;
  guard_metrics_add(&m, &one);
  assert_int_equal(m.most_retries, 1); /* the most of both, no sum */
  assert_int_equal(m.longest_ms, 1);
  m.most_retries = m.longest_ms = 2;
  for (; n < (int64_t *)(&m + 1); n++)
    if (*n != 2)
      fail_msg("counter %td is %lld", n - (int64_t *)&m, (long long)*n);
}

static void end(struct guard_metrics *m, int64_t duration_ms)
{
  guard_metrics_ended(m, &(struct guard_ended){.duration_ms = duration_ms});
}

static void the_end_of_a_call_counts_what_it_tells(void **state)
{
  (void)state;
  static const struct {
    const char *id;
    struct guard_ended ended;
    int64_t retried, recovered, overruns, most;
  } t[] = {{"plain", {5, 0, true, false}, 0, 0, 0, 0},
           {"recovered", {5, 2, true, false}, 1, 1, 0, 2},
           {"given up", {5, 3, false, false}, 2, 1, 0, 3},
           {"overrun", {5, 1, false, true}, 3, 1, 1, 3},
           {"late success", {5, 0, true, true}, 3, 1, 2, 3}};
  struct guard_metrics m = {0};
  for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
    guard_metrics_ended(&m, &t[i].ended);
    if (m.retried != t[i].retried || m.recovered != t[i].recovered ||
        m.overruns != t[i].overruns || m.most_retries != t[i].most)
      fail_msg("%s", t[i].id);
  }
  assert_int_equal(m.duration_sum_ms, 25);
  end(&m, INT64_MAX);
  assert_int_equal(m.duration_sum_ms, INT64_MAX);
}

/* Where the last bucket begins: seven eighths between two powers of two. */
#define LAST_MS (INT64_C(15) << 22)

static void a_quantile_is_within_an_eighth_and_never_below(void **state)
{
  (void)state;
  static const int64_t around[] = {
      0, 7, 8, 9, 100, 1000, 65535, 65536, INT64_C(1) << 25, LAST_MS - 300};
  for (size_t i = 0; i < sizeof around / sizeof *around; i++)
    for (int64_t ms = around[i]; ms < around[i] + 300; ms++) {
      struct guard_metrics m = {0};
      end(&m, ms);
      end(&m, INT64_C(1) << 40); /* so that the longest one says nothing */
      int64_t q = guard_metrics_quantile_ms(&m, 500);
      if (q < ms || (q - ms) * 8 > ms)
        fail_msg("%lld ms became %lld", (long long)ms, (long long)q);
    }
}

static void quantiles_are_those_of_the_nearest_rank(void **state)
{
  (void)state;
  struct guard_metrics m = {0};
  assert_int_equal(guard_metrics_quantile_ms(&m, 990), 0);
  for (int64_t ms = 1; ms <= 7; ms++)
    end(&m, ms);
  assert_int_equal(guard_metrics_quantile_ms(&m, 500), 4);
  assert_int_equal(guard_metrics_quantile_ms(&m, 950), 7);
  assert_int_equal(guard_metrics_quantile_ms(&m, 0), 0);
  /* never above the longest call that was seen */
  end(&m, 1000);
  assert_int_equal(guard_metrics_quantile_ms(&m, 990), 1000);
  end(&m, INT64_C(1) << 50);
  assert_int_equal(guard_metrics_quantile_ms(&m, 990), INT64_C(1) << 50);
  end(&m, -5);
  assert_int_equal(m.durations[0], 1);
}

static void powers_of_two_are_counted_exactly(void **state)
{
  (void)state;
  struct guard_metrics m = {0};
  for (int k = 3; k <= 25; k++) {
    end(&m, (INT64_C(1) << k) - 1);
    end(&m, INT64_C(1) << k);
  }
  for (int k = 3; k <= 25; k++)
    assert_int_equal(guard_metrics_within(&m, k), 2 * (k - 3) + 1);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_line_begins_exactly_so_at_zero),
      cmocka_unit_test(every_counter_is_in_the_line),
      cmocka_unit_test(tenths_are_rounded_to_the_nearest),
      cmocka_unit_test(nothing_is_divided_by_zero),
      cmocka_unit_test(the_longest_line_fits),
      cmocka_unit_test(sums_cover_every_counter),
      cmocka_unit_test(the_end_of_a_call_counts_what_it_tells),
      cmocka_unit_test(a_quantile_is_within_an_eighth_and_never_below),
      cmocka_unit_test(quantiles_are_those_of_the_nearest_rank),
      cmocka_unit_test(powers_of_two_are_counted_exactly),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
