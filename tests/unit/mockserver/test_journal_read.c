/* A journal's lines come back as the attempts they were. */
#include "mockserver/journal_read.h"
#include "tests/unit/unit.h"

#include <string.h>

/* Nothing in it is the default. */
static void fill(struct journal *j, struct attempt *a)
{
  static const char headers[] = "Host: x\nAuthorization: a\xff"
                                "b: c\nEmpty: \n";
  static const char body[] = "a\0b\xfe\xef\xbf\xbd";
  static const char argv[] = "-p\0hel lo\0", env[] = "PATH\0H\xc3\0";
  a->conn_id = 77;
  a->cls = ATTEMPT_CALL;
  a->end = END_EXIT;
  a->first_byte_ns = INT64_C(9007199254740993);
  a->end_request_ns = INT64_C(9007199254740995);
  snprintf(a->tls, sizeof a->tls, "TLS1.3");
  snprintf(a->method, sizeof a->method, "POST");
  a->target = mem_strdup("/v1/messages?x=\x80");
  a->headers = mem_strdup(headers);
  a->body_hash = UINT64_C(0xfedcba9876543210);
  a->body_kept = sizeof body - 1;
  a->body_bytes = 400000;
  a->body = journal_text(j, a, sizeof body);
  memcpy(a->body, body, sizeof body);
  a->flaws = 5;
  a->pipelined_bytes = 12;
  a->is_start = true;
  a->argv = journal_text(j, a, sizeof argv);
  memcpy(a->argv, argv, sizeof argv);
  a->argv_bytes = sizeof argv - 1;
  a->env = journal_text(j, a, sizeof env);
  memcpy(a->env, env, sizeof env);
  a->env_bytes = sizeof env - 1;
  a->exit_code = 3;
  snprintf(a->lane, sizeof a->lane, "one");
  snprintf(a->provider, sizeof a->provider, "anthropic");
  snprintf(a->model, sizeof a->model, "m\xc3");
  a->stream = true;
  a->retry_count = 2;
  snprintf(a->idempotency_key, sizeof a->idempotency_key, "k\xff");
  a->step = 4;
  a->script = 2;
}

static void fill_events(struct journal *j, struct attempt *a)
{
  static const enum event_kind kinds[] = {EVENT_CONTENT, EVENT_PING,
                                          EVENT_ERROR, EVENT_CONTENT};
  a->answer_first_ns = 5;
  for (int i = 0; i < EVENT_TIMES_MAX + 6; i++) {
    /* odd, and above 2^53 from the first on; 64 of them are below 2^63 */
    a->answer_last_ns =
        i < EVENT_TIMES_MAX ? 5 + i * INT64_C(144115188075855873) : INT64_MAX;
    journal_event(j, a, kinds[i % 4]);
  }
}

static void fill_answer(struct attempt *a)
{
  snprintf(a->rule, sizeof a->rule, "step 4");
  snprintf(a->fault, sizeof a->fault, "rate_limit");
  a->status = 429;
  snprintf(a->what, sizeof a->what, "429 rate_limit_error");
  snprintf(a->retry_after, sizeof a->retry_after, "2");
  a->has_retry_after = a->injected = a->delivered = a->complete = true;
  a->stream_sent = a->terminal_sent = true;
  a->barrier_round = 1;
  a->barrier_came = 2;
  a->barrier_wanted = 3;
  a->barrier_open_ns = 4;
  snprintf(a->limits, sizeof a->limits, "requests 3/5");
  a->bytes_sent = 600;
  a->answer_first_ns = INT64_MAX;
  a->answer_last_ns = INT64_MAX;
  a->client_left_ns = 8;
}

static void same_bytes(const char *a, size_t n, const char *b, size_t m)
{
  assert_int_equal(n, m);
  assert_memory_equal(a, b, n);
}

static void check_events(const struct event_times *a,
                         const struct event_times *b)
{
  assert_int_equal(a->n, EVENT_TIMES_MAX);
  assert_int_equal(b->n, EVENT_TIMES_MAX);
  assert_memory_equal(a->kind, b->kind, sizeof a->kind);
  assert_memory_equal(a->ns, b->ns, sizeof a->ns);
  assert_true(b->ns[63] > INT64_C(9007199254740993));
}

static void check_owned(const struct attempt *a, const struct attempt *b)
{
  check_events(a->events, b->events);
  assert_string_equal(a->target, b->target);
  assert_string_equal(a->headers, b->headers);
  same_bytes(a->body, a->body_kept, b->body, b->body_kept);
  same_bytes(a->argv, a->argv_bytes, b->argv, b->argv_bytes);
  same_bytes(a->env, a->env_bytes, b->env, b->env_bytes);
}

