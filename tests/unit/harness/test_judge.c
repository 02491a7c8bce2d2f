#include "tests/unit/unit.h"

#include "harness/judge.h"
#include "tests/unit/harness/literal.h"

#define RATE_LIMIT "[{\"fault\":\"rate_limit\"},{\"reply\":\"message\"}]"
#define CUT "[{\"fault\":\"stream_cut\"}]"
#define ONE "{\"check\":\"attempts\",\"exactly\":1}"
#define TWO "{\"check\":\"attempts\",\"exactly\":2}"
#define FAULT(at, end)                                                         \
  {                                                                            \
    CALL(at, end, 429), .faulty = true, .retry_after = "2"                     \
  }

static const struct row {
  const char *id, *steps, *expect;
  struct att attempts[4];
  struct sta starts[2];
  enum verdict verdict;
  enum kind kind;
  const char *says;
} rows[] = {
    {"pass",
     RATE_LIMIT,
     TWO,
     {FAULT(0, 1), {CALL(2, 3, 200), .step = 1}},
     {{RAN(0, 4)}},
     VERDICT_PASS,
     KIND_NONE,
     ""},
    {"fail",
     RATE_LIMIT,
     ONE,
     {FAULT(0, 1), {CALL(2, 3, 200), .step = 1}},
     {{RAN(0, 4)}},
     VERDICT_FAIL,
     KIND_ASSERT,
     "attempts"},
    {"fail-for-want-of-descriptors",
     RATE_LIMIT,
     TWO,
     {FAULT(0, 1), {.at_s = 2, .end_s = 3, .step = -1, .starved = true}},
     {{RAN(0, 4)}},
     VERDICT_INCONCLUSIVE,
     KIND_HARNESS,
     "ulimit -n"},
    {"hang",
     RATE_LIMIT,
     "{\"check\":\"exit_code\",\"in\":[0]}",
     {FAULT(0, 1)},
     {{RAN(0, 4), .timed_out = true}},
     VERDICT_FAIL,
     KIND_HANG,
     "limit"},
    {"crash-unasked",
     RATE_LIMIT,
     ONE,
     {FAULT(0, 1)},
     {{RAN(0, 4), .sig = 11}},
     VERDICT_FAIL,
     KIND_CRASH,
     "signal 11"},
    {"not-wired",
     RATE_LIMIT,
     "{\"check\":\"exit_code\",\"not_in\":[0]}",
     {{.end_s = 0}},
     {{RAN(0, 4)}},
     VERDICT_INCONCLUSIVE,
     KIND_NO_CONTACT,
     "not wired"},
    {"not-delivered",
     RATE_LIMIT,
     ONE,
     {{CALL(0, 1, 200), .step = -1}},
     {{RAN(0, 4)}},
     VERDICT_INCONCLUSIVE,
     KIND_NOT_DELIVERED,
     "steps[0] (rate_limit)"},
    {"fail-before-not-delivered",
     RATE_LIMIT,
     TWO,
     {{CALL(0, 1, 200), .step = -1}},
     {{RAN(0, 4)}},
     VERDICT_FAIL,
     KIND_ASSERT,
     "attempts"},
    {"no-stream",
     CUT,
     ONE,
     {{CALL(0, 1, 200), .step = 0}},
     {{RAN(0, 4)}},
     VERDICT_INCONCLUSIVE,
     KIND_NOT_DELIVERED,
     "streamed call"},
    {"check-proves-nothing",
     RATE_LIMIT,
     ONE ",{\"check\":\"body_same\"}",
     {FAULT(0, 1)},
     {{RAN(0, 4)}},
     VERDICT_INCONCLUSIVE,
     KIND_ASSERT,
     "no call was repeated"},
    {"warn",
     RATE_LIMIT,
     "{\"check\":\"attempts\",\"exactly\":2,\"level\":\"should\"}",
     {FAULT(0, 1)},
     {{RAN(0, 4)}},
     VERDICT_WARN,
     KIND_ASSERT,
     "attempts"},
    {"skip",
     RATE_LIMIT,
     "{\"check\":\"attempts\",\"exactly\":2,\"needs\":[\"breaker\"]}",
     {FAULT(0, 1)},
     {{RAN(0, 4)}},
     VERDICT_SKIP,
     KIND_NONE,
     "breaker"},
    {"skip-and-pass",
     RATE_LIMIT,
     ONE ",{\"check\":\"attempts\",\"exactly\":2,\"needs\":[\"breaker\"]}",
     {FAULT(0, 1)},
     {{RAN(0, 4)}},
     VERDICT_PASS,
     KIND_NONE,
     ""},
    {"expects-nothing",
     RATE_LIMIT,
     "",
     {FAULT(0, 1)},
     {{RAN(0, 4)}},
     VERDICT_INCONCLUSIVE,
     KIND_HARNESS,
     "expects nothing"},
};

