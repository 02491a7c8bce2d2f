/* What the journal alone says of a client. Times in milliseconds. */
#include "tests/unit/unit.h"

#include "base/json.h"
#include "mockserver/wire_verdict.h"

#include <string.h>

/* One attempt; `lane` NULL ends a row's list. */
struct seen {
  const char *lane;
  int at, status;
  uint64_t body;           /* hash */
  const char *retry_after; /* NULL: none */
  const char *key;         /* idempotency */
  int retry_count;         /* 0: none is told */
  int lasts;               /* 0: 1 ms; below 0: it is open */
  const char *what;
};

enum { MAX_SEEN = 14 };

static const struct row {
  const char *id, *why;
  struct seen seen[MAX_SEEN];
  const char *verdict, *code, *reason; /* NULL: none */
} rows[] = {
    {"nothing",
     "a client that never came is not a good one",
     {{.lane = NULL}},
     "inconclusive",
     NULL,
     "no_request"},
    {"no fault",
     "nothing was tested",
     {{.lane = "", .at = 0, .status = 200, .body = 1}},
     "inconclusive",
     NULL,
     "no_fault_sent"},
    {"well",
     "waited as told",
     {{.lane = "", .at = 0, .status = 429, .body = 1, .retry_after = "2"},
      {.lane = "", .at = 2010, .status = 200, .body = 1}},
     "pass",
     NULL,
     NULL},
    {"a little early",
     "50 ms are forgiven",
     {{.lane = "", .at = 0, .status = 429, .body = 1, .retry_after = "2"},
      {.lane = "", .at = 1960, .status = 200, .body = 1}},
     "pass",
     NULL,
     NULL},
    {"too early",
     "the wait was told",
     {{.lane = "", .at = 0, .status = 429, .body = 1, .retry_after = "2"},
      {.lane = "", .at = 1940, .status = 200, .body = 1}},
     "fail",
     "retry_after_ignored",
     NULL},
    {"three per cent of an hour",
     "the slack is no share of the wait",
     {{.lane = "", .at = 0, .status = 503, .body = 1, .retry_after = "3600"},
      {.lane = "", .at = 3500000, .status = 200, .body = 1}},
     "fail",
     "retry_after_ignored",
     NULL},
    {"a date",
     "dates are not judged here",
     {{.lane = "",
       .at = 0,
       .status = 429,
       .body = 1,
       .retry_after = "Mon, 01 Dec 2025 00:00:09 GMT"},
      {.lane = "", .at = 10, .status = 200, .body = 1}},
     "pass",
     NULL,
     NULL},
    {"junk",
     "asks for nothing",
     {{.lane = "", .at = 0, .status = 429, .body = 1, .retry_after = "-5"},
      {.lane = "", .at = 900, .status = 200, .body = 1}},
     "pass",
     NULL,
     NULL},
    {"two lanes",
     "another worker's call is no retry",
     {{.lane = "a", .at = 0, .status = 429, .body = 1, .retry_after = "2"},
      {.lane = "b", .at = 100, .status = 200, .body = 1},
      {.lane = "a", .at = 2100, .status = 200, .body = 1}},
     "pass",
     NULL,
     NULL},
    {"other body, other call",
     "nothing says it is a retry",
     {{.lane = "", .at = 0, .status = 429, .body = 1, .retry_after = "2"},
      {.lane = "", .at = 100, .status = 200, .body = 2},
      {.lane = "", .at = 2100, .status = 200, .body = 1}},
     "pass",
     NULL,
     NULL},
    {"other body, same key",
     "the key says it is a retry",
     {{.lane = "",
       .at = 0,
       .status = 429,
       .body = 1,
       .retry_after = "2",
       .key = "k"},
      {.lane = "", .at = 100, .status = 200, .body = 2, .key = "k"}},
     "fail",
     "retry_after_ignored",
     NULL},
    {"same body, other key",
     "two keys are two calls",
     {{.lane = "",
       .at = 0,
       .status = 429,
       .body = 1,
       .retry_after = "2",
       .key = "k"},
      {.lane = "", .at = 100, .status = 200, .body = 1, .key = "m"},
      {.lane = "", .at = 2100, .status = 200, .body = 1, .key = "k"}},
     "pass",
     NULL,
     NULL},
    {"other body, retry header",
     "the only failed call it can be",
     {{.lane = "", .at = 0, .status = 429, .body = 1, .retry_after = "2"},
      {.lane = "", .at = 100, .status = 200, .body = 2, .retry_count = 1}},
     "fail",
     "retry_after_ignored",
     NULL},
    {"at once",
     "whose retry is whose is not known",
     {{.lane = "",
       .at = 0,
       .status = 429,
       .body = 1,
       .retry_after = "2",
       .lasts = 50},
      {.lane = "",
       .at = 10,
       .status = 429,
       .body = 1,
       .retry_after = "2",
       .lasts = 50},
      {.lane = "", .at = 2060, .status = 200, .body = 1}},
     "inconclusive",
     NULL,
     "ambiguous_calls"},
    {"a 400 again",
     "it fails the same way",
     {{.lane = "", .at = 0, .status = 400, .body = 1},
      {.lane = "", .at = 900, .status = 400, .body = 1}},
     "fail",
     "retried_non_retryable",
     NULL},
    {"a 400 told",
     "the client may stop",
     {{.lane = "", .at = 0, .status = 400, .body = 1}},
     "pass",
     NULL,
     NULL},
    {"quota",
     "no wait mends a spent quota",
     {{.lane = "",
       .at = 0,
       .status = 429,
       .body = 1,
       .what = "429 insufficient_quota"},
      {.lane = "", .at = 900, .status = 200, .body = 1}},
     "fail",
     "retried_non_retryable",
     NULL},
    {"401 and a new token",
     "one retry may have another token",
     {{.lane = "", .at = 0, .status = 401, .body = 1},
      {.lane = "", .at = 900, .status = 200, .body = 1}},
     "pass",
     NULL,
     NULL},
    {"401 twice again",
     "the second token was no better",
     {{.lane = "", .at = 0, .status = 401, .body = 1},
      {.lane = "", .at = 900, .status = 401, .body = 1},
      {.lane = "", .at = 1900, .status = 401, .body = 1}},
     "fail",
     "retried_non_retryable",
     NULL},
    {"ten",
     "ten attempts are the most",
     {{.lane = "", .at = 0, .status = 500, .body = 1},
      {.lane = "", .at = 1000, .status = 500, .body = 1},
      {.lane = "", .at = 2000, .status = 500, .body = 1},
      {.lane = "", .at = 3000, .status = 500, .body = 1},
      {.lane = "", .at = 4000, .status = 500, .body = 1},
      {.lane = "", .at = 5000, .status = 500, .body = 1},
      {.lane = "", .at = 6000, .status = 500, .body = 1},
      {.lane = "", .at = 7000, .status = 500, .body = 1},
      {.lane = "", .at = 8000, .status = 500, .body = 1},
      {.lane = "", .at = 9000, .status = 200, .body = 1}},
     "pass",
     NULL,
     NULL},
    {"eleven",
     "eleven are a storm",
     {{.lane = "", .at = 0, .status = 500, .body = 1},
      {.lane = "", .at = 1000, .status = 500, .body = 1},
      {.lane = "", .at = 2000, .status = 500, .body = 1},
      {.lane = "", .at = 3000, .status = 500, .body = 1},
      {.lane = "", .at = 4000, .status = 500, .body = 1},
      {.lane = "", .at = 5000, .status = 500, .body = 1},
      {.lane = "", .at = 6000, .status = 500, .body = 1},
      {.lane = "", .at = 7000, .status = 500, .body = 1},
      {.lane = "", .at = 8000, .status = 500, .body = 1},
      {.lane = "", .at = 9000, .status = 500, .body = 1},
      {.lane = "", .at = 9990, .status = 200, .body = 1}},
     "fail",
     "retry_storm",
     NULL},
    {"no backoff",
     "a warning fails nothing",
     {{.lane = "", .at = 0, .status = 500, .body = 1},
      {.lane = "", .at = 5, .status = 500, .body = 1},
      {.lane = "", .at = 10, .status = 200, .body = 1}},
     "pass",
     "no_backoff",
     NULL},
    {"gave up",
     "the wire cannot see what the caller was told",
     {{.lane = "", .at = 0, .status = 503, .body = 1}},
     "pass",
     "gave_up",
     NULL},
    {"hours away",
     "who is told to wait for hours may give up",
     {{.lane = "", .at = 0, .status = 429, .body = 1, .retry_after = "7200"}},
     "pass",
     NULL,
     NULL},
    {"open",
     "its end is not known",
     {{.lane = "", .at = 0, .status = 503, .body = 1},
      {.lane = "", .at = 900, .status = 0, .body = 1, .lasts = -1}},
     "inconclusive",
     NULL,
     "open_attempts"}};

