/*
 * What the vectors have no row for: the order of evidence, other versions'
 * texts, texts that must be no alarm, hostile bodies.
 */
#include "guard/error_class.h"
#include "tests/unit/unit.h"

#include <inttypes.h>

static struct guard_verdict read_cli(const char *body, int exit_code)
{
  struct guard_answer a = {.channel = GUARD_STDOUT,
                           .has_exit_code = true,
                           .exit_code = exit_code,
                           .body = body,
                           .body_n = strlen(body),
                           .now_epoch_ms = INT64_C(1764547200000)};

  return guard_classify(&a);
}

/* What no row of the vectors holds: other versions, other spellings. */
static const struct {
  const char *id, *text;
  enum guard_class cls;
  int64_t wait_ms;
} texts[] = {
    {"progress-then-end",
     "Attempt 1 failed with status 429. Retrying with backoff...\n"
     "Error when talking to Gemini API Full report available at: x "
     "TerminalQuotaError: You have exhausted your daily quota",
     GUARD_QUOTA_EXHAUSTED, -1},
    {"claude-multi-line", "API Error: 502 <html>\n<body>429</body>\n</html>",
     GUARD_SERVER_ERROR, -1},
    {"claude-login",
     "Please run /login \xc2\xb7 API Error: 401 {\"type\":\"error\"}",
     GUARD_AUTH, -1},
    {"claude-reached",
     "You've reached your weekly limit \xc2\xb7 resets "
     "Dec 3, 1:39am (UTC)",
     GUARD_USAGE_LIMIT, 178740000},
    {"claude-curly",
     "You\xe2\x80\x99ve hit your session limit \xe2\x88\x99 "
     "resets 1am",
     GUARD_USAGE_LIMIT, 3600000},
    {"claude-dropped", "API Error: Connection dropped (ECONNRESET). Check",
     GUARD_STREAM_INTERRUPTED, -1},
    {"codex-body",
     "ERROR: {\"error\":{\"message\":\"m\",\"type\":"
     "\"invalid_request_error\",\"code\":\"context_length_exceeded\"}}",
     GUARD_INVALID_REQUEST, -1},
    {"codex-days",
     "You've hit your usage limit. Upgrade to Pro or try again "
     "in 5 days 22 hours 11 minutes.",
     GUARD_USAGE_LIMIT, 511860000},
    {"codex-503",
     "unexpected status 503 Service Unavailable: {\"error\":{\"code\":"
     "\"server_is_overloaded\",\"message\":\"m\"}}, url: http://x",
     GUARD_OVERLOADED, -1},
    {"gemini-pretty",
     "Loaded cached credentials.\n{\n  \"error\": {\n    \"type\": "
     "\"Error\",\n    \"message\": \"Incomplete JSON segment at the "
     "end\",\n    \"code\": 1\n  }\n}\n",
     GUARD_STREAM_INTERRUPTED, -1},
    {"groq-bytes",
     "litellm.RateLimitError: RateLimitError: GroqException - b'{\"error\":"
     "{\"message\":\"Please try again in 2m59.56s.\",\"type\":\"tokens\","
     "\"code\":\"rate_limit_exceeded\"}}\\n'",
     GUARD_RATE_LIMIT, 179560},
    {"openai-quota",
     "openai.RateLimitError: Error code: 429 - {'error': {'message': \"You "
     "can't\", 'type': 'insufficient_quota', 'param': None, 'code': "
     "'insufficient_quota'}}",
     GUARD_QUOTA_EXHAUSTED, -1},
    {"traceback",
     "Traceback (most recent call last):\n  File \"a.py\", line 429\n"
     "anthropic.AuthenticationError: Error code: 401 - {'type': 'error'}",
     GUARD_AUTH, -1},
    {"httpx", "httpx.ReadTimeout: The read operation timed out", GUARD_TIMEOUT,
     -1},
    {"curl-28", "curl: (28) Operation timed out after 5000 ms", GUARD_TIMEOUT,
     -1},
    {"curl-56", "curl: (56) Recv failure: Connection reset by peer",
     GUARD_STREAM_INTERRUPTED, -1},
    {"raw-body",
     "{\"type\":\"error\",\"error\":{\"type\":"
     "\"overloaded_error\",\"message\":\"Overloaded\"}}",
     GUARD_OVERLOADED, -1},
    {"compiler", "src/server.c:429:12: error: rate limit overloaded",
     GUARD_NONE, -1},
    {"test-output", "FAIL test_429: expected 429 rate limit, got 200",
     GUARD_NONE, -1},
    {"value-error", "ValueError: 429 is not a valid rate limit", GUARD_NONE,
     -1},
    {"prose", "The limit reached by the tests is 429.", GUARD_NONE, -1},
    {"fenced-body",
     "```json\n{\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\"}}\n"
     "```\nThis is how the API reports overload.",
     GUARD_NONE, -1},
    {"timed-out-prose", "Request timed out is the error users report most.",
     GUARD_NONE, -1},
    {"japanese",
     "\xe9\x80\x9a\xe4\xbf\xa1\xe4\xb8\xad\xe3\x80\x82"
     "API Error: 429 rate",
     GUARD_NONE, -1},
};

