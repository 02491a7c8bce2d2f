#include "tests/unit/unit.h"

#include "tests/contract/answer.h"

#include <string.h>

/* What the i-th call of a lane got: its transcript word and its rule. */
static void expect(struct bench *b, const char *lane, bool stream,
                   const char *what, const char *rule)
{
  struct answer a;
  bench_call(b, "anthropic", lane, stream, &a);
  if (strcmp(a.attempt.what, what) != 0 || strcmp(a.attempt.rule, rule) != 0)
    fail_msg("wanted '%s' by '%s', got '%s' by '%s'", what, rule,
             a.attempt.what, a.attempt.rule);
  answer_release(&a);
}

#define TOP "{\"name\":\"n\",\"why\":\"w\",\"provider\":\"anthropic\","
#define TWO_THEN_OK                                                            \
  TOP "\"steps\":[{\"fault\":\"rate_limit\",\"times\":2},"                     \
      "{\"reply\":\"message\"}]}"

static void steps_follow_each_other_and_the_last_repeats(void **state)
{
  struct bench b;
  (void)state;
  bench_open(&b, TWO_THEN_OK);
  expect(&b, "", false, "429 rate_limit_error", "step 0");
  expect(&b, "", false, "429 rate_limit_error", "step 0");
  expect(&b, "", false, "200 message", "step 1");
  expect(&b, "", false, "200 message", "after_script");
  assert_int_equal(server_step_uses(b.server, 0), 2);
  assert_int_equal(server_step_uses(b.server, 1), 2);
  bench_close(&b);
}

static void every_lane_walks_on_its_own(void **state)
{
  struct bench b;
  (void)state;
  bench_open(&b, TWO_THEN_OK);
  expect(&b, "a", false, "429 rate_limit_error", "step 0");
  expect(&b, "b", false, "429 rate_limit_error", "step 0");
  expect(&b, "a", false, "429 rate_limit_error", "step 0");
  expect(&b, "a", false, "200 message", "step 1");
  expect(&b, "b", false, "429 rate_limit_error", "step 0");
  assert_int_equal(server_step_uses(b.server, 0), 4);
  bench_close(&b);
}

static void rewind_starts_anew_in_every_lane(void **state)
{
  struct bench b;
  (void)state;
  bench_open(&b, TWO_THEN_OK);
  expect(&b, "a", false, "429 rate_limit_error", "step 0");
  expect(&b, "a", false, "429 rate_limit_error", "step 0");
  server_rewind(b.server);
  assert_int_equal(server_step_uses(b.server, 0), 0);
  expect(&b, "a", false, "429 rate_limit_error", "step 0");
  bench_close(&b);
}

static void a_step_of_another_lane_is_passed_over(void **state)
{
  struct bench b;
  (void)state;
  bench_open(&b, TOP "\"steps\":[{\"fault\":\"overloaded\",\"lane\":\"a\"},"
                     "{\"reply\":\"message\"}]}");
  expect(&b, "b", false, "200 message", "step 1");
  expect(&b, "a", false, "529 overloaded_error", "step 0");
  expect(&b, "a", false, "200 message", "step 1");
  bench_close(&b);
}

static void a_match_passes_over_and_keeps_the_step(void **state)
{
  struct bench b;
  (void)state;
  bench_open(&b, TOP "\"steps\":[{\"fault\":\"overloaded\",\"match\":"
                     "{\"stream\":true}},{\"reply\":\"message\","
                     "\"times\":\"always\"}]}");
  expect(&b, "", false, "200 message", "step 1");
  expect(&b, "", true, "529 overloaded_error", "step 0");
  expect(&b, "", true, "200 message", "step 1");
  bench_close(&b);
}

static const struct {
  const char *id, *match;
  bool fits;
} matches[] = {
    {"path", "{\"path\":\"*/messages\"}", true},
    {"other path", "{\"path\":\"/v1/responses\"}", false},
    {"model", "{\"model\":\"claude*\"}", true},
    {"other model", "{\"model\":\"gpt*\"}", false},
    {"header", "{\"header\":[\"Content-Type\",\"*json\"]}", true},
    {"other header", "{\"header\":[\"content-type\",\"text*\"]}", false},
    {"no such header", "{\"header\":[\"x-none\",\"*\"]}", false},
    {"body", "{\"body\":\"claude-x\"}", true},
    {"other body", "{\"body\":\"nothing like it\"}", false},
    {"no stream", "{\"stream\":false}", true},
    {"stream", "{\"stream\":true}", false},
    {"all", "{\"path\":\"*\",\"model\":\"*\",\"body\":\"{\"}", true},
    {"one of two", "{\"path\":\"*\",\"model\":\"x\"}", false}};

