/*
 * The limiter on a real socket, on a clock moved by hand: what is refused,
 * what the headers say, and whether the wait that is told is the true one.
 */
#include "tests/unit/unit.h"

#include "tests/wire/limits_rig.h"

#include <string.h>
#include <unistd.h>

static const char *const provider_names[] = {"anthropic", "openai",
                                             "openai-responses", "gemini"};

static void the_wait_that_is_told_is_the_true_one(void **state)
{
  (void)state;
  for (size_t p = 0; p < COUNT(provider_names); p++)
    for (int stream = 0; stream < 2; stream++) {
      struct limited l;
      open_limits(&l, provider_names[p],
                  "{\"count_refused\":false,\"buckets\":[{\"of\":\"requests\","
                  "\"limit\":5}]}");
      for (int i = 0; i < 5; i++)
        assert_int_equal(call_as(&l, provider_names[p], stream, ""), 200);
      wire_advance(&l.w, 1234);
      assert_int_equal(call_as(&l, provider_names[p], stream, ""), 429);
      int64_t wait = told_wait_ms(&l, provider_names[p]);
      /* 12 s a request, less what has passed; Anthropic's is whole seconds */
      assert_int_equal(wait, p == 0 ? 11000 : 10766);
      wire_advance(&l.w, 10765);
      assert_int_equal(call_as(&l, provider_names[p], stream, ""), 429);
      wire_advance(&l.w, 1);
      assert_int_equal(call_as(&l, provider_names[p], stream, ""), 200);
      assert_int_equal(call_as(&l, provider_names[p], stream, ""), 429);
      close_limits(&l);
    }
}

static void good_answers_tell_the_levels(void **state)
{
  struct limited l;
  (void)state;
  open_limits(&l, "anthropic",
              "{\"buckets\":[{\"of\":\"requests\",\"limit\":5},"
              "{\"of\":\"input_tokens\",\"limit\":60000},"
              "{\"of\":\"output_tokens\",\"limit\":8000}]}");
  assert_int_equal(
      call_as(&l, "anthropic", true, "x-faultwire-tokens: input=1600\r\n"),
      200);
  must_say(&l, "anthropic-ratelimit-requests-limit: 5\r\n"
               "anthropic-ratelimit-requests-remaining: 4\r\n"
               "anthropic-ratelimit-requests-reset: 2025-12-01T00:00:12Z\r\n"
               "anthropic-ratelimit-input-tokens-limit: 60000\r\n"
               /* to the nearest thousand */
               "anthropic-ratelimit-input-tokens-remaining: 58000\r\n"
               /* 1.6 s, told in whole seconds and never too early */
               "anthropic-ratelimit-input-tokens-reset: "
               "2025-12-01T00:00:02Z\r\n");
  must_say(&l, "anthropic-ratelimit-tokens-limit: 8000\r\n");
  close_limits(&l);
  open_limits(&l, "openai",
              "{\"buckets\":[{\"of\":\"requests\",\"limit\":60},"
              "{\"of\":\"tokens\",\"limit\":60000,\"scope\":\"project\"}]}");
  assert_int_equal(
      call_as(&l, "openai", false, "x-faultwire-tokens: input=123\r\n"), 200);
  must_say(&l, "x-ratelimit-limit-requests: 60\r\n"
               "x-ratelimit-remaining-requests: 59\r\n"
               "x-ratelimit-reset-requests: 1s\r\n"
               "x-ratelimit-limit-tokens: 60000\r\n"
               "x-ratelimit-remaining-tokens: 59877\r\n"
               "x-ratelimit-reset-tokens: 123ms\r\n"
               "x-ratelimit-limit-project-tokens: 60000\r\n");
  close_limits(&l);
  open_limits(&l, "gemini",
              "{\"buckets\":[{\"of\":\"requests\",\"limit\":5}]}");
  assert_int_equal(call_as(&l, "gemini", false, ""), 200);
  assert_false(says(&l, "ratelimit"));
  close_limits(&l);
}

static void instant_retries_at_openai_never_get_through(void **state)
{
  struct limited l;
  (void)state;
  open_limits(&l, "openai",
              "{\"buckets\":[{\"of\":\"requests\",\"limit\":5}]}");
  for (int i = 0; i < 5; i++)
    assert_int_equal(call_as(&l, "openai", true, ""), 200);
  for (int i = 0; i < 60; i++) {
    assert_int_equal(call_as(&l, "openai", true, ""), 429);
    assert_int_equal(told_wait_ms(&l, "openai"), 12000);
    wire_advance(&l.w, 1000);
  }
  must_say(&l, "\"type\":\"requests\",\"param\":null,"
               "\"code\":\"rate_limit_exceeded\"");
  must_say(&l, "on requests per min (RPM): Limit 5, Used 5, Requested 1. "
               "Please try again in 12s.");
  wire_advance(&l.w, 11000);
  assert_int_equal(call_as(&l, "openai", true, ""), 200);
  close_limits(&l);
}

