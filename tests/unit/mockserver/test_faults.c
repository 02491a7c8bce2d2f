#include "tests/unit/unit.h"

#include "tests/contract/answer.h"

#include "mockserver/fault.h"

#include <string.h>

#define EV "send event "
#define ANT "\"provider\":\"anthropic\","

/* The whole trace of one answer; the default Anthropic stream has 9 events,
 * Gemini's 3. */
static const struct {
  const char *id, *provider, *step;
  bool stream;
  const char *trace;
} traces[] = {
    {"rate_limit", "anthropic", "{\"fault\":\"rate_limit\"}", true,
     "send head fault complete keep"},
    {"overloaded", "openai", "{\"fault\":\"overloaded\"}", false,
     "send head fault complete keep"},
    {"delay", "openai", "{\"fault\":\"overloaded\",\"delay_ms\":250}", false,
     "delay:250 send head fault complete keep"},
    {"plain", "gemini", "{\"reply\":\"message\"}", false,
     "send head send complete keep"},
    {"stream", "gemini", "{\"reply\":\"message\",\"gap_ms\":20}", true,
     "send head " EV "delay:20 " EV "delay:20 " EV
     "terminal send complete keep"},
    {"long stream", "gemini", "{\"reply\":\"message\",\"chunks\":100}", true,
     "send head gen:99 " EV "terminal send complete keep"},
    {"cut clean", "gemini", "{\"fault\":\"stream_cut\"}", true,
     "send head " EV EV "fault send keep"},
    {"cut clean, first", "anthropic",
     "{\"fault\":\"stream_cut\",\"after_event\":0}", true,
     "send head fault send keep"},
    {"cut dirty", "anthropic",
     "{\"fault\":\"stream_cut\",\"ending\":\"dirty\"}", true,
     "send head " EV EV EV EV "fault fin"},
    {"cut fin", "gemini",
     "{\"fault\":\"stream_cut\",\"ending\":\"fin\",\"after_event\":1}", true,
     "send head " EV "send fault fin"},
    {"cut rst", "gemini",
     "{\"fault\":\"stream_cut\",\"ending\":\"rst\",\"after_event\":1}", true,
     "send head " EV "fault rst"},
    {"cut at byte", "gemini",
     "{\"fault\":\"stream_cut\",\"ending\":\"fin\",\"at_byte\":10}", true,
     "send head send fault fin"},
    {"cut at byte 0", "gemini",
     "{\"fault\":\"stream_cut\",\"ending\":\"rst\",\"at_byte\":0}", true,
     "send head fault rst"},
    {"cut beyond the end", "gemini",
     "{\"fault\":\"stream_cut\",\"ending\":\"rst\",\"at_byte\":99999}", true,
     "send head " EV EV "send fault rst"},
    {"error event", "anthropic",
     "{\"fault\":\"stream_error\",\"after_event\":1}", true,
     "send head " EV EV "fault send keep"},
    {"stall before headers", "anthropic",
     "{\"fault\":\"stall\",\"where\":\"before_headers\"}", false,
     "fault stall"},
    {"stall before headers, ends", "anthropic",
     "{\"fault\":\"stall\",\"where\":\"before_headers\",\"for_s\":1.5}", false,
     "fault delay:1500 send head send complete keep"},
    {"stall after headers, plain", "anthropic",
     "{\"fault\":\"stall\",\"where\":\"after_headers\"}", false,
     "send head fault stall"},
    {"stall after headers, stream, ends", "gemini",
     "{\"fault\":\"stall\",\"where\":\"after_headers\",\"for_s\":1}", true,
     "send head fault delay:1000 " EV EV EV "terminal send complete keep"},
    {"stall after event", "gemini",
     "{\"fault\":\"stall\",\"where\":\"after_event\",\"after_event\":2}", true,
     "send head " EV EV "fault stall"},
    {"stall with pings", "gemini",
     "{\"fault\":\"stall\",\"where\":\"after_event\",\"pings\":3}", true,
     "send head " EV "fault delay:3000 gen:... stall"},
    {"stall with pings, ends", "gemini",
     "{\"fault\":\"stall\",\"where\":\"after_event\",\"pings\":3,"
     "\"for_s\":10}",
     true,
     "send head " EV "fault delay:3000 gen:2 " EV "delay:1000 " EV EV
     "terminal send complete keep"},
    {"reset", "anthropic", "{\"fault\":\"reset\"}", true, "fault rst"},
    {"hang", "anthropic", "{\"fault\":\"hang\"}", true, "fault stall"},
    {"none", "anthropic", "{\"fault\":\"none\"}", false,
     "send head send complete keep"},
    {"status", "anthropic", "{\"fault\":\"status\",\"status\":502}", true,
     "send head fault complete keep"}};

