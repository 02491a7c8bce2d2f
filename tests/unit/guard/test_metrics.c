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
                                  .failed = 11};
  char line[GUARD_METRICS_LINE];
  guard_metrics_line(&m, "x", GUARD_BREAKER_HALF_OPEN, line, sizeof line);
  assert_string_equal(
      line, "rate_limit metrics label=x state=half-open hits=1 rejected=2 "
            "opened=3 backoff_total=12.3s calls=5 attempts=6 retries=7 "
            "timeouts=8 done=9 degraded=10 failed=11");
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

static void sums_cover_every_counter(void **state)
{
  (void)state;
  const struct guard_metrics one = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  const struct guard_metrics two = {2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2};
  struct guard_metrics m = one;
  guard_metrics_add(&m, &one);
  assert_memory_equal(&m, &two, sizeof m);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_line_begins_exactly_so_at_zero),
      cmocka_unit_test(every_counter_is_in_the_line),
      cmocka_unit_test(tenths_are_rounded_to_the_nearest),
      cmocka_unit_test(sums_cover_every_counter),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
