/* What checks say in virtual time: slept or slow, small bounds, stalled. The
 * evidence is written by hand. */
#include "tests/unit/unit.h"

#include "harness/judge.h"
#include "tests/unit/harness/literal.h"

#define STEPS                                                                  \
  "[{\"fault\":\"rate_limit\",\"retry_after\":\"2\"},{\"reply\":\"message\"}]"
#define GAP                                                                    \
  "{\"check\":\"gap\",\"at_least\":\"retry_after\",\"at_most\":"               \
  "\"retry_after + policy.slack\"}"
#define GROWS "{\"check\":\"gap\",\"grows\":2}"
#define REPORT "{\"check\":\"wait_report\",\"matches\":\"wait (?<n>[0-9.]+)\"}"
#define TOTAL "{\"check\":\"total_time\",\"at_most\":\"2 + policy.slack\"}"
#define ENDS "{\"check\":\"exit_code\",\"in\":[0]}"
#define MORE "{\"check\":\"attempts\",\"at_least\":2}"

/* Time that passed by a jump, or slowly, up to `at_s`. */
struct passed {
  double at_s, length_s;
  int slow; /* 0: a jump, else 1 + enum slow_kind */
};

static const struct row {
  const char *id, *why, *expect, *policy;
  double next_s[3]; /* when the next calls come; answer 1 ends at 1 s */
  struct passed passed[4];
  enum verdict verdict;
  const char *says; /* in expected or actual */
} rows[] = {
    {"on-time",
     "the wait it was asked for",
     GAP,
     NULL,
     {3},
     {{3, 2, 0}},
     VERDICT_PASS,
     "1999..2005 ms"},
    {"rounding",
     "runtimes wait in whole milliseconds",
     GAP,
     NULL,
     {3.004},
     {{3.004, 2.004, 0}},
     VERDICT_PASS,
     "virtual time"},
    {"50-ms-late",
     "no load of the machine explains that",
     GAP,
     NULL,
     {3.05},
     {{3.05, 2.05, 0}},
     VERDICT_FAIL,
     "2050 ms   (slept 2050 ms"},
    {"a-ms-early",
     "runtimes count whole milliseconds",
     GAP,
     NULL,
     {2.9995},
     {{2.9995, 1.9995, 0}},
     VERDICT_PASS,
     "1999..2005 ms"},
    {"2-ms-early",
     "that is no rounding",
     GAP,
     NULL,
     {2.998},
     {{2.998, 1.998, 0}},
     VERDICT_FAIL,
     "1998 ms   (slept 1998 ms"},
    {"computing",
     "CPU time on the clock is no wait",
     GAP,
     NULL,
     {3.5},
     {{3, 2, 0}, {3.5, 0.5, 1 + SLOW_COMPUTING}},
     VERDICT_PASS,
     "policy.slack = 0.505 s"},
    {"too-early-computing",
     "it worked instead of waiting",
     GAP,
     NULL,
     {2.2},
     {{2.2, 1.2, 1 + SLOW_COMPUTING}},
     VERDICT_FAIL,
     "1200 ms   (slept 0 ms; was slow, computing 1200 ms)"},
    {"computing-before",
     "what it computed earlier is no excuse",
     GAP,
     NULL,
     {3.5},
     {{0.9, 0.5, 1 + SLOW_COMPUTING}, {3.5, 2.5, 0}},
     VERDICT_FAIL,
     "1999..2005 ms"},
    {"real-rate",
     "load counts where time is real",
     GAP,
     NULL,
     {4},
     {{4, 3, 1 + SLOW_REAL_RATE}},
     VERDICT_PASS,
     "policy.slack = 4 s"},
    {"real-rate-too-late",
     "more than any load",
     GAP,
     NULL,
     {7.5},
     {{7.5, 6.5, 1 + SLOW_REAL_RATE}},
     VERDICT_FAIL,
     "at the real rate 6500"},
    {"busy-wait",
     "reads of the clock",
     GAP,
     NULL,
     {2.5},
     {{.slow = 0}},
     VERDICT_FAIL,
     "1500 ms   (slept 0 ms; was slow, reading the clock 1500 ms)"},
    {"own-slack",
     "who says slack adds a random wait",
     GAP,
     "{\"slack\":1}",
     {3.9},
     {{3.9, 2.9, 0}},
     VERDICT_PASS,
     "policy.slack = 1 s"},
    {"virtual-slack",
     "the smaller one, because it is said",
     GAP,
     "{\"slack\":4,\"virtual_slack\":0.2}",
     {3.3},
     {{3.3, 2.3, 0}},
     VERDICT_FAIL,
     "policy.slack = 0.2 s"},
    {"nobody-came-back",
     "nothing to measure",
     GAP,
     NULL,
     {0},
     {{.slow = 0}},
     VERDICT_INCONCLUSIVE,
     "no such wait"},
    {"grows",
     "twice, but for a rounding",
     GROWS,
     NULL,
     {2, 4.096},
     {{2, 1, 0}, {4.096, 1.996, 0}},
     VERDICT_PASS,
     "1995 ms or more"},
    {"grows-40-ms-less",
     "a margin for load alone",
     GROWS,
     NULL,
     {2, 4.06},
     {{2, 1, 0}, {4.06, 1.96, 0}},
     VERDICT_FAIL,
     "slept 1960 ms"},
    {"report-done",
     "announced and slept",
     REPORT,
     NULL,
     {3},
     {{3, 2, 0}},
     VERDICT_PASS,
     "2000 ms"},
    {"report-and-work",
     "it slept what it said, and worked besides",
     REPORT,
     NULL,
     {6},
     {{3, 2, 0}, {6, 3, 1 + SLOW_COMPUTING}},
     VERDICT_PASS,
     "5000 ms"},
    {"report-not-slept",
     "neither slept nor waited",
     REPORT,
     NULL,
     {1.2},
     {{1.2, 0.2, 0}},
     VERDICT_FAIL,
     "200 ms   (slept 200 ms"},
    {"total",
     "in time",
     TOTAL,
     NULL,
     {3},
     {{3, 3, 0}},
     VERDICT_FAIL,
     "(slept 3000 ms"},
};