static void ask(struct bench *b, const char *provider, const char *step,
                bool stream, struct answer *ret)
{
  char *text = mem_format("{\"name\":\"n\",\"why\":\"w\",\"provider\":\"%s\","
                          "\"steps\":[%s]}",
                          provider, step);
  bench_open(b, text);
  bench_call(b, provider, "", stream, ret);
  free(text);
}

static void plans_have_these_ops_and_marks(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(traces); i++) {
    struct bench b;
    struct answer a;
    ask(&b, traces[i].provider, traces[i].step, traces[i].stream, &a);
    if (strcmp(buf_str(&a.trace), traces[i].trace) != 0)
      fail_msg("%s:\n  wanted %s\n  got    %s", traces[i].id, traces[i].trace,
               buf_str(&a.trace));
    bool faulty = strstr(traces[i].trace, "fault") != NULL;
    if (a.attempt.injected != faulty)
      fail_msg("%s: injected is %d", traces[i].id, a.attempt.injected);
    answer_release(&a);
    bench_close(&b);
  }
}

/* How the bytes end. */
static const struct {
  const char *id, *provider, *step, *end, *why;
} ends[] = {{"clean", "gemini", "{\"fault\":\"stream_cut\"}",
             "\r\n\r\n\r\n0\r\n\r\n", "the last chunk is there"},
            {"dirty", "gemini",
             "{\"fault\":\"stream_cut\",\"ending\":\"dirty\"}", "\r\n\r\n\r\n",
             "the event is whole, the body is not closed"},
            {"fin at byte", "gemini",
             "{\"fault\":\"stream_cut\",\"ending\":\"fin\",\"at_byte\":8}",
             "\r\n\r\nfc\r\ndata: {\"", "the chunk is announced in full"},
            {"dirty at byte", "gemini",
             "{\"fault\":\"stream_cut\",\"ending\":\"dirty\",\"at_byte\":8}",
             "\r\n\r\n8\r\ndata: {\"\r\n", "the part is a chunk of its own"},
            {"all but the last byte", "gemini",
             "{\"fault\":\"stream_cut\",\"ending\":\"rst\",\"at_byte\":100000}",
             "\r\n\r", "the terminal event lacks a byte"}};

static void cut_streams_end_where_the_step_says(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(ends); i++) {
    struct bench b;
    struct answer a;
    ask(&b, ends[i].provider, ends[i].step, true, &a);
    size_t n = strlen(ends[i].end);
    if (a.wire.n < n || memcmp(a.wire.p + a.wire.n - n, ends[i].end, n) != 0)
      fail_msg("%s (%s): %s", ends[i].id, ends[i].why, buf_str(&a.wire));
    answer_release(&a);
    bench_close(&b);
  }
}

static void at_byte_counts_the_body_without_framing(void **state)
{
  (void)state;
  for (unsigned n = 0; n < 700; n += 13) {
    struct bench b;
    struct answer a;
    struct buf body;
    char step[128];
    snprintf(step, sizeof step, "{\"fault\":\"stream_cut\",\"at_byte\":%u}", n);
    ask(&b, "anthropic", step, true, &a);
    answer_unchunk(&a, &body);
    assert_int_equal(body.n, n);
    buf_release(&body);
    answer_release(&a);
    bench_close(&b);
  }
}