static void add(struct journal *j, const struct seen *s)
{
  struct attempt *a = journal_add(j);
  a->cls = ATTEMPT_CALL;
  a->end = s->lasts < 0 ? END_OPEN : END_KEPT;
  a->target = journal_text(j, a, 16);
  snprintf(a->target, 16, "/v1/messages?x");
  snprintf(a->method, sizeof a->method, "POST");
  snprintf(a->lane, sizeof a->lane, "%s", s->lane);
  snprintf(a->what, sizeof a->what, "%s", s->what ? s->what : "");
  snprintf(a->idempotency_key, sizeof a->idempotency_key, "%s",
           s->key ? s->key : "");
  snprintf(a->retry_after, sizeof a->retry_after, "%s",
           s->retry_after ? s->retry_after : "");
  a->has_retry_after = s->retry_after;
  a->retry_count = s->retry_count ? s->retry_count : -1;
  a->body_hash = s->body;
  a->status = s->status;
  a->complete = s->lasts >= 0;
  a->injected = a->delivered = s->status >= 400;
  a->first_byte_ns = (s->at + 1000) * NS_PER_MS;
  if (s->lasts < 0)
    return;
  a->answer_first_ns = a->answer_last_ns =
      a->first_byte_ns + (s->lasts ? s->lasts : 1) * NS_PER_MS;
  journal_done(j, a);
}