static void each_part_of_a_match_must_fit(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(matches); i++) {
    struct bench b;
    struct answer a;
    char text[512];
    snprintf(text, sizeof text,
             TOP "\"after_script\":\"reply\",\"steps\":[{\"fault\":\"hang\","
                 "\"match\":%s}]}",
             matches[i].match);
    bench_open(&b, text);
    bench_call(&b, "anthropic", "", false, &a);
    if ((strcmp(a.attempt.fault, "hang") == 0) != matches[i].fits)
      fail_msg("%s", matches[i].id);
    answer_release(&a);
    bench_close(&b);
  }
}

static void beyond_the_script_the_file_decides(void **state)
{
  struct bench b;
  (void)state;
  bench_open(&b, TOP "\"after_script\":\"reply\",\"steps\":[{\"fault\":"
                     "\"overloaded\"}]}");
  expect(&b, "", false, "529 overloaded_error", "step 0");
  expect(&b, "", false, "200 message", "after_script");
  bench_close(&b);
  bench_open(&b, TOP "\"after_script\":\"error\",\"steps\":[{\"reply\":"
                     "\"message\"}]}");
  expect(&b, "", false, "200 message", "step 0");
  expect(&b, "", false, "400 invalid_request_error", "after_script");
  bench_close(&b);
  bench_open(&b, TOP "\"steps\":[{\"fault\":\"overloaded\"}]}");
  expect(&b, "", false, "529 overloaded_error", "step 0");
  expect(&b, "", false, "529 overloaded_error", "after_script");
  bench_close(&b);
}

static void a_stream_fault_waits_for_a_streamed_call(void **state)
{
  struct bench b;
  (void)state;
  bench_open(&b, TOP "\"after_script\":\"reply\",\"steps\":[{\"fault\":"
                     "\"stream_cut\"}]}");
  expect(&b, "", false, "200 message", "non_stream");
  assert_int_equal(server_step_uses(b.server, 0), 0);
  expect(&b, "", true, "200 message, cut cleanly", "step 0");
  expect(&b, "", true, "200 message", "after_script");
  bench_close(&b);
  bench_open(&b, TOP "\"steps\":[{\"fault\":\"stream_error\",\"non_stream\":"
                     "\"error\"}]}");
  expect(&b, "", false, "529 overloaded_error", "non_stream");
  bench_close(&b);
}

static void side_traffic_eats_no_step(void **state)
{
  static const struct {
    const char *method, *target, *status;
  } side[] = {{"HEAD", "/", "HTTP/1.1 200 OK\r\n"},
              {"OPTIONS", "/v1/messages", "HTTP/1.1 204 No Content\r\n"},
              {"GET", "/v1/models", "HTTP/1.1 200 OK\r\n"},
              {"POST", "/v1/messages/count_tokens", "HTTP/1.1 200 OK\r\n"},
              {"POST", "/v1beta/models/g:countTokens", "HTTP/1.1 200 OK\r\n"},
              {"POST", "/nothing", "HTTP/1.1 404 Not Found\r\n"},
              {"GET", "/v1/messages", "HTTP/1.1 404 Not Found\r\n"},
              /* a generation call of another provider than the file's */
              {"POST", "/v1/responses", "HTTP/1.1 404 Not Found\r\n"}};
  struct bench b;
  (void)state;
  bench_open(&b, TWO_THEN_OK);
  for (size_t i = 0; i < COUNT(side); i++) {
    struct answer a;
    bench_ask(&b, side[i].method, side[i].target, "", "{}", &a);
    if (!bytes_starts(buf_bytes(&a.wire), bytes_of(side[i].status)))
      fail_msg("%s %s: %s", side[i].method, side[i].target, buf_str(&a.wire));
    assert_int_equal(a.attempt.cls, ATTEMPT_SIDE);
    assert_int_equal(a.attempt.step, -1);
    assert_string_equal(a.attempt.rule, "side");
    assert_string_equal(buf_str(&a.trace), "send head complete keep");
    if (strstr(side[i].status, "404"))
      assert_non_null(strstr(buf_str(&a.wire), "faultwire"));
    answer_release(&a);
  }
  expect(&b, "", false, "429 rate_limit_error", "step 0");
  bench_close(&b);
}

static void an_upgrade_gets_426(void **state)
{
  struct bench b;
  struct answer a;
  (void)state;
  bench_open(&b, NULL);
  bench_ask(&b, "GET", "/v1/responses", "upgrade: websocket\n", "", &a);
  assert_true(bytes_starts(buf_bytes(&a.wire),
                           BYTES("HTTP/1.1 426 Upgrade Required\r\n")));
  answer_release(&a);
  bench_close(&b);
}

static void no_faults_means_replies_that_were_never_delivered(void **state)
{
  struct bench b;
  struct answer a;
  (void)state;
  bench_open_with(&b, TWO_THEN_OK, true, false);
  bench_call(&b, "anthropic", "", false, &a);
  assert_string_equal(a.attempt.what, "200 message");
  assert_true(a.attempt.injected);
  assert_string_equal(a.attempt.fault, "rate_limit");
  assert_string_equal(a.attempt.rule, "no_faults");
  assert_null(strstr(buf_str(&a.trace), "fault"));
  assert_null(strstr(buf_str(&a.wire), "x-faultwire"));
  assert_int_equal(server_step_uses(b.server, 0), 1);
  answer_release(&a);
  bench_close(&b);
}

