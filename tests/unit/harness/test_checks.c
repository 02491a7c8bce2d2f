#include "tests/unit/unit.h"

#include "tests/unit/harness/literal.h"

struct row {
  const char *id, *why;
  const char *expect;
  struct att attempts[MAX_LITERALS];
  struct sta starts[MAX_LITERALS];
  const char *policy; /* NULL: none */
  enum verdict verdict;
  enum kind kind;
  const char *says; /* in expected or actual, NULL: anything */
};

#define POLICY                                                                 \
  "{\"attempts\":3,\"slack\":4,\"breaker\":{\"opens_after\":2},"               \
  "\"metrics_line\":\"hits=(?<hits>[0-9]+) opened=(?<opened>[0-9]+)\"}"
#define CLASS_POLICY "{\"class_line\":\"^E (?<class>[a-z_]+)$\"}"
#define FAULT(at, end)                                                         \
  {                                                                            \
    CALL(at, end, 429), .faulty = true, .retry_after = "2"                     \
  }
#define GOOD(at, end)                                                          \
  {                                                                            \
    CALL(at, end, 200), .stream = true, .terminal = true, .step = -1           \
  }
#define BROKEN(at, end)                                                        \
  {                                                                            \
    CALL(at, end, 200), .stream = true, .faulty = true                         \
  }
/* A fault at 0 and the repeat of it, in a lane. */
#define PAIR(again, name)                                                      \
  {CALL(0, 0.1, 529), .faulty = true, .lane = name},                           \
  {                                                                            \
    CALL(again, again + 0.1, 200), .lane = name                                \
  }
/* Three faults in a lane, so many seconds apart. */
#define THREE(first, second, name)                                             \
  {CALL(0, 0.1, 529), .faulty = true, .lane = name},                           \
      {CALL(0.1 + (first), 0.2 + (first), 529), .faulty = true, .lane = name}, \
  {                                                                            \
    CALL(0.2 + (first) + (second), 0.3 + (first) + (second), 529),             \
        .faulty = true, .lane = name                                           \
  }
/* A faulty handshake on a connection. */
#define SHAKE(at, end, number)                                                 \
  {                                                                            \
    CALL(at, end, 0), .shake = true, .faulty = true, .conn = number            \
  }
#define WHOLE "Hello from faultwire."

static const struct row rows[] = {
#include "tests/unit/harness/check_rows_wire.h"

#include "tests/unit/harness/check_rows_client.h"

#include "tests/unit/harness/check_rows_conduct.h"

#include "tests/unit/harness/check_rows_pace.h"

#include "tests/unit/harness/check_rows_tls.h"

#include "tests/unit/harness/check_rows_exact.h"

#include "tests/unit/harness/check_rows_crowd.h"
};

/* One check compares with the script; the others need none. */
static const char *script_of(const struct row *r)
{
  return strstr(r->expect, "\"self_check\"")
             ? "[{\"fault\":\"rate_limit\",\"retry_after\":\"2\"},"
               "{\"reply\":\"message\"}]"
             : "[]";
}

static struct finding judge_row(const struct row *r)
{
  struct literal l;
  struct diag diag = {0};
  struct finding f = {0};
  if (literal_init(&l, script_of(r), "{}", r->expect, r->policy, &diag) < 0)
    fail_msg("%s: %s", r->id, diag.text);
  literal_fill(&l, r->attempts, r->starts);
  l.spec.expects[0].check->judge(&l.e, &l.spec.expects[0], &f);
  literal_release(&l);
  return f;
}

static void every_row_gets_its_verdict(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    const struct row *r = &rows[i];
    struct finding f = judge_row(r);
    if (f.verdict != r->verdict || f.kind != r->kind)
      fail_msg("%s (%s): %s/%s: %s; expected %s, actual %s", r->id, r->why,
               verdict_name(f.verdict), kind_name(f.kind), f.text, f.expected,
               f.actual);
    if (r->says && !strstr(f.expected, r->says) && !strstr(f.actual, r->says))
      fail_msg("%s: nobody says '%s': expected %s, actual %s", r->id, r->says,
               f.expected, f.actual);
    if (f.text[0] == '\0')
      fail_msg("%s: no text", r->id);
  }
}

static bool has_row(const char *check, enum verdict v)
{
  char key[64];
  snprintf(key, sizeof key, "\"check\":\"%s\"", check);
  for (size_t i = 0; i < COUNT(rows); i++)
    if (strstr(rows[i].expect, key) && rows[i].verdict == v)
      return true;
  return false;
}

static bool can_skip(const struct check *c)
{
  for (const struct param *p = c->params; p->name; p++)
    if (p->type == PARAM_EXPR)
      return true;
  return strcmp(c->name, "metrics_line") == 0 || strcmp(c->name, "class") == 0;
}

static void every_check_has_rows_that_pass_fail_and_prove_nothing(void **state)
{
  static const enum verdict wanted[] = {VERDICT_PASS, VERDICT_FAIL,
                                        VERDICT_INCONCLUSIVE};
  (void)state;
  for (size_t i = 0; checks[i]; i++) {
    for (size_t k = 0; k < COUNT(wanted); k++)
      if (!has_row(checks[i]->name, wanted[k]))
        fail_msg("%s has no row with %s", checks[i]->name,
                 verdict_name(wanted[k]));
    if (can_skip(checks[i]) && !has_row(checks[i]->name, VERDICT_SKIP))
      fail_msg("%s has no row with skip", checks[i]->name);
    assert_true(checks[i]->summary[0] != '\0');
  }
}

