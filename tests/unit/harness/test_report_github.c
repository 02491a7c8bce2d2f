/* The two texts that GitHub Actions reads: annotations and step summary. */
#include "tests/unit/harness/results.h"

static void an_annotation_has_its_file_line_and_title(void **state)
{
  (void)state;
  struct buf out;
  print_one("github",
            result_of("{\"name\":\"stream/cut\",\"file\":\"a,b:c.json\","
                      "\"verdict\":\"fail\",\"kind\":\"assert\","
                      "\"checks\":[{\"check\":\"gap\",\"verdict\":\"fail\","
                      "\"text\":\"100 % wrong: a, b\\r\\nc\","
                      "\"expected\":\"2\",\"actual\":\"1\",\"line\":17},"
                      "{\"check\":\"rate\",\"verdict\":\"warn\","
                      "\"text\":\"w\"}]}"),
            &out);
  assert_string_equal(
      buf_str(&out),
      "::error file=a%2Cb%3Ac.json,line=17,title=stream/cut%3A gap::"
      "100 %25 wrong: a, b%0D%0Ac%0Aexpected 2%0Aactual 1\n"
      "::warning file=a%2Cb%3Ac.json,line=1,title=stream/cut%3A rate::w\n"
      "::notice title=faultwire::0 of 1 scenarios passed\n");
  buf_release(&out);
}

static void what_has_no_check_has_an_annotation(void **state)
{
  (void)state;
  static const struct {
    const char *id, *json, *want;
  } rows[] = {
      {"inconclusive", unwired_json,
       "::error title=auth/401%3A inconclusive::not wired: no request "
       "arrived\n"},
      {"hang",
       "{\"name\":\"a\",\"verdict\":\"fail\",\"kind\":\"hang\","
       "\"reason\":\"r\"}",
       "::error title=a%3A hang::r\n"},
      {"pass", passed_json, "::notice title=faultwire::1 of 1"},
      {"skip", skipped_json, "::notice title=faultwire::0 of 1"},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct buf out;
    print_one("github", result_of(rows[i].json), &out);
    if (strncmp(buf_str(&out), rows[i].want, strlen(rows[i].want)) != 0)
      fail_msg("%s: %s", rows[i].id, buf_str(&out));
    buf_release(&out);
  }
}

/* Each line must be a command of ours: none begins inside of a text. */
static void no_text_can_give_a_command(void **state)
{
  (void)state;
  static const char *const more[] = {"\n::stop-commands::x", "\r::error::y",
                                     "a::b,title=z::c"};
  for (size_t i = 0; i < COUNT(hostile) + COUNT(more); i++) {
    const char *text =
        i < COUNT(hostile) ? hostile[i].text : more[i - COUNT(hostile)];
    struct buf out;
    size_t lines = 0;
    print_one("github", result_with("fail", text), &out);
    assert_null(strchr(buf_str(&out), '\r'));
    for (const char *p = buf_str(&out); *p; p = strchr(p, '\n') + 1, lines++)
      if (strncmp(p, "::error ", 8) != 0 && strncmp(p, "::notice ", 9) != 0)
        fail_msg("a line of its own: %s", p);
    assert_int_equal(lines, 2);
    buf_release(&out);
  }
}

static void a_summary_counts_and_lists_what_did_not_pass(void **state)
{
  (void)state;
  struct result r[] = {result_of(passed_json), result_of(warned_json),
                       result_of(unwired_json), result_of(failed_json)};
  struct buf out;
  print_results("summary", r, COUNT(r), NULL, &out);
  assert_contains(&out, "### faultwire: 1 of 4 scenarios passed\n");
  assert_contains(&out, "| 1 | 1 | 1 | 0 | 1 | 1.5 s |\n");
  const char *fail = strstr(buf_str(&out), "| fail | anthropic/rate-limit/");
  const char *open = strstr(buf_str(&out), "| inconclusive | auth/401 |");
  const char *warn = strstr(buf_str(&out), "| warn | stream/cut |");
  assert_true(fail && open && warn && fail < open && open < warn);
  assert_contains(&out, "<details><summary>fail: anthropic/rate-limit/");
  assert_contains(&out, "    actual     412 ms\n");
  assert_null(strstr(buf_str(&out), "baseline/plain"));
  buf_release(&out);
  for (size_t i = 0; i < COUNT(r); i++)
    result_release(&r[i]);
}

/* A row has three columns, and no tag but ours is in the text. */
static void no_text_can_break_the_table(void **state)
{
  (void)state;
  static const char *const more[] = {"a|b\\|c\\\\|d", "[x](y) ![z](w) `q`",
                                     "@all <b> www.example.com"};
  for (size_t i = 0; i < COUNT(hostile) + COUNT(more); i++) {
    const char *text =
        i < COUNT(hostile) ? hostile[i].text : more[i - COUNT(hostile)];
    struct buf out;
    print_one("summary", result_with("fail", text), &out);
    const char *row = strstr(buf_str(&out), "\n| fail | ") + 1;
    const char *end = strchr(row, '\n');
    int bars = 0;
    for (const char *p = row; p < end; p++) {
      bars += *p == '|';
      if (strchr("\\`*_[]<>!@", *p) && strncmp(p, "\\x", 2) != 0)
        fail_msg("markup in the row: %.*s", (int)(end - row), row);
    }
    assert_int_equal(bars, 4);
    int tags = 0;
    for (const char *p = end; *p; p++)
      tags += *p == '<';
    assert_int_equal(tags, 6); /* details, summary and pre, twice each */
    buf_release(&out);
  }
}

static void a_summary_ends_before_the_limit(void **state)
{
  (void)state;
  enum { N = 400 };
  static struct result r[N];
  char *text = long_text(4000);
  for (size_t i = 0; i < N; i++)
    r[i] = result_with("fail", text);
  struct buf out;
  print_results("summary", r, N, NULL, &out);
  if (out.n >= (size_t)1 << 20) /* GitHub's limit of one step */
    fail_msg("%zu bytes", out.n);
  assert_contains(&out, "more did not pass; the other reports have them");
  assert_contains(&out, "more are in the other reports");
  buf_release(&out);
  for (size_t i = 0; i < N; i++)
    result_release(&r[i]);
  free(text);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_annotation_has_its_file_line_and_title),
      cmocka_unit_test(what_has_no_check_has_an_annotation),
      cmocka_unit_test(no_text_can_give_a_command),
      cmocka_unit_test(a_summary_counts_and_lists_what_did_not_pass),
      cmocka_unit_test(no_text_can_break_the_table),
      cmocka_unit_test(a_summary_ends_before_the_limit),
  };
  return cmocka_run_group_tests_name("report_github", tests, NULL, NULL);
}