static void every_cut_leaves_out_the_terminal_event(void **state)
{
  static const char *const names[] = {"anthropic", "openai", "openai-responses",
                                      "gemini"};
  static const char *const terminals[] = {"message_stop", "[DONE]",
                                          "response.completed", "finishReason"};
  static const char *const endings[] = {"clean", "dirty", "fin", "rst"};
  (void)state;
  for (size_t p = 0; p < COUNT(names); p++)
    for (size_t e = 0; e < COUNT(endings); e++) {
      struct bench b;
      struct answer a;
      char step[128];
      snprintf(step, sizeof step,
               "{\"fault\":\"stream_cut\",\"ending\":\"%s\"}", endings[e]);
      ask(&b, names[p], step, true, &a);
      assert_null(strstr(buf_str(&a.wire), terminals[p]));
      assert_null(strstr(buf_str(&a.wire), "\"finish_reason\":\"stop\""));
      assert_null(strstr(buf_str(&a.trace), "terminal"));
      assert_null(strstr(buf_str(&a.trace), "complete"));
      answer_release(&a);
      bench_close(&b);
    }
}

/* A header line the answer must hold, or with '!' must not. */
static const struct {
  const char *id, *provider, *step, *line;
} lines[] = {
    {"no hint", "anthropic", "{\"fault\":\"rate_limit\"}", "!retry-after"},
    {"null hint", "anthropic",
     "{\"fault\":\"rate_limit\",\"retry_after\":null}", "!retry-after"},
    {"number", "anthropic", "{\"fault\":\"rate_limit\",\"retry_after\":2}",
     "\r\nretry-after: 2\r\n"},
    {"fraction", "anthropic", "{\"fault\":\"rate_limit\",\"retry_after\":1.5}",
     "\r\nretry-after: 1.5\r\n"},
    {"large number", "anthropic",
     "{\"fault\":\"rate_limit\",\"retry_after\":9999999}",
     "\r\nretry-after: 9999999\r\n"},
    {"any text", "anthropic",
     "{\"fault\":\"rate_limit\",\"retry_after\":\" 1abc\"}",
     "\r\nretry-after:  1abc\r\n"},
    {"date", "anthropic",
     "{\"fault\":\"rate_limit\",\"retry_after\":\"{{http_date:+3}}\"}",
     "\r\nretry-after: Mon, 01 Dec 2025 00:00:03 GMT\r\n"},
    {"date behind a delay", "anthropic",
     "{\"fault\":\"rate_limit\",\"delay_ms\":5000,"
     "\"retry_after\":\"{{http_date:+3}}\"}",
     "\r\nretry-after: Mon, 01 Dec 2025 00:00:08 GMT\r\n"},
    {"ms", "openai", "{\"fault\":\"rate_limit\",\"retry_after_ms\":700}",
     "\r\nretry-after-ms: 700\r\n"},
    {"529", "anthropic", "{\"fault\":\"overloaded\"}",
     "HTTP/1.1 529 Overloaded\r\n"},
    {"says so", "anthropic", "{\"fault\":\"overloaded\"}",
     "\r\nx-faultwire: overloaded; step=0\r\n"},
    {"stream says so", "openai", "{\"fault\":\"stream_cut\"}",
     "\r\nx-faultwire: stream_cut; step=0\r\n"},
    {"reply does not", "openai", "{\"reply\":\"message\"}", "!x-faultwire"},
    {"own headers", "gemini",
     "{\"fault\":\"status\",\"status\":500,\"headers\":[[\"X-A\",\"1\"],"
     "[\"x-a\",\"{{pad:2}}\"]]}",
     "\r\nX-A: 1\r\nx-a: xx\r\n"},
    {"own reason", "gemini",
     "{\"fault\":\"status\",\"status\":599,\"reason\":\"Odd Day\"}",
     "HTTP/1.1 599 Odd Day\r\n"},
    {"HTML", "anthropic",
     "{\"fault\":\"status\",\"status\":502,\"body\":\"<html>\"}",
     "\r\ncontent-type: text/html\r\n"},
    {"own type", "anthropic",
     "{\"fault\":\"status\",\"status\":502,\"body\":\"<html>\",\"headers\":"
     "[[\"Content-Type\",\"x/y\"]]}",
     "!text/html"},
    {"own length", "anthropic",
     "{\"fault\":\"status\",\"status\":502,\"body\":\"ab\",\"headers\":"
     "[[\"content-length\",\"9\"]]}",
     "!content-length: 2"},
    {"bare", "anthropic",
     "{\"fault\":\"status\",\"status\":429,\"default_headers\":false,"
     "\"body\":\"x\",\"headers\":[[\"Content-Length\",\"1\"]]}",
     "HTTP/1.1 429 Too Many Requests\r\nContent-Length: 1\r\n\r\nx"},
    {"base64", "anthropic",
     "{\"fault\":\"status\",\"status\":500,\"body_base64\":\"/wA=\"}",
     "\r\ncontent-length: 2\r\n"},
    {"resets", "anthropic", "{\"fault\":\"usage_limit\",\"resets_in_s\":60}",
     "\r\nanthropic-ratelimit-unified-reset: 1764547260\r\n"},
    {"resets by default", "anthropic", "{\"fault\":\"usage_limit\"}",
     "\r\nanthropic-ratelimit-unified-reset: 1764558000\r\n"},
    {"cloudflare has no id", "anthropic",
     "{\"fault\":\"status\",\"error\":\"request_too_large\"}",
     "!request"
     "-id"}};

