#include "harness/report/text.h"
#include "tests/unit/harness/results.h"

static void a_failure_reads_as_documented(void **state)
{
  (void)state;
  static const char want[] =
      "not ok 4 - anthropic/rate-limit/429-then-recovers\n"
      "  gap: attempt 2 must start 2000 ms or more after answer 1 ended\n"
      "    expected  2000..6000 ms   (steps[0].retry_after = \"2\", "
      "policy.slack = 4 s)\n"
      "    actual     412 ms\n"
      "  transcript\n"
      "    #1  0.012 s  POST /v1/messages  -> 429 rate_limit_error, "
      "retry-after: 2\n"
      "    #2  0.424 s  POST /v1/messages  -> 200 message, stream, "
      "message_stop sent\n"
      "    exit 0 after 0.51 s\n"
      "  again: faultwire test "
      "harness/scenarios/rate-limit/429-then-recovers.json -- ./my-client\n";
  struct result r = result_of(failed_json);
  struct buf out;
  buf_init(&out, OUT_MAX);
  text_result(&r, 4, false, &out);
  assert_string_equal(buf_str(&out), want);
  buf_release(&out);
  result_release(&r);
}

static void each_verdict_has_its_line(void **state)
{
  (void)state;
  static const struct {
    const char *id, *json, *want;
  } rows[] = {
      {"pass", passed_json, "ok 1 - baseline/plain\n1 passed, 0 failed"},
      {"skip", skipped_json,
       "ok 1 - breaker/opens # skip: the policy has no breaker\n0 passed"},
      {"warn", warned_json,
       "ok 1 - stream/cut # warn\n"
       "  body_same, warn: bodies differ\n"
       "    actual    2\n0 passed"},
      {"inconclusive", unwired_json,
       "not ok 1 - auth/401 # inconclusive\n"
       "  no-contact: not wired: no request arrived\n"
       "  transcript\n    exit 7 after 0.02 s\n0 passed, 0 failed, 1 inc"},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct buf out;
    print_one("text", result_of(rows[i].json), &out);
    if (strncmp(buf_str(&out), rows[i].want, strlen(rows[i].want)) != 0)
      fail_msg("%s printed:\n%s", rows[i].id, buf_str(&out));
    buf_release(&out);
  }
}

/* As a client makes them that never waits. */
static char *many_calls(int n)
{
  struct buf b;
  buf_init(&b, 1 << 20);
  buf_adds(&b, "{\"name\":\"a/b\",\"verdict\":\"fail\",\"kind\":\"assert\","
               "\"transcript\":[");
  for (int i = 1; i <= n; i++)
    buf_addf(&b, "%s\"call %d\"", i > 1 ? "," : "", i);
  buf_adds(&b, "]}");
  return buf_detach(&b);
}

static void thousands_of_calls_are_folded(void **state)
{
  static const char *const kinds[] = {"text", "junit", "tap"};
  (void)state;
  for (size_t i = 0; i < COUNT(kinds); i++)
    for (int n = 60; n <= 5000; n += 4940) {
      struct buf out;
      char *json = many_calls(n);
      print_one(kinds[i], result_of(json), &out);
      bool folded = strstr(buf_str(&out), "... 4960 lines more, in the JSON");
      if (folded != (n == 5000) || !strstr(buf_str(&out), "call 30") ||
          !strstr(buf_str(&out), n == 60 ? "call 31" : "call 4991") ||
          (n == 5000 && strstr(buf_str(&out), "call 31\n")))
        fail_msg("%s, %d: %s", kinds[i], n, buf_str(&out));
      buf_release(&out);
      free(json);
    }
}

#define STARTS(verdict, list)                                                  \
  "{\"name\":\"a/b\",\"verdict\":\"" verdict "\",\"kind\":\"assert\","         \
  "\"starts\":[" list "]}"
#define ENDED(code, err) "{\"exit_code\":" code ",\"signal\":0," err "}"

