#include "mockserver/engine_late.h"
#include "tests/unit/unit.h"

static void nothing_added_is_zero(void **state)
{
  struct late l;
  (void)state;
  late_clear(&l);
  assert_int_equal(late_percentile(&l, 50), 0);
  assert_int_equal(late_percentile(&l, 99), 0);
}

static void a_percentile_is_at_most_a_sixteenth_above(void **state)
{
  static const struct {
    const char *id;
    int64_t ns;
  } rows[] = {{"zero", 0},
              {"one bucket each", 15},
              {"the first octave", 16},
              {"its end", 31},
              {"the second octave", 33},
              {"a microsecond", 1000},
              {"a second", INT64_C(1000000000)},
              {"a century", INT64_C(3155760000000000000)},
              {"the largest", INT64_MAX}};
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct late l;
    late_clear(&l);
    late_add(&l, rows[i].ns);
    late_add(&l, INT64_MAX); /* the cut at the maximum hides nothing */
    int64_t p = late_percentile(&l, 50);
    if (p < rows[i].ns || p - rows[i].ns > rows[i].ns / 16)
      fail_msg("%s: %lld", rows[i].id, (long long)p);
    assert_int_equal(l.max_ns, INT64_MAX);
  }
}

static void percentiles_count_from_the_smallest(void **state)
{
  struct late l;
  (void)state;
  late_clear(&l);
  for (int64_t ns = 10; ns >= 1; ns--)
    late_add(&l, ns);
  assert_int_equal(late_percentile(&l, 0), 1);
  assert_int_equal(late_percentile(&l, 10), 1);
  assert_int_equal(late_percentile(&l, 11), 2);
  assert_int_equal(late_percentile(&l, 50), 5);
  assert_int_equal(late_percentile(&l, 99), 10);
  assert_int_equal(late_percentile(&l, 100), 10);
}

static void no_percentile_is_above_the_maximum(void **state)
{
  struct late l;
  (void)state;
  late_clear(&l);
  for (int i = 0; i < 1000; i++)
    late_add(&l, 1000001);
  assert_int_equal(late_percentile(&l, 50), 1000001);
}

static void before_its_time_counts_as_on_time(void **state)
{
  struct late l;
  (void)state;
  late_clear(&l);
  late_add(&l, -5);
  assert_int_equal(l.n, 1);
  assert_int_equal(late_percentile(&l, 100), 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nothing_added_is_zero),
      cmocka_unit_test(a_percentile_is_at_most_a_sixteenth_above),
      cmocka_unit_test(percentiles_count_from_the_smallest),
      cmocka_unit_test(no_percentile_is_above_the_maximum),
      cmocka_unit_test(before_its_time_counts_as_on_time)};
  return cmocka_run_group_tests_name("engine_late", tests, NULL, NULL);
}