/* The one text that is no answer: Claude Code's own sentence about a limit,
 * alone on its line. */
static bool is_limit_alone(const struct guard_verdict *v, const char *text)
{
  return strncmp(v->rule, "claude-cli: ", 12) == 0 && !strchr(text, '\n') &&
         (v->cls == GUARD_RATE_LIMIT || v->cls == GUARD_OVERLOADED ||
          v->cls == GUARD_USAGE_LIMIT || v->cls == GUARD_QUOTA_EXHAUSTED);
}

static void texts_of_failed_programs_are_known(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(texts); i++) {
    struct guard_verdict v = read_cli(texts[i].text, 1);
    int64_t wait_ms = v.hint == GUARD_HINT_WAIT ? v.wait_ms : -1;

    if (v.cls != texts[i].cls || wait_ms != texts[i].wait_ms)
      fail_msg("%s: %s, wait %" PRId64 " by '%s'", texts[i].id,
               guard_class_name(v.cls), wait_ms, v.rule);
    /* the same text as a good answer is an answer */
    v = read_cli(texts[i].text, 0);
    if (v.cls != GUARD_NONE && !is_limit_alone(&v, texts[i].text) &&
        strcmp(texts[i].id, "gemini-pretty") != 0)
      fail_msg("%s is an alarm after exit code 0", texts[i].id);
  }
}

#define RETRY                                                                  \
  "{\"type\":\"system\",\"subtype\":\"api_retry\",\"error_status\":429,"       \
  "\"retry_delay_ms\":500}\n"
#define REJECTED                                                               \
  "{\"type\":\"rate_limit_event\",\"rate_limit_info\":{\"status\":"            \
  "\"rejected\",\"resetsAt\":1764550800}}\n"
#define RESULT(error, text)                                                    \
  "{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":" error           \
  ",\"result\":\"" text "\"}\n"

static const struct {
  const char *id, *text;
  int exit_code;
  enum guard_class cls;
  int64_t wait_ms;
} documents[] = {
    {"recovered", RETRY RESULT("false", "pong"), 0, GUARD_NONE, -1},
    {"retries-only", RETRY, 1, GUARD_RATE_LIMIT, 500},
    {"retries-good-exit", RETRY, 0, GUARD_NONE, -1},
    {"exact-reset",
     REJECTED RESULT("true", "You've hit your session limit * resets 2am"), 1,
     GUARD_USAGE_LIMIT, 3600000},
    {"error-with-exit-0", RESULT("true", "API Error: 529 {}"), 0,
     GUARD_OVERLOADED, -1},
    {"array", "[" RESULT("true", "API Error: 529 Overloaded.") "]", 1,
     GUARD_OVERLOADED, -1},
    {"unknown-error", RESULT("true", "Reached maximum number of turns (1)"), 1,
     GUARD_NONE, -1},
    {"overage",
     "{\"type\":\"rate_limit_event\",\"rate_limit_info\":{\"status\":"
     "\"rejected\",\"isUsingOverage\":true}}",
     1, GUARD_NONE, -1},
    {"codex-recovered",
     "{\"type\":\"error\",\"message\":\"Reconnecting... 1/2 (idle timeout)\"}"
     "\n{\"type\":\"turn.completed\"}",
     0, GUARD_NONE, -1},
    {"codex-failed",
     "{\"type\":\"turn.failed\",\"error\":{\"message\":\"Quota exceeded. "
     "Check your plan and billing details.\"}}",
     0, GUARD_QUOTA_EXHAUSTED, -1},
};

static void documents_of_programs_decide_by_their_last_word(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(documents); i++) {
    struct guard_verdict v =
        read_cli(documents[i].text, documents[i].exit_code);
    int64_t wait_ms = v.hint == GUARD_HINT_WAIT ? v.wait_ms : -1;

    if (v.cls != documents[i].cls || wait_ms != documents[i].wait_ms)
      fail_msg("%s: %s, wait %" PRId64 " by '%s'", documents[i].id,
               guard_class_name(v.cls), wait_ms, v.rule);
  }
}

#define ANTHROPIC(type, message)                                               \
  "{\"type\":\"error\",\"error\":{\"type\":\"" type                            \
  "\",\"message\":\"" message "\"}}"