static void buckets_are_told_apart_by_their_scope(void **state)
{
  static const struct {
    const char *scope, *a, *b;
  } rows[] = {
      {"organization", "x-faultwire-organization: a\r\n",
       "x-faultwire-organization: b\r\n"},
      {"organization", "openai-organization: a\r\n",
       "authorization: Bearer sk-org-b-x\r\n"},
      {"workspace", "x-faultwire-workspace: a\r\n",
       "x-api-key: sk-ant-workspace-b-lane-q\r\n"},
      {"organization", "x-api-key: k-org-a-lane-q\r\n",
       "x-api-key: k-org-b-lane-q\r\n"},
      {"workspace", "x-api-key: k-workspace-a\r\n",
       "x-api-key: k-workspace-b\r\n"},
      {"project", "x-goog-api-key: k-project-a\r\n",
       "x-goog-api-key: k-project-b\r\n"},
      {"project", "openai-project: a\r\n", "x-goog-user-project: b\r\n"},
      {"key", "x-api-key: a\r\n", "authorization: Bearer b\r\n"}};
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct limited l;
    char *limits = mem_format("{\"buckets\":[{\"of\":\"requests\",\"limit\":1,"
                              "\"scope\":\"%s\"}]}",
                              rows[i].scope);
    open_limits(&l, "anthropic", limits);
    free(limits);
    assert_int_equal(call_as(&l, "anthropic", false, rows[i].a), 200);
    assert_int_equal(call_as(&l, "anthropic", false, rows[i].b), 200);
    assert_int_equal(call_as(&l, "anthropic", false, rows[i].a), 429);
    close_limits(&l);
  }
}

static void lanes_share_the_bucket_of_their_organisation(void **state)
{
  struct limited l;
  (void)state;
  open_limits(&l, "anthropic",
              "{\"buckets\":[{\"of\":\"requests\",\"limit\":2}]}");
  assert_int_equal(ask(&l, "/a/v1/messages", "", "{}"), 200);
  assert_int_equal(ask(&l, "/b/v1/messages", "", "{}"), 200);
  assert_int_equal(ask(&l, "/c/v1/messages", "", "{}"), 429);
  close_limits(&l);
}

static void models_have_buckets_of_their_own_where_asked(void **state)
{
  struct limited l;
  (void)state;
  open_limits(&l, "anthropic",
              "{\"buckets\":[{\"of\":\"requests\",\"limit\":1,"
              "\"per_model\":true},{\"of\":\"requests\",\"limit\":2,"
              "\"model\":\"*opus*\"}]}");
  assert_int_equal(ask(&l, "/v1/messages", "", "{\"model\":\"a\"}"), 200);
  assert_int_equal(ask(&l, "/v1/messages", "", "{\"model\":\"b\"}"), 200);
  assert_int_equal(ask(&l, "/v1/messages", "", "{\"model\":\"a\"}"), 429);
  assert_int_equal(ask(&l, "/v1/messages", "", "{\"model\":\"opus1\"}"), 200);
  assert_int_equal(ask(&l, "/v1/messages", "", "{\"model\":\"opus2\"}"), 200);
  assert_int_equal(ask(&l, "/v1/messages", "", "{\"model\":\"opus3\"}"), 429);
  close_limits(&l);
}

static void a_request_larger_than_the_bucket_is_told_no_wait(void **state)
{
  static const struct {
    const char *provider, *says;
  } rows[] = {
      {"anthropic", "rate limit of 1,000 input tokens per minute"},
      {"openai", "Request too large for "},
      {"openai-responses", "Limit 1000, Requested 5000. The input or output"},
      {"gemini", "\"quotaId\": \"GenerateContentInputTokensPerModelPerMinute-"
                 "FreeTier\""}};
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct limited l;
    open_limits(&l, rows[i].provider,
                "{\"buckets\":[{\"of\":\"input_tokens\",\"limit\":1000}]}");
    assert_int_equal(call_as(&l, rows[i].provider, true,
                             "x-faultwire-tokens: input=5000\r\n"),
                     429);
    must_say(&l, rows[i].says);
    assert_false(says(&l, "retry-after"));
    assert_false(says(&l, "retryDelay"));
    close_limits(&l);
  }
}