static void pass(struct jump_log *l, const struct passed *p)
{
  int64_t at = literal_ns(p->at_s);
  int64_t length = (int64_t)(p->length_s * (double)NS_PER_S);
  struct jump j = {.at_ns = at,
                   .length_ns = length,
                   .asked_ns = length,
                   .pid = 7,
                   .tid = 7,
                   .comm = "client",
                   .call = "nanosleep"};
  if (p->slow)
    jump_log_add_slow(l, (enum slow_kind)(p->slow - 1), at, length);
  else if (length)
    jump_log_add(l, &j);
}

static void fill(struct literal *l, const struct row *r)
{
  struct att a[5] = {{CALL(0, 1, 429), .faulty = true, .retry_after = "2"}};
  bool total = strstr(r->expect, "total_time") != NULL;
  struct sta s[2] = {{RAN(0, total ? 3 : 20), .err = "wait 2\n"}};
  for (int i = 0; i < 2 && r->next_s[i] > 0; i++)
    a[i + 1] = (struct att){CALL(r->next_s[i], r->next_s[i] + 0.1, 429),
                            .faulty = true, .retry_after = "2", .step = 0};
  literal_fill(l, a, s);
}

static struct judged judge_row(const struct row *r)
{
  struct literal l;
  struct judged j = {0};
  struct diag diag = {0};
  struct jump_log log;
  jump_log_init(&log);
  struct vtime_report report = {.log = &log};
  if (literal_init(&l, STEPS, "{}", r->expect, r->policy, &diag) < 0)
    fail_msg("%s: %s", r->id, diag.text);
  fill(&l, r);
  for (size_t i = 0; i < COUNT(r->passed); i++)
    pass(&log, &r->passed[i]);
  l.e.vtime = &report;
  judge_expect(&l.e, &l.spec.expects[0], &j);
  literal_release(&l);
  jump_log_release(&log);
  return j;
}

static void a_time_has_its_parts(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct judged j = judge_row(&rows[i]);
    if (j.finding.verdict != rows[i].verdict)
      fail_msg("%s: %s: expected %s, actual %s", rows[i].id,
               verdict_name(j.finding.verdict), j.finding.expected,
               j.finding.actual);
    if (!strstr(j.finding.expected, rows[i].says) &&
        !strstr(j.finding.actual, rows[i].says))
      fail_msg("%s: expected %s, actual %s", rows[i].id, j.finding.expected,
               j.finding.actual);
  }
}

/* A wait of 2 s that came `late_ms` late, all of it by reads of the clock. */
static enum verdict judge_crowd(const char *client, double late_ms)
{
  struct literal l;
  struct judged j = {0};
  struct diag diag = {0};
  struct jump_log log;
  struct passed slept = {3, 2, 0};
  double next_s = 3 + late_ms / 1000;
  struct att a[3] = {
      {CALL(0, 1, 429), .faulty = true, .retry_after = "2", .lane = "copy-1"},
      {CALL(next_s, next_s, 200), .lane = "copy-1", .step = 1}};
  struct sta s[2] = {{RAN(0, 9), .lane = "copy-1"}};
  jump_log_init(&log);
  pass(&log, &slept);
  struct vtime_report report = {.log = &log};
  if (literal_init(&l, STEPS, client,
                   "{\"check\":\"gap\",\"lane\":\"copy-1\",\"at_least\":"
                   "\"retry_after\",\"at_most\":"
                   "\"retry_after + policy.slack\"}",
                   NULL, &diag) < 0)
    fail_msg("%s", diag.text);
  literal_fill(&l, a, s);
  l.e.vtime = &report;
  judge_expect(&l.e, &l.spec.expects[0], &j);
  literal_release(&l);
  jump_log_release(&log);
  return j.finding.verdict;
}