/* All but what the attempt only points to. */
static void check_plain(const struct attempt *a, const struct attempt *b)
{
  struct attempt x = *a, y = *b;
  x.target = x.headers = x.body = x.argv = x.env = NULL;
  y.target = y.headers = y.body = y.argv = y.env = NULL;
  x.events = y.events = NULL;
  assert_int_equal(x.seq, y.seq);
  assert_true(x.first_byte_ns == y.first_byte_ns);
  assert_true(x.answer_last_ns == y.answer_last_ns);
  assert_string_equal(x.model, y.model);
  assert_string_equal(x.idempotency_key, y.idempotency_key);
  assert_memory_equal(&x, &y, sizeof x);
}

static void nothing_of_an_attempt_is_lost(void **state)
{
  struct diag diag = {0};
  struct journal *j = journal_open(NULL, clock_real(), 0, &diag);
  struct attempt *a = journal_add(j);
  struct journal_copy c;
  struct buf line, again;
  (void)state;
  fill(j, a);
  fill_events(j, a);
  fill_answer(a);
  buf_init(&line, 1 << 20);
  buf_init(&again, 1 << 20);
  attempt_json(a, &line);
  buf_addc(&line, '\n');
  if (journal_read(&c, "j", buf_bytes(&line), &diag) < 0)
    fail_msg("%d: %s %s", diag.line, diag.path, diag.text);
  assert_int_equal(c.n, 1);
  check_owned(a, &c.attempts[0]);
  check_plain(a, &c.attempts[0]);
  attempt_json(&c.attempts[0], &again);
  buf_addc(&again, '\n');
  assert_string_equal(buf_str(&line), buf_str(&again));
  journal_copy_release(&c);
  free(a->target);
  free(a->headers);
  buf_release(&line);
  buf_release(&again);
  journal_close(j);
}

/* ASCII, and still nothing that pairs of name and value could tell. */
static void head_lines_of_any_form_come_back(void **state)
{
  static const char *const heads[] = {"no colon\n", "a:b\n", "a: b", "\n", ""};
  (void)state;
  for (size_t i = 0; i < COUNT(heads); i++) {
    struct diag diag = {0};
    struct journal *j = journal_open(NULL, clock_real(), 0, &diag);
    struct attempt *a = journal_add(j);
    struct journal_copy c;
    struct buf line;
    buf_init(&line, 1 << 20);
    a->headers = mem_strdup(heads[i]);
    attempt_json(a, &line);
    buf_addc(&line, '\n');
    assert_int_equal(journal_read(&c, "j", buf_bytes(&line), &diag), 0);
    assert_string_equal(c.attempts[0].headers, heads[i]);
    journal_copy_release(&c);
    buf_release(&line);
    free(a->headers);
    journal_close(j);
  }
}

/* Lines are written when attempts end, evidence is in order of arrival. */
static void attempts_come_back_in_order_of_arrival(void **state)
{
  struct diag diag = {0};
  struct journal *j = journal_open(NULL, clock_real(), 0, &diag);
  struct attempt *a = journal_add(j), *b = journal_add(j);
  struct journal_copy c;
  struct buf text;
  (void)state;
  buf_init(&text, 1 << 20);
  attempt_json(b, &text);
  buf_addc(&text, '\n');
  attempt_json(a, &text);
  buf_addc(&text, '\n');
  assert_int_equal(journal_read(&c, "j", buf_bytes(&text), &diag), 0);
  assert_int_equal(c.n, 2);
  assert_int_equal(c.attempts[0].seq, 1);
  assert_int_equal(c.attempts[1].seq, 2);
  assert_int_equal(c.attempts[0].retry_count, -1);
  assert_false(c.attempts[0].has_retry_after);
  journal_copy_release(&c);
  buf_release(&text);
  journal_close(j);
}

#define GOOD                                                                   \
  "{\"seq\":1,\"conn\":1,\"class\":\"call\",\"end\":\"fin\","                  \
  "\"first_byte_ns\":5,\"end_request_ns\":6,\"method\":\"GET\","               \
  "\"target\":\"/\",\"headers\":[],\"body_hash\":\"0000000000000000\","        \
  "\"body_bytes\":0,\"body\":\"\",\"lane\":\"\",\"provider\":\"\","            \
  "\"model\":\"\",\"stream\":false,\"retry_count\":-1,"                        \
  "\"idempotency_key\":\"\",\"step\":0,\"rule\":\"\",\"fault\":\"\","          \
  "\"status\":200,\"what\":\"\",\"retry_after\":null,\"injected\":false,"      \
  "\"delivered\":false,\"complete\":true,\"stream_sent\":false,"               \
  "\"terminal_sent\":false,\"events_sent\":0,\"bytes_sent\":1,"                \
  "\"answer_first_ns\":7,\"answer_last_ns\":8,\"client_left_ns\":0}\n"