static void admin_is_served_only_when_asked_for(void **state)
{
  struct bench b;
  struct answer a;
  (void)state;
  bench_open_with(&b, TWO_THEN_OK, false, true);
  bench_ask(&b, "GET", "/__admin/scenarios", "", "", &a);
  assert_true(a.unlogged);
  assert_non_null(strstr(buf_str(&a.wire), "\"fault\":\"rate_limit\""));
  answer_release(&a);
  bench_ask(&b, "GET", "/__admin/requests", "", "", &a);
  assert_non_null(strstr(buf_str(&a.wire), "{\"attempts\":[]"));
  answer_release(&a);
  bench_ask(&b, "GET", "/__admin/none", "", "", &a);
  assert_non_null(strstr(buf_str(&a.wire), "404 Not Found"));
  answer_release(&a);
  bench_close(&b);
  bench_open(&b, TWO_THEN_OK);
  bench_ask(&b, "GET", "/__admin/health", "", "", &a);
  assert_false(a.unlogged);
  assert_non_null(strstr(buf_str(&a.wire), "404 Not Found"));
  answer_release(&a);
  bench_close(&b);
}

/* The steps the first `n` calls of a lane got, one letter each; '.': none. */
static void draw(struct bench *b, const char *lane, size_t n, char *ret)
{
  for (size_t i = 0; i < n; i++) {
    struct answer a;
    bench_call(b, "anthropic", lane, false, &a);
    ret[i] = a.attempt.step < 0 ? '.' : (char)('0' + a.attempt.step);
    answer_release(&a);
  }
  ret[n] = '\0';
}

static size_t count(const char *text, char c)
{
  size_t n = 0;
  for (; *text; text++)
    n += *text == c;
  return n;
}

#define CHANCES                                                                \
  TOP "\"steps\":[{\"fault\":\"rate_limit\",\"chance\":0.3},"                  \
      "{\"fault\":\"overloaded\",\"chance\":0.1},"                             \
      "{\"fault\":\"reset\",\"chance\":0.05,\"times\":2}]}"

static void chances_are_shares_of_all_calls_and_repeat(void **state)
{
  enum { N = 2000 };
  static char first[N + 1], again[N + 1], lane[N + 1], mixed[N + 1], x[2];
  struct bench b;
  (void)state;
  bench_open(&b, CHANCES);
  draw(&b, "", N, first);
  draw(&b, "a", N, lane);
  server_rewind(b.server);
  for (size_t i = 0; i < N; i++) { /* other lanes between change nothing */
    draw(&b, "a", 1, x);
    draw(&b, "", 1, mixed + i);
  }
  bench_close(&b);
  bench_open(&b, CHANCES);
  draw(&b, "", N, again);
  bench_close(&b);
  assert_string_equal(first, again);
  assert_string_equal(first, mixed);
  assert_string_not_equal(first, lane);
  /* four standard deviations: 4 * sqrt(2000 * .3 * .7) = 82, of .1: 54 */
  assert_in_range(count(first, '0'), 600 - 82, 600 + 82);
  assert_in_range(count(first, '1'), 200 - 54, 200 + 54);
  assert_int_equal(count(first, '2'), 2);
}

static void a_chance_is_optional_and_never_the_last_step_again(void **state)
{
  struct bench b;
  (void)state;
  bench_open(&b, TOP "\"steps\":[{\"reply\":\"message\"},"
                     "{\"fault\":\"overloaded\",\"chance\":1,\"times\":1}]}");
  assert_true(b.scenario.steps[1].optional);
  assert_false(b.scenario.steps[0].optional);
  expect(&b, "", false, "200 message", "step 0");
  expect(&b, "", false, "529 overloaded_error", "step 1");
  expect(&b, "", false, "200 message", "after_script");
  bench_close(&b);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(steps_follow_each_other_and_the_last_repeats),
      cmocka_unit_test(every_lane_walks_on_its_own),
      cmocka_unit_test(rewind_starts_anew_in_every_lane),
      cmocka_unit_test(a_step_of_another_lane_is_passed_over),
      cmocka_unit_test(a_match_passes_over_and_keeps_the_step),
      cmocka_unit_test(each_part_of_a_match_must_fit),
      cmocka_unit_test(beyond_the_script_the_file_decides),
      cmocka_unit_test(a_stream_fault_waits_for_a_streamed_call),
      cmocka_unit_test(side_traffic_eats_no_step),
      cmocka_unit_test(an_upgrade_gets_426),
      cmocka_unit_test(no_faults_means_replies_that_were_never_delivered),
      cmocka_unit_test(chances_are_shares_of_all_calls_and_repeat),
      cmocka_unit_test(a_chance_is_optional_and_never_the_last_step_again),
      cmocka_unit_test(admin_is_served_only_when_asked_for)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
