#include "tests/unit/harness/results.h"

static void the_plan_comes_first_and_each_result_is_a_point(void **state)
{
  (void)state;
  struct result r[] = {result_of(passed_json), result_of(failed_json),
                       result_of(skipped_json), result_of(warned_json),
                       result_of(unwired_json)};
  struct buf out;
  print_results("tap", r, COUNT(r), NULL, &out);
  assert_int_equal(strncmp(buf_str(&out), "TAP version 14\n1..5\nok 1 - ", 27),
                   0);
  assert_contains(&out, "\nnot ok 2 - anthropic/rate-limit/429-then-reco");
  assert_contains(&out,
                  "\nok 3 - breaker/opens # SKIP the policy has no breaker\n");
  assert_contains(&out, "\nok 4 - stream/cut\n  ---\n");
  assert_contains(&out, "\nnot ok 5 - auth/401\n  ---\n");
  for (size_t i = 0; i < COUNT(r); i++)
    result_release(&r[i]);
  buf_release(&out);
}

static void a_failure_carries_its_details_as_yaml(void **state)
{
  (void)state;
  struct buf out;
  print_one("tap", result_of(failed_json), &out);
  assert_contains(&out, "  verdict: \"fail\"\n  kind: \"assert\"\n");
  assert_contains(&out, "    - check: \"gap\"\n      verdict: \"fail\"\n");
  assert_contains(&out, "      actual: \"412 ms\"\n");
  assert_contains(&out, "(steps[0].retry_after = \\\"2\\\", policy.slack");
  assert_contains(&out, "  transcript:\n    - \"#1  0.012 s");
  assert_contains(&out, "  again: \"faultwire test harness");
  buf_release(&out);
}

static void a_run_without_scenarios_has_an_empty_plan(void **state)
{
  (void)state;
  struct buf out;
  print_results("tap", NULL, 0, NULL, &out);
  assert_string_equal(buf_str(&out),
                      "TAP version 14\n1..0 # SKIP no scenario was run\n");
  buf_release(&out);
}

/* After KEY: exactly one double-quoted YAML text, to the end of the line. */
static bool good_scalar(const char *p, const char *end)
{
  if (p == end || *p++ != '"')
    return false;
  while (p < end && *p != '"') {
    if ((unsigned char)*p < 0x20)
      return false;
    if (*p++ != '\\')
      continue;
    if (p == end || !strchr("\"\\u", *p))
      return false;
    p++;
  }
  return p + 1 == end;
}

/* A line of the block: indentation, dashes, a bare key, a quoted text. */
static bool good_line(const char *line, const char *end)
{
  const char *quote = memchr(line, '"', (size_t)(end - line));
  if (!quote)
    return strspn(line, " :-.abcdefghijklmnopqrstuvwxyz") ==
           (size_t)(end - line);
  return strspn(line, " :-abcdefghijklmnopqrstuvwxyz") ==
             (size_t)(quote - line) &&
         good_scalar(quote, end);
}

static void check_document(const char *id, const char *text)
{
  const char *p = text;
  int points = 0;
  for (int n = 0; *p; n++) {
    const char *end = strchr(p, '\n');
    if (!end)
      fail_msg("%s: the last line has no end", id);
    bool point =
        strncmp(p, "ok 1 - ", 7) == 0 || strncmp(p, "not ok 1 - ", 11) == 0;
    points += point;
    if (n > 1 && !point && !good_line(p, end))
      fail_msg("%s: bad line: %.*s", id, (int)(end - p), p);
    p = end + 1;
  }
  if (points != 1)
    fail_msg("%s: %d test points", id, points);
}

static void no_text_can_break_the_document(void **state)
{
  (void)state;
  static const char *const verdicts[] = {"pass", "warn", "skip", "inconclusive",
                                         "fail"};
  for (size_t i = 0; i < COUNT(hostile); i++)
    for (size_t v = 0; v < COUNT(verdicts); v++) {
      struct buf out;
      print_one("tap", result_with(verdicts[v], hostile[i].text), &out);
      check_document(hostile[i].id, buf_str(&out));
      buf_release(&out);
    }
  char *text = long_text(300000);
  struct buf out;
  print_one("tap", result_with("fail", text), &out);
  check_document("very long", buf_str(&out));
  buf_release(&out);
  free(text);
}

static void a_name_cannot_make_a_directive(void **state)
{
  (void)state;
  struct buf out;
  print_one("tap", result_with("fail", "x # SKIP it"), &out);
  assert_contains(&out, "not ok 1 - x \\# SKIP it\n");
  buf_release(&out);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_plan_comes_first_and_each_result_is_a_point),
      cmocka_unit_test(a_failure_carries_its_details_as_yaml),
      cmocka_unit_test(a_run_without_scenarios_has_an_empty_plan),
      cmocka_unit_test(no_text_can_break_the_document),
      cmocka_unit_test(a_name_cannot_make_a_directive),
  };
  return cmocka_run_group_tests_name("report_tap", tests, NULL, NULL);
}
