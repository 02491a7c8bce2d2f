#include "tests/unit/unit.h"

#include "tests/contract/answer.h"

#include <string.h>

#define TOP                                                                    \
  "{\"name\":\"n\",\"why\":\"w\",\"provider\":\"anthropic\",\"steps\":["

static void expect_rule(struct bench *b, const char *lane, const char *rule,
                        const char *id)
{
  struct answer a;
  bench_call(b, "anthropic", lane, false, &a);
  if (strcmp(a.attempt.rule, rule) != 0)
    fail_msg("%s: wanted '%s', got '%s'", id, rule, a.attempt.rule);
  answer_release(&a);
}

static void a_step_takes_the_calls_of_its_numbers(void **state)
{
  (void)state;
  struct bench b;
  bench_open(&b, TOP "{\"reply\":\"message\",\"attempts\":\"2-3\"},"
                     "{\"fault\":\"overloaded\",\"attempts\":1},"
                     "{\"fault\":\"hang\",\"attempts\":\"5+\"},"
                     "{\"fault\":\"rate_limit\"}]}");
  static const char *const wanted[] = {"step 1", "step 0", "step 0",
                                       "step 3", "step 2", "step 2"};
  for (size_t i = 0; i < COUNT(wanted); i++)
    expect_rule(&b, "a", wanted[i], "lane a");
  expect_rule(&b, "b", "step 1", "numbers count in each lane");
  bench_close(&b);
}

static void times_narrows_the_calls_of_a_range(void **state)
{
  (void)state;
  struct bench b;
  bench_open(&b, TOP "{\"fault\":\"overloaded\",\"attempts\":\"1-3\","
                     "\"times\":2},{\"reply\":\"message\"}]}");
  expect_rule(&b, "", "step 0", "1");
  expect_rule(&b, "", "step 0", "2");
  expect_rule(&b, "", "step 1", "3");
  bench_close(&b);
}

static void a_window_counts_from_the_lanes_first_call(void **state)
{
  (void)state;
  struct bench b;
  bench_open(&b, TOP "{\"fault\":\"overloaded\",\"until_s\":2},"
                     "{\"fault\":\"rate_limit\",\"from_s\":2,\"until_s\":4.5},"
                     "{\"reply\":\"message\",\"from_s\":4.5}]}");
  clock_fake_advance(&b.clock, 100 * NS_PER_S);
  expect_rule(&b, "a", "step 0", "first");
  clock_fake_advance(&b.clock, 2 * NS_PER_S - 1);
  expect_rule(&b, "a", "step 0", "just before the end");
  clock_fake_advance(&b.clock, 1);
  expect_rule(&b, "a", "step 1", "the end is out, the start is in");
  expect_rule(&b, "b", "step 0", "another lane has its own time");
  clock_fake_advance(&b.clock, 5 * NS_PER_S / 2);
  expect_rule(&b, "a", "step 2", "4.5 s");
  bench_close(&b);
}

static void beyond_the_script_number_and_window_count_too(void **state)
{
  (void)state;
  struct bench b;
  bench_open(&b, TOP "{\"fault\":\"overloaded\"},"
                     "{\"fault\":\"rate_limit\",\"attempts\":2}]}");
  struct answer a;
  expect_rule(&b, "", "step 0", "1");
  expect_rule(&b, "", "step 1", "2");
  bench_call(&b, "anthropic", "", false, &a);
  assert_string_equal(a.attempt.what, "529 overloaded_error");
  answer_release(&a);
  bench_close(&b);
}

static void a_repeated_call_on_a_connection_can_be_matched(void **state)
{
  (void)state;
  struct bench b;
  bench_open(&b, TOP "{\"fault\":\"reset\",\"match\":{\"reused\":true},"
                     "\"times\":\"always\"},{\"reply\":\"message\","
                     "\"times\":\"always\"}]}");
  expect_rule(&b, "", "step 1", "the first on its connection");
  bench_close(&b);
}

static void wrong_keys_are_refused_with_their_place(void **state)
{
  (void)state;
  static const struct {
    const char *id, *step, *path, *says;
  } rows[] = {
      {"text", "\"attempts\":\"two\"", "$.steps[0].attempts",
       "must be a whole number, \"a-b\" or \"n+\""},
      {"fraction", "\"attempts\":1.5", "$.steps[0].attempts", "whole number"},
      {"backwards", "\"attempts\":\"4-2\"", "$.steps[0].attempts",
       "ends before it begins"},
      {"zero", "\"attempts\":0", "$.steps[0].attempts", "out of range"},
      {"star", "\"attempts\":\"*\"", "$.steps[0].attempts", "whole number"},
      {"window", "\"from_s\":5,\"until_s\":5", "$.steps[0].until_s",
       "is not behind from_s"},
      {"spelling", "\"untils\":5", "$.steps[0].untils",
       "did you mean 'until_s'"},
      {"no time", "\"barrier\":{\"requests\":2}", "$.steps[0].barrier",
       "'for_s' is missing"},
      {"one", "\"barrier\":{\"requests\":1,\"for_s\":1}",
       "$.steps[0].barrier.requests", "must be within 2"},
      {"across",
       "\"barrier\":{\"requests\":2,\"for_s\":1,\"across\":\"lane_s\"}",
       "$.steps[0].barrier.across", "did you mean"},
      {"rounds", "\"times\":3,\"barrier\":{\"requests\":2,\"for_s\":1}",
       "$.steps[0].times", "must be a multiple of barrier.requests (2)"}};
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct scenario s;
    struct diag d = {0};
    char *text = mem_format(TOP "{\"reply\":\"message\",%s}]}", rows[i].step);
    if (scenario_parse(&s, "t", bytes_of(text), &d) == 0)
      fail_msg("%s: taken", rows[i].id);
    if (strcmp(d.path, rows[i].path) != 0 || !strstr(d.text, rows[i].says))
      fail_msg("%s: %s: %s", rows[i].id, d.path, d.text);
    free(text);
  }
}

static void a_step_with_a_window_does_not_hide_the_next(void **state)
{
  (void)state;
  struct scenario s;
  struct diag d = {0};
  const char *text = TOP "{\"fault\":\"hang\",\"times\":\"always\","
                         "\"until_s\":3},{\"reply\":\"message\"}]}";
  assert_int_equal(scenario_parse(&s, "t", bytes_of(text), &d), 0);
  assert_true(s.steps[0].times == INT64_MAX);
  assert_int_equal(s.steps[1].times, 1);
  scenario_release(&s);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_step_takes_the_calls_of_its_numbers),
      cmocka_unit_test(times_narrows_the_calls_of_a_range),
      cmocka_unit_test(a_window_counts_from_the_lanes_first_call),
      cmocka_unit_test(beyond_the_script_number_and_window_count_too),
      cmocka_unit_test(a_repeated_call_on_a_connection_can_be_matched),
      cmocka_unit_test(wrong_keys_are_refused_with_their_place),
      cmocka_unit_test(a_step_with_a_window_does_not_hide_the_next)};
  return cmocka_run_group_tests_name("when", tests, NULL, NULL);
}