static void the_last_words_of_a_client_that_ended_badly_are_told(void **state)
{
  static const char *const kinds[] = {"text", "junit", "tap"};
  static const struct {
    const char *id, *json, *says; /* NULL: nothing */
  } rows[] = {
      {"last line",
       STARTS("fail", ENDED("1", "\"stderr\":\"a\\nKey: b\\n\\n\"")), "Key: b"},
      {"a long one",
       STARTS("fail", ENDED("1", "\"stderr\":\"a\\n\","
                                 "\"stderr_end\":\"x\\nKey: b\"")),
       "Key: b"},
      {"the second start",
       STARTS("inconclusive", ENDED("0", "\"stderr\":\"fine\"") "," ENDED(
                                  "2", "\"stderr\":\"Key: b\"")),
       "Key: b"},
      {"nothing said", STARTS("fail", ENDED("1", "\"stderr\":\"\\n\"")), NULL},
      {"a good end", STARTS("fail", ENDED("0", "\"stderr\":\"Key: b\"")), NULL},
      {"a pass", STARTS("pass", ENDED("1", "\"stderr\":\"Key: b\"")), NULL},
  };
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++)
    for (size_t k = 0; k < COUNT(kinds); k++) {
      struct buf out;
      print_one(kinds[k], result_of(rows[i].json), &out);
      const char *at = strstr(buf_str(&out), "stderr: ");
      bool says = at && strstr(at, "Key: b") && !strstr(at, "fine");
      if ((rows[i].says != NULL) != (at != NULL) || (at && !says))
        fail_msg("%s, %s: %s", rows[i].id, kinds[k], buf_str(&out));
      buf_release(&out);
    }
}

static void the_last_line_counts_every_verdict(void **state)
{
  (void)state;
  static const struct {
    const char *json;
    size_t times;
  } kinds[] = {{passed_json, 2},
               {failed_json, 1},
               {unwired_json, 3},
               {skipped_json, 5},
               {warned_json, 4}};
  struct result r[15];
  size_t n = 0;
  for (size_t i = 0; i < COUNT(kinds); i++)
    for (size_t k = 0; k < kinds[i].times; k++)
      r[n++] = result_of(kinds[i].json);
  struct buf out;
  print_results("text", r, n, NULL, &out);
  assert_contains(&out, "\n2 passed, 1 failed, 3 inconclusive, 5 skipped, "
                        "4 warned in 1.5 s\n");
  while (n > 0)
    result_release(&r[--n]);
  buf_release(&out);
}

static void beside_a_failure_only_failures_and_warnings_are_told(void **state)
{
  (void)state;
  struct buf out;
  print_one("text",
            result_of("{\"name\":\"a/b\",\"verdict\":\"fail\","
                      "\"kind\":\"hang\",\"reason\":\"still running\","
                      "\"checks\":["
                      "{\"check\":\"c1\",\"verdict\":\"skip\"},"
                      "{\"check\":\"c2\",\"verdict\":\"inconclusive\"},"
                      "{\"check\":\"c3\",\"verdict\":\"warn\","
                      "\"text\":\"w\",\"lane\":\"one\"},"
                      "{\"check\":\"c4\",\"verdict\":\"fail\","
                      "\"text\":\"lane two: f\",\"lane\":\"two\"}]}"),
            &out);
  assert_int_equal(strncmp(buf_str(&out),
                           "not ok 1 - a/b\n"
                           "  hang: still running\n"
                           "  c3, lane one, warn: w\n"
                           "  c4: lane two: f\n0 passed",
                           78),
                   0);
  buf_release(&out);
}

static void colours_are_there_only_on_request(void **state)
{
  (void)state;
  struct result r = result_of(failed_json);
  struct buf out;
  buf_init(&out, OUT_MAX);
  text_result(&r, 1, false, &out);
  assert_null(strchr(buf_str(&out), '\033'));
  buf_reset(&out);
  text_result(&r, 1, true, &out);
  assert_int_equal(strncmp(buf_str(&out), "\033[31mnot ok 1", 13), 0);
  assert_contains(&out, "recovers\033[0m\n");
  buf_release(&out);
  result_release(&r);
}