static void what_copies_beside_it_read_is_no_delay(void **state)
{
  static const struct {
    const char *client;
    double late_ms;
    enum verdict want;
  } crowd[] = {{"{\"lanes\":[\"copy-1\"]}", 10, VERDICT_FAIL},
               {"{\"lanes\":[\"copy-1\",\"b\",\"c\"]}", 44, VERDICT_PASS},
               {"{\"lanes\":[\"copy-1\",\"b\",\"c\"]}", 46, VERDICT_FAIL},
               {"{\"lanes\":[\"copy-1\",\"b\",\"c\"]}", 0, VERDICT_PASS},
               {"{\"lanes\":[\"copy-1\",\"b\",\"c\"]}", -2, VERDICT_FAIL}};
  (void)state;
  for (size_t i = 0; i < COUNT(crowd); i++)
    if (judge_crowd(crowd[i].client, crowd[i].late_ms) != crowd[i].want)
      fail_msg("row %zu", i);
}

static void real_time_has_its_slack_and_no_parts(void **state)
{
  const struct row *r = &rows[2];
  struct literal l;
  struct judged j = {0};
  struct diag diag = {0};
  (void)state;
  assert_int_equal(literal_init(&l, STEPS, "{}", r->expect, NULL, &diag), 0);
  fill(&l, r);
  judge_expect(&l.e, &l.spec.expects[0], &j);
  assert_int_equal(j.finding.verdict, VERDICT_PASS);
  assert_non_null(strstr(j.finding.expected, "policy.slack = 4 s"));
  assert_null(strstr(j.finding.actual, "slept"));
  literal_release(&l);
}

static const struct {
  const char *id, *expect, *why;
  bool timed_out;
  double stalled_s;
  enum verdict verdict;
  enum kind kind;
} stalls[] = {
    {"stalled", ENDS, "no timer of anybody", true, 8, VERDICT_FAIL,
     KIND_STALLED},
    {"hang", ENDS, "its own timer would have ended it", true, 0, VERDICT_FAIL,
     KIND_HANG},
    {"stalled-before-the-second", MORE, "fewer calls, because it waits", true,
     8, VERDICT_FAIL, KIND_STALLED},
    {"stalled-too-long", TOTAL, "longer than allowed", true, 8, VERDICT_FAIL,
     KIND_STALLED},
    {"ended", ENDS, "nothing of it", false, 0, VERDICT_PASS, KIND_NONE},
};

static void who_waits_for_ever_is_stalled(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(stalls); i++) {
    struct literal l;
    struct outcome o;
    struct diag diag = {0};
    size_t n = 0;
    struct att a[2] = {{CALL(0, 1, 429), .faulty = true}};
    struct sta s[2] = {{RAN(0, 9), .timed_out = stalls[i].timed_out}};
    assert_int_equal(literal_init(&l, "[{\"fault\":\"rate_limit\"}]", "{}",
                                  stalls[i].expect, NULL, &diag),
                     0);
    literal_fill(&l, a, s);
    l.uses[0] = 1;
    l.starts[0].stalled_ns = (int64_t)(stalls[i].stalled_s * (double)NS_PER_S);
    snprintf(l.starts[0].stalled_in, sizeof l.starts[0].stalled_in,
             "x in read");
    struct judged *list = judge_checks(&l.e, &n);
    judge_decide(&l.e, list, n, &o);
    if (o.verdict != stalls[i].verdict || o.kind != stalls[i].kind)
      fail_msg("%s: %s/%s: %s", stalls[i].id, verdict_name(o.verdict),
               kind_name(o.kind), o.reason);
    if (i == 0 && !strstr(o.reason, "waits for ever: nothing it waits for has "
                                    "a time-out (x in read)"))
      fail_msg("%s", o.reason);
    free(list);
    literal_release(&l);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_time_has_its_parts),
      cmocka_unit_test(what_copies_beside_it_read_is_no_delay),
      cmocka_unit_test(real_time_has_its_slack_and_no_parts),
      cmocka_unit_test(who_waits_for_ever_is_stalled),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