static bool has_code(const struct wire_verdict *v, const char *code)
{
  for (size_t i = 0; i < v->nfindings; i++)
    if (strcmp(v->findings[i].code, code) == 0)
      return true;
  return false;
}

static bool has_reason(const struct wire_verdict *v, const char *word)
{
  for (size_t i = 0; i < v->nreasons; i++)
    if (bytes_starts(bytes_of(v->reasons[i]), bytes_of(word)))
      return true;
  return false;
}

static void must_be_json(const struct wire_verdict *v)
{
  struct buf text;
  struct json_doc doc;
  struct diag diag = {0};
  buf_init(&text, 1 << 20);
  wire_verdict_json(v, &text);
  if (json_parse(&doc, "verdict", buf_bytes(&text), &diag) < 0)
    fail_msg("%s", buf_str(&text));
  const cJSON *findings = cJSON_GetObjectItem(doc.root, "findings");
  assert_int_equal(cJSON_GetArraySize(findings), v->nfindings);
  json_release(&doc);
  buf_release(&text);
}

static void judge_row(const struct row *r)
{
  struct clock_fake clock;
  struct diag diag = {0};
  struct wire_verdict v;
  const struct wire_verdict_context c = {0};
  clock_fake_init(&clock, 0);
  struct journal *j = journal_open(NULL, &clock.base, 0, &diag);
  for (size_t i = 0; i < MAX_SEEN && r->seen[i].lane; i++)
    add(j, &r->seen[i]);
  wire_verdict_judge(j, &c, &v);
  if (strcmp(wire_verdict_word(&v), r->verdict) != 0 ||
      (r->code ? !has_code(&v, r->code) : v.nfindings > 0) ||
      (r->reason ? !has_reason(&v, r->reason) : v.nreasons > 0)) {
    struct buf text;
    buf_init(&text, 1 << 16);
    wire_verdict_text(&v, &text);
    fail_msg("%s (%s): %s\n%s", r->id, r->why, wire_verdict_word(&v),
             buf_str(&text));
  }
  must_be_json(&v);
  wire_verdict_release(&v);
  journal_close(j);
}

static void what_the_wire_shows_is_judged_and_nothing_else(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++)
    judge_row(&rows[i]);
}

static void what_was_not_met_keeps_it_from_a_pass(void **state)
{
  static const struct {
    struct wire_verdict_context c;
    const char *reason;
  } contexts[] = {{{.no_faults = true}, "no_faults"},
                  {{.unused_steps = 1}, "fault_not_consumed"},
                  {{.waiting = 1}, "fault_not_consumed"}};
  static const struct seen well[] = {
      {.lane = "", .at = 0, .status = 429, .body = 1, .retry_after = "1"},
      {.lane = "", .at = 1100, .status = 200, .body = 1}};
  (void)state;
  for (size_t i = 0; i < COUNT(contexts); i++) {
    struct clock_fake clock;
    struct diag diag = {0};
    struct wire_verdict v;
    clock_fake_init(&clock, 0);
    struct journal *j = journal_open(NULL, &clock.base, 0, &diag);
    add(j, &well[0]);
    add(j, &well[1]);
    wire_verdict_judge(j, &contexts[i].c, &v);
    assert_string_equal(wire_verdict_word(&v), "inconclusive");
    assert_true(has_reason(&v, contexts[i].reason));
    wire_verdict_release(&v);
    journal_close(j);
  }
}

static void a_report_for_people_says_where_and_what_to_do(void **state)
{
  static const struct seen early[] = {
      {.lane = "", .at = 0, .status = 429, .body = 1, .retry_after = "2"},
      {.lane = "", .at = 300, .status = 200, .body = 1}};
  const struct wire_verdict_context c = {0};
  struct clock_fake clock;
  struct diag diag = {0};
  struct wire_verdict v;
  struct buf text;
  (void)state;
  clock_fake_init(&clock, 0);
  struct journal *j = journal_open(NULL, &clock.base, 0, &diag);
  add(j, &early[0]);
  add(j, &early[1]);
  wire_verdict_judge(j, &c, &v);
  buf_init(&text, 1 << 16);
  wire_verdict_text(&v, &text);
  assert_non_null(strstr(buf_str(&text),
                         "FAIL  retry_after_ignored  POST /v1/messages  "
                         "(#1, #2)\n        Retried 0.299 s after a 429 "
                         "whose retry-after was 2.000 s.\n        -> "));
  assert_null(strstr(buf_str(&text), "PASS"));
  buf_release(&text);
  wire_verdict_release(&v);
  journal_close(j);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_the_wire_shows_is_judged_and_nothing_else),
      cmocka_unit_test(what_was_not_met_keeps_it_from_a_pass),
      cmocka_unit_test(a_report_for_people_says_where_and_what_to_do)};
  return cmocka_run_group_tests_name("wire_verdict", tests, NULL, NULL);
}