static const struct {
  const char *id;
  int status;
  const char *body;
  struct guard_header header;
  enum guard_class cls;
  bool retryable;
} answers[] = {
    {"forbidden",
     529,
     ANTHROPIC("overloaded_error", "m"),
     {"X-Should-Retry", "false", 0},
     GUARD_OVERLOADED,
     false},
    {"allowed",
     400,
     ANTHROPIC("invalid_request_error", "m"),
     {"x-should-retry", "true", 0},
     GUARD_INVALID_REQUEST,
     true},
    {"window-stays",
     429,
     ANTHROPIC("rate_limit_error", "m"),
     {"anthropic-ratelimit-unified-status", "rejected", 0},
     GUARD_USAGE_LIMIT,
     false},
    {"window-allowed",
     429,
     ANTHROPIC("rate_limit_error", "m"),
     {"anthropic-ratelimit-unified-status", "allowed", 0},
     GUARD_RATE_LIMIT,
     true},
    {"field-before-status",
     500,
     ANTHROPIC("overloaded_error", "m"),
     {NULL, NULL, 0},
     GUARD_OVERLOADED,
     true},
    {"status-before-text",
     400,
     ANTHROPIC("new_error", "429 rate limit"),
     {NULL, NULL, 0},
     GUARD_INVALID_REQUEST,
     false},
    {"unknown-type",
     429,
     ANTHROPIC("new_error", "m"),
     {NULL, NULL, 0},
     GUARD_RATE_LIMIT,
     true},
    {"pushback",
     429,
     ANTHROPIC("rate_limit_error", "m"),
     {"grpc-retry-pushback-ms", "-1", 0},
     GUARD_RATE_LIMIT,
     false},
    {"daily",
     429,
     "{\"error\":{\"code\":429,\"message\":\"m\",\"status\":"
     "\"RESOURCE_EXHAUSTED\",\"details\":[{\"@type\":"
     "\"type.googleapis.com/google.rpc.QuotaFailure\",\"violations\":[{"
     "\"quotaId\":\"GenerateRequestsPerDayPerProjectPerModel\"}]}]}}",
     {NULL, NULL, 0},
     GUARD_QUOTA_EXHAUSTED,
     false},
    {"edge-1015",
     403,
     "error code: 1015",
     {NULL, NULL, 0},
     GUARD_RATE_LIMIT,
     true},
    {"page-in-a-success",
     200,
     "<!DOCTYPE html><html>hello</html>",
     {NULL, NULL, 0},
     GUARD_SERVER_ERROR,
     true},
    {"cut-json",
     200,
     "{\"id\":\"msg_1\",\"con",
     {"content-type", "application/json", 0},
     GUARD_STREAM_INTERRUPTED,
     true},
    {"text-in-a-success",
     200,
     "429 rate limit overloaded",
     {NULL, NULL, 0},
     GUARD_NONE,
     false},
    {"stream-in-a-success",
     200,
     "event: ping\ndata: {\"type\":\"ping\"}\n\n",
     {"content-type", "text/event-stream", 0},
     GUARD_STREAM_INTERRUPTED,
     true},
    {"no-content", 204, "", {NULL, NULL, 0}, GUARD_NONE, false},
    {"bedrock-type",
     400,
     "{\"__type\":\"com.amazon#ThrottlingException\"}",
     {NULL, NULL, 0},
     GUARD_RATE_LIMIT,
     true},
};

static void answers_follow_the_order_of_evidence(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(answers); i++) {
    struct guard_answer a = {.channel = GUARD_HTTP,
                             .status = answers[i].status,
                             .headers = &answers[i].header,
                             .nheaders = answers[i].header.name ? 1 : 0,
                             .body = answers[i].body,
                             .body_n = strlen(answers[i].body)};
    struct guard_verdict v = guard_classify(&a);

    if (v.cls != answers[i].cls || v.retryable != answers[i].retryable)
      fail_msg("%s: %s, retryable %d by '%s'", answers[i].id,
               guard_class_name(v.cls), v.retryable, v.rule);
  }
}

static void an_empty_answer_is_no_accident(void **state)
{
  (void)state;
  for (int channel = GUARD_HTTP; channel <= GUARD_STDERR; channel++) {
    struct guard_answer a = {.channel = (enum guard_channel)channel};
    struct guard_verdict v = guard_classify(&a);

    assert_true(v.rule && v.rule[0]);
    assert_true(v.cls < GUARD_NCLASSES);
  }
}

/* Brackets without end, names without end, a NUL in the middle. */
static void hostile_bodies_are_read_to_an_end(void **state)
{
  enum { N = 20000 };
  static const char *const units[] = {
      "[",
      "{",
      "{\"a\":",
      "{'a':",
      "API Error: 429 {\n",
      "limit: ",
      "usage limit reached",
      "resets 1am (",
      "Error: Error: ",
      "data: \n",
      "\xe2\x80\xa6",
      "429 ABCD. {'",
  };
  char *body = malloc(N);

  (void)state;
  for (size_t u = 0; u < COUNT(units); u++)
    for (int channel = GUARD_HTTP; channel <= GUARD_STDERR; channel++) {
      size_t n = strlen(units[u]);
      struct guard_answer a = {.channel = (enum guard_channel)channel,
                               .status = 429,
                               .body = body,
                               .body_n = N};

      for (size_t i = 0; i < N; i++)
        body[i] = units[u][i % n];
      assert_true(guard_classify(&a).cls < GUARD_NCLASSES);
      body[N / 2] = '\0';
      assert_true(guard_classify(&a).cls < GUARD_NCLASSES);
    }
  free(body);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(texts_of_failed_programs_are_known),
      cmocka_unit_test(documents_of_programs_decide_by_their_last_word),
      cmocka_unit_test(answers_follow_the_order_of_evidence),
      cmocka_unit_test(an_empty_answer_is_no_accident),
      cmocka_unit_test(hostile_bodies_are_read_to_an_end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