static void no_text_can_drive_a_terminal_or_add_a_line(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(hostile); i++) {
    struct buf out;
    size_t lines = 0;
    print_one("text", result_with("fail", hostile[i].text), &out);
    for (size_t k = 0; k < out.n; k++) {
      unsigned char c = (unsigned char)out.p[k];
      lines += c == '\n';
      if ((c < 0x20 && c != '\n') || c == 0x7f)
        fail_msg("%s: byte 0x%02x came through", hostile[i].id, c);
    }
    /* head, check, expected, actual, transcript and its line, evidence,
     * again, summary; a text of no bytes prints less */
    if (lines != 9 && hostile[i].text[0])
      fail_msg("%s: %zu lines:\n%s", hostile[i].id, lines, buf_str(&out));
    for (struct bytes s = buf_bytes(&out); s.n > 0;) {
      size_t k = bytes_utf8_length(s);
      if (k == 0)
        fail_msg("%s: not UTF-8", hostile[i].id);
      s = (struct bytes){s.p + k, s.n - k};
    }
    buf_release(&out);
  }
}

static void a_long_text_is_cut_and_says_so(void **state)
{
  (void)state;
  char *text = long_text(100000);
  struct buf out;
  print_one("text", result_with("fail", text), &out);
  assert_contains(&out, " ... (95");
  assert_true(out.n < 60000);
  buf_release(&out);
  free(text);
}

static void broken_results_are_refused(void **state)
{
  (void)state;
  static const struct {
    const char *id, *json, *want;
  } rows[] = {
      {"no object", "[]", "must be an object"},
      {"no name", "{\"verdict\":\"pass\"}", "'name'"},
      {"name no text", "{\"name\":1,\"verdict\":\"pass\"}", "'name'"},
      {"no verdict", "{\"name\":\"x\"}", "verdict ''"},
      {"verdict", "{\"name\":\"x\",\"verdict\":\"good\"}", "'good'"},
      {"kind", "{\"name\":\"x\",\"verdict\":\"pass\",\"kind\":\"odd\"}",
       "'odd'"},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct diag diag = {0};
    struct result r;
    assert_int_equal(result_from_json(&r, cJSON_Parse(rows[i].json), &diag),
                     -1);
    if (!strstr(diag.text, rows[i].want))
      fail_msg("%s said '%s'", rows[i].id, diag.text);
  }
}

static void the_exit_code_follows_the_worst_verdict(void **state)
{
  (void)state;
  static const struct {
    const char *id, *json[3];
    int want;
  } rows[] = {
      {"nothing ran", {0}, 3},
      {"passes", {passed_json, passed_json}, 0},
      {"a skip and a warning", {skipped_json, warned_json}, 0},
      {"inconclusive", {passed_json, unwired_json}, 3},
      {"a failure beats inconclusive", {unwired_json, failed_json}, 1},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct result r[3];
    size_t n = 0;
    for (; rows[i].json[n]; n++)
      r[n] = result_of(rows[i].json[n]);
    struct run_report run = {.results = r, .n = n};
    if (run_exit_code(&run) != rows[i].want)
      fail_msg("%s gave %d", rows[i].id, run_exit_code(&run));
    while (n > 0)
      result_release(&r[--n]);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_failure_reads_as_documented),
      cmocka_unit_test(each_verdict_has_its_line),
      cmocka_unit_test(thousands_of_calls_are_folded),
      cmocka_unit_test(the_last_words_of_a_client_that_ended_badly_are_told),
      cmocka_unit_test(the_last_line_counts_every_verdict),
      cmocka_unit_test(beside_a_failure_only_failures_and_warnings_are_told),
      cmocka_unit_test(colours_are_there_only_on_request),
      cmocka_unit_test(no_text_can_drive_a_terminal_or_add_a_line),
      cmocka_unit_test(a_long_text_is_cut_and_says_so),
      cmocka_unit_test(broken_results_are_refused),
      cmocka_unit_test(the_exit_code_follows_the_worst_verdict),
  };
  return cmocka_run_group_tests_name("report_text", tests, NULL, NULL);
}