static void faults_of_the_script_come_first_and_count_nothing(void **state)
{
  struct limited l;
  (void)state;
  wire_open(&l.w, "{\"name\":\"n\",\"why\":\"w\",\"provider\":\"anthropic\","
                  "\"limits\":{\"buckets\":[{\"of\":\"requests\",\"limit\":2}]"
                  "},\"steps\":[{\"fault\":\"overloaded\",\"times\":3},"
                  "{\"reply\":\"message\",\"text\":\"one\"},"
                  "{\"reply\":\"message\",\"text\":\"two\"},"
                  "{\"reply\":\"message\",\"text\":\"three\"}]}");
  buf_init(&l.got, 1 << 20);
  for (int i = 0; i < 3; i++)
    assert_int_equal(call_as(&l, "anthropic", false, ""), 529);
  assert_false(says(&l, "ratelimit"));
  assert_int_equal(call_as(&l, "anthropic", false, ""), 200);
  assert_int_equal(call_as(&l, "anthropic", false, ""), 200);
  must_say(&l, "\"two\"");
  /* a refused call takes no step */
  assert_int_equal(call_as(&l, "anthropic", false, ""), 429);
  wire_advance(&l.w, 30000);
  assert_int_equal(call_as(&l, "anthropic", false, ""), 200);
  must_say(&l, "\"three\"");
  wire_stop(&l.w);
  assert_int_equal(journal_get(l.w.journal, 4)->step, 2);
  assert_int_equal(journal_get(l.w.journal, 5)->step, -1);
  close_limits(&l);
}

static void the_journal_says_what_refused(void **state)
{
  struct limited l;
  (void)state;
  open_limits(&l, "anthropic",
              "{\"buckets\":[{\"of\":\"requests\",\"limit\":1,"
              "\"name\":\"the tight one\"}]}");
  call_as(&l, "anthropic", false, "x-faultwire-organization: acme\r\n");
  call_as(&l, "anthropic", false, "x-faultwire-organization: acme\r\n");
  must_say(&l, "\r\nx-faultwire: limits; bucket=the tight one\r\n");
  wire_stop(&l.w);
  const struct attempt *a = journal_get(l.w.journal, 0);
  assert_string_equal(a->limits, "requests 0/1");
  assert_false(a->injected);
  a = journal_get(l.w.journal, 1);
  assert_string_equal(a->rule, "limits");
  assert_string_equal(a->limits,
                      "the tight one of acme: 0 of 1 left, 1 wanted");
  assert_string_equal(a->retry_after, "60");
  assert_true(a->injected && a->delivered && a->complete);
  assert_int_equal(a->step, -1);
  close_limits(&l);
}

/* The head and the body are whole before the limiter is asked. */
static void pieces_of_the_request_change_no_decision(void **state)
{
  (void)state;
  for (unsigned seed = 1; seed <= 12; seed++) {
    struct limited l;
    open_limits(&l, "openai",
                "{\"buckets\":[{\"of\":\"tokens\",\"limit\":100}]}");
    char *text = request_text("/v1/chat/completions", "",
                              "{\"max_tokens\":90,\"messages\":[]}");
    for (int round = 0; round < 2; round++) {
      unsigned random = seed;
      int fd = wire_connect(&l.w);
      for (size_t at = 0; text[at];) {
        random = random * 1103515245u + 12345u;
        size_t n = 1 + (random >> 16) % 40;
        n = strlen(text + at) < n ? strlen(text + at) : n;
        char piece[64];
        memcpy(piece, text + at, n);
        piece[n] = '\0';
        wire_send(fd, piece);
        wire_sync(&l.w);
        at += n;
      }
      buf_reset(&l.got);
      wire_take(fd, &l.got);
      close(fd);
      wire_sync(&l.w);
      if (round == 0)
        assert_int_equal(status_of(&l.got), 200);
    }
    /* the first one's max_tokens were put right, so the second fits too
     * only when what was really used is small: 8 + 3 of 100 */
    assert_int_equal(status_of(&l.got), 429);
    must_say(&l, "Limit 100, Used 11, Requested 98");
    free(text);
    close_limits(&l);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_wait_that_is_told_is_the_true_one),
      cmocka_unit_test(good_answers_tell_the_levels),
      cmocka_unit_test(instant_retries_at_openai_never_get_through),
      cmocka_unit_test(buckets_are_told_apart_by_their_scope),
      cmocka_unit_test(lanes_share_the_bucket_of_their_organisation),
      cmocka_unit_test(models_have_buckets_of_their_own_where_asked),
      cmocka_unit_test(a_request_larger_than_the_bucket_is_told_no_wait),
      cmocka_unit_test(faults_of_the_script_come_first_and_count_nothing),
      cmocka_unit_test(the_journal_says_what_refused),
      cmocka_unit_test(pieces_of_the_request_change_no_decision)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