static const struct {
  const char *id, *from, *to; /* replaced in the second line */
  const char *says;
} bad[] = {
    {"unknown key", "\"seq\"", "\"sqe\"", "did you mean 'seq'"},
    {"missing key", "\"seq\":1,", "", "'seq' is missing"},
    {"key twice", "\"conn\":1", "\"conn\":1,\"conn\":1", "stands twice"},
    {"class", "\"call\"", "\"cal\"", "did you mean 'call'"},
    {"end", "\"fin\"", "\"find\"", "did you mean 'fin'"},
    {"negative time", "\"first_byte_ns\":5", "\"first_byte_ns\":-5",
     "whole number"},
    {"time with a fraction", "\"first_byte_ns\":5", "\"first_byte_ns\":5.5",
     "whole number"},
    {"number of a text", "\"seq\":1", "\"seq\":\"x\"", "whole number"},
    {"seq 0", "\"seq\":1", "\"seq\":0", "counts from 1"},
    {"hash", "\"0000000000000000\"", "\"00\"", "16 digits"},
    {"headers", "\"headers\":[]", "\"headers\":[[\"a\"]]", "[name, value]"},
    {"text too long", "\"method\":\"GET\"", "\"method\":\"GETGETGETGETGETGET\"",
     "15 at the most"},
    {"flaw", "\"lane\"", "\"flaws\":[\"two host\"],\"lane\"", "two hosts"},
    {"channel", "\"lane\"", "\"channel\":\"http\",\"lane\"", "command"},
    {"base64 key", "\"client_left_ns\":0",
     "\"client_left_ns\":0,\"base64\":{\"bdy\":\"\"}", "'body'"},
    {"base64 value", "\"client_left_ns\":0",
     "\"client_left_ns\":0,\"base64\":{\"body\":\"?\"}", "no base64"},
    {"no events", "\"bytes_sent\"", "\"events\":[],\"bytes_sent\"",
     "1 to 64 are kept"},
    {"an event's letter", "\"bytes_sent\"",
     "\"events\":[[0,\"c\"],[1,\"x\"]],\"bytes_sent\"", "one of c, p"},
    {"an event's letters", "\"bytes_sent\"",
     "\"events\":[[0,\"cc\"]],\"bytes_sent\"", "one of c, p"},
    {"an event without a time", "\"bytes_sent\"",
     "\"events\":[[\"c\"]],\"bytes_sent\"", "[nanoseconds, letter]"},
    {"an event in the past", "\"bytes_sent\"",
     "\"events\":[[5,\"c\"],[4,\"t\"]],\"bytes_sent\"",
     "before the event in front"},
    {"no object", GOOD, "[]\n", "object"},
    {"no JSON", "{\"seq\"", "{seq", "not JSON"},
    {"cut off", "\"client_left_ns\":0}\n", "\"client_left_ns\":0}",
     "has no end"},
    {"empty line", GOOD, "\n", "ends too early"},
    {"same attempt", "\"status\":200", "\"status\":201", "stands twice"},
};

static char *replaced(const char *text, const char *from, const char *to)
{
  const char *at = strstr(text, from);
  assert_non_null(at);
  return mem_format("%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
}

static void a_wrong_line_is_an_error_with_its_place(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(bad); i++) {
    struct journal_copy c = {0};
    struct diag diag = {0};
    char *second = replaced(GOOD, bad[i].from, bad[i].to);
    char *both = mem_format("%s%s", GOOD, second);
    if (journal_read(&c, "run/journal.jsonl", bytes_of(both), &diag) == 0)
      fail_msg("%s was taken", bad[i].id);
    bool twice = strcmp(bad[i].id, "same attempt") == 0;
    if (!strstr(diag.text, bad[i].says) || (!twice && diag.line != 2) ||
        strcmp(diag.file, "run/journal.jsonl") != 0)
      fail_msg("%s: %s:%d: %s", bad[i].id, diag.file, diag.line, diag.text);
    assert_null(c.attempts);
    free(both);
    free(second);
  }
}

static void an_empty_journal_has_no_attempts(void **state)
{
  struct journal_copy c;
  struct diag diag = {0};
  (void)state;
  assert_int_equal(journal_read(&c, "j", BYTES(""), &diag), 0);
  assert_int_equal(c.n, 0);
  journal_copy_release(&c);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nothing_of_an_attempt_is_lost),
      cmocka_unit_test(head_lines_of_any_form_come_back),
      cmocka_unit_test(attempts_come_back_in_order_of_arrival),
      cmocka_unit_test(a_wrong_line_is_an_error_with_its_place),
      cmocka_unit_test(an_empty_journal_has_no_attempts)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