static void heads_hold_what_the_step_says(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(lines); i++) {
    struct bench b;
    struct answer a;
    bool absent = lines[i].line[0] == '!';
    ask(&b, lines[i].provider, lines[i].step, true, &a);
    bool there = strstr(buf_str(&a.wire), lines[i].line + absent) != NULL;
    if (there == absent)
      fail_msg("%s: %s", lines[i].id, buf_str(&a.wire));
    answer_release(&a);
    bench_close(&b);
  }
}

static void the_journal_learns_what_was_sent(void **state)
{
  struct bench b;
  struct answer a;
  (void)state;
  ask(&b, "anthropic",
      "{\"fault\":\"rate_limit\",\"retry_after\":\"{{epoch:+1}}\"}", true, &a);
  assert_int_equal(a.attempt.cls, ATTEMPT_CALL);
  assert_int_equal(a.attempt.status, 429);
  assert_int_equal(a.attempt.step, 0);
  assert_true(a.attempt.stream);
  assert_false(a.attempt.stream_sent);
  assert_true(a.attempt.has_retry_after);
  assert_string_equal(a.attempt.retry_after, "1764547201");
  assert_string_equal(a.attempt.provider, "anthropic");
  assert_string_equal(a.attempt.model, "claude-x");
  assert_string_equal(a.attempt.fault, "rate_limit");
  answer_release(&a);
  bench_close(&b);
  ask(&b, "anthropic", "{\"fault\":\"stream_error\"}", true, &a);
  assert_true(a.attempt.stream_sent);
  assert_int_equal(a.attempt.status, 200);
  assert_string_equal(a.attempt.what, "200 message, then overloaded_error");
  answer_release(&a);
  bench_close(&b);
}

static void every_kind_has_a_name_a_sentence_and_a_run(void **state)
{
  (void)state;
  for (const struct fault *const *f = faults; *f; f++) {
    assert_ptr_equal(fault_find((*f)->name), *f);
    assert_true(strlen((*f)->summary) > 10);
    assert_non_null((*f)->params);
    assert_true((*f)->run);
  }
  assert_null(fault_find("nope"));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(plans_have_these_ops_and_marks),
      cmocka_unit_test(cut_streams_end_where_the_step_says),
      cmocka_unit_test(at_byte_counts_the_body_without_framing),
      cmocka_unit_test(every_cut_leaves_out_the_terminal_event),
      cmocka_unit_test(heads_hold_what_the_step_says),
      cmocka_unit_test(the_journal_learns_what_was_sent),
      cmocka_unit_test(every_kind_has_a_name_a_sentence_and_a_run)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