static void init(struct literal *l, const struct row *r)
{
  struct diag diag = {0};
  if (literal_init(l, r->steps, "{}", r->expect, NULL, &diag) < 0)
    fail_msg("%s: %s", r->id, diag.text);
  literal_fill(l, r->attempts, r->starts);
  for (size_t i = 0; i < l->e.nattempts; i++)
    if (l->attempts[i].step >= 0)
      l->uses[l->attempts[i].step]++;
}

static void a_run_gets_its_word(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct literal l;
    struct outcome o;
    size_t n = 0;
    init(&l, &rows[i]);
    struct judged *list = judge_checks(&l.e, &n);
    judge_decide(&l.e, list, n, &o);
    if (o.verdict != rows[i].verdict || o.kind != rows[i].kind ||
        !strstr(o.reason, rows[i].says))
      fail_msg("%s: %s/%s: %s", rows[i].id, verdict_name(o.verdict),
               kind_name(o.kind), o.reason);
    free(list);
    literal_release(&l);
  }
}

static void a_client_that_could_not_be_started_is_our_failure(void **state)
{
  struct literal l;
  struct outcome o;
  size_t n = 0;
  (void)state;
  init(&l, &rows[0]);
  l.e.nattempts = 0;
  l.starts[0].launched = false;
  snprintf(l.starts[0].launch_error, sizeof l.starts[0].launch_error,
           "no such file");
  struct judged *list = judge_checks(&l.e, &n);
  judge_decide(&l.e, list, n, &o);
  assert_int_equal(o.verdict, VERDICT_INCONCLUSIVE);
  assert_int_equal(o.kind, KIND_HARNESS);
  assert_non_null(strstr(o.reason, "no such file"));
  free(list);
  literal_release(&l);
}

/* By a limit of the run's own, while a start was there or before the next. */
static void a_run_that_was_cut_short_is_not_passed(void **state)
{
  static const struct {
    size_t row;
    bool timed_out;
    enum verdict verdict;
    const char *says;
  } each[] = {{0, true, VERDICT_INCONCLUSIVE, "it still ran after more calls"},
              {0, false, VERDICT_INCONCLUSIVE, "no further start, by seven"},
              {1, true, VERDICT_FAIL, "attempts"}};
  (void)state;
  for (size_t i = 0; i < COUNT(each); i++) {
    struct literal l;
    struct outcome o;
    size_t n = 0;
    init(&l, &rows[each[i].row]);
    l.starts[0].timed_out = each[i].timed_out;
    l.starts[0].ended_by = START_ATTEMPTS;
    snprintf(l.starts[0].ended_in, sizeof l.starts[0].ended_in, "seven");
    struct judged *list = judge_checks(&l.e, &n);
    judge_decide(&l.e, list, n, &o);
    if (o.verdict != each[i].verdict || !strstr(o.reason, each[i].says))
      fail_msg("%zu: %s: %s", i, verdict_name(o.verdict), o.reason);
    free(list);
    literal_release(&l);
  }
}

static void the_object_has_the_keys_of_the_report(void **state)
{
  static const char *const keys[] = {
      "name",   "file",    "why",        "verdict", "kind",
      "reason", "seconds", "seed",       "checks",  "attempts",
      "side",   "starts",  "transcript", "again"};
  const struct judge_names names = {"area/one", "area/one.json", "again", 7,
                                    1.5};
  struct literal l;
  (void)state;
  init(&l, &rows[1]);
  cJSON *o = judge_json(&l.e, &names);
  char *text = cJSON_PrintUnformatted(o);
  cJSON *again = cJSON_Parse(text);
  for (size_t i = 0; i < COUNT(keys); i++)
    if (!param_has(again, keys[i]))
      fail_msg("no key '%s'", keys[i]);
  assert_int_equal(cJSON_GetArraySize(param_node(again, "attempts")), 2);
  const char *line =
      cJSON_GetArrayItem(param_node(again, "transcript"), 0)->valuestring;
  assert_non_null(strstr(line, "#1  0.000 s  POST"));
  assert_non_null(strstr(line, "-> 429, retry-after: 2"));
  line = cJSON_GetArrayItem(param_node(again, "transcript"), 2)->valuestring;
  assert_string_equal(line, "exit 0 after 4.00 s");
  cJSON_free(text);
  cJSON_Delete(again);
  cJSON_Delete(o);
  literal_release(&l);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_run_gets_its_word),
      cmocka_unit_test(a_client_that_could_not_be_started_is_our_failure),
      cmocka_unit_test(a_run_that_was_cut_short_is_not_passed),
      cmocka_unit_test(the_object_has_the_keys_of_the_report)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