static void every_word_of_the_case_log_leads_to_a_check(void **state)
{
  size_t n = 0;
  (void)state;
  for (; case_names[n].name; n++) {
    const struct check *c = check_find(case_names[n].check);
    struct diag diag = {0};
    char keys[160];
    if (!c)
      fail_msg("%s: no check %s", case_names[n].name, case_names[n].check);
    snprintf(keys, sizeof keys, "%s", case_names[n].keys);
    char *rest = keys;
    for (char *key; (key = strsep(&rest, ", ")) != NULL;) {
      const struct param *p = c->params;
      while (*key && p->name && strcmp(p->name, key) != 0)
        p++;
      if (*key && !p->name && strcmp(key, "lane") != 0)
        fail_msg("%s: %s has no key %s", case_names[n].name, c->name, key);
    }
    assert_false(diag.set);
  }
  assert_int_equal(n, 24); /* the kinds of the case log */
}

static void another_word_of_the_case_log_is_told_the_right_one(void **state)
{
  struct literal l;
  struct diag diag = {0};
  (void)state;
  assert_int_equal(literal_init(&l, "[]", "{}",
                                "{\"check\":\"gap_min\",\"seconds\":2}", NULL,
                                &diag),
                   -1);
  if (!strstr(diag.text, "did you mean 'gap' with at_least?"))
    fail_msg("%s", diag.text);
}

static void a_date_is_measured_against_the_wall_clock(void **state)
{
  struct literal l;
  struct diag diag = {0};
  double s = 0;
  /* RFC 9110 5.6.7's own example is 784111777 seconds after 1970 */
  const struct att a[] = {{CALL(0, 0.5, 429), .faulty = true,
                           .retry_after = "Sun, 06 Nov 1994 08:49:37 GMT"},
                          {.end_s = 0}};
  const struct sta none[] = {{.exit_s = 0}};
  (void)state;
  assert_int_equal(
      literal_init(&l, "[]", "{}", "{\"check\":\"body_same\"}", NULL, &diag),
      0);
  literal_fill(&l, a, none);
  l.e.wall_offset_ns = (INT64_C(784111777) - 10) * NS_PER_S - literal_ns(0.5);
  assert_true(attempt_retry_after_s(&l.e, &l.attempts[0], &s));
  assert_true(s > 9.999 && s < 10.001);
  l.e.wall_offset_ns += 60 * NS_PER_S;
  assert_true(attempt_retry_after_s(&l.e, &l.attempts[0], &s));
  assert_true(s >= 0 && s <= 0);
  literal_release(&l);
}

static void junk_after_a_number_is_no_retry_after(void **state)
{
  static const char *const junk[] = {"soon", "5s", "", "1e3", "0x10", "2;3"};
  struct evidence e = {0};
  (void)state;
  for (size_t i = 0; i < COUNT(junk); i++) {
    struct attempt a = {.has_retry_after = true, .step = -1};
    double s = 0;
    snprintf(a.retry_after, sizeof a.retry_after, "%s", junk[i]);
    if (attempt_retry_after_s(&e, &a, &s))
      fail_msg("'%s' was read as %g", junk[i], s);
  }
}

static void an_answer_the_client_left_ends_when_it_left(void **state)
{
  struct attempt a = {.first_byte_ns = 10,
                      .end_request_ns = 20,
                      .answer_last_ns = 30,
                      .client_left_ns = 90,
                      .end = END_CLIENT};
  (void)state;
  assert_int_equal(attempt_end_ns(&a), 90);
  a.complete = true; /* it left after the whole answer */
  assert_int_equal(attempt_end_ns(&a), 30);
  a = (struct attempt){
      .first_byte_ns = 10, .end_request_ns = 20, .end = END_RST};
  assert_int_equal(attempt_end_ns(&a), 20);
}

/* What frames the end of a body is not what the client waits for. */
static void a_stream_is_whole_with_its_terminal_event(void **state)
{
  struct attempt a = {.stream_sent = true, .terminal_sent = true};
  (void)state;
  assert_true(attempt_whole(&a));
  a = (struct attempt){.stream_sent = true, .complete = true};
  assert_false(attempt_whole(&a));
  a = (struct attempt){.complete = true};
  assert_true(attempt_whole(&a));
  a = (struct attempt){.complete = false};
  assert_false(attempt_whole(&a));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_stream_is_whole_with_its_terminal_event),
      cmocka_unit_test(every_row_gets_its_verdict),
      cmocka_unit_test(every_check_has_rows_that_pass_fail_and_prove_nothing),
      cmocka_unit_test(every_word_of_the_case_log_leads_to_a_check),
      cmocka_unit_test(another_word_of_the_case_log_is_told_the_right_one),
      cmocka_unit_test(a_date_is_measured_against_the_wall_clock),
      cmocka_unit_test(junk_after_a_number_is_no_retry_after),
      cmocka_unit_test(an_answer_the_client_left_ends_when_it_left)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
