/* The line of virtual time in the reports, from the JSON object alone. */
#include "tests/unit/harness/results.h"

#include "harness/report/time_line.h"

#define ONE(time)                                                              \
  "{\"name\":\"a/b\",\"verdict\":\"pass\",\"kind\":\"none\","                  \
  "\"seconds\":1," time "}"
#define SUMS                                                                   \
  "\"time\":{\"mode\":\"virtual\",\"virtual_s\":7300,\"real_s\":0.5,"          \
  "\"jumps\":40,\"longest_sleep_s\":3600"

static const struct row {
  const char *id, *json, *line, *total;
} rows[] = {
    {"real time", ONE("\"side\":0"), "", ""},
    {"no object", ONE("\"time\":3"), "", ""},
    {"another mode", ONE("\"time\":{\"mode\":\"other\"}"), "", ""},
    {"scaled", ONE("\"time\":{\"mode\":\"scaled\"}"), "scaled, nothing divided",
     "1 of 1 scenarios in scaled time"},
    {"scaled for want of virtual time",
     ONE("\"time\":{\"mode\":\"scaled\",\"no_virtual\":\"seccomp is "
         "refused\",\"at_unused\":true,\"scale\":{\"k\":1800}}"),
     "scaled, divided by 1800; 'at' had no effect: the wall clock was today's; "
     "no virtual time here: seccomp is refused",
     "1 of 1 scenarios in scaled time; 'at' had no effect in 1: real time; no "
     "virtual time here: seccomp is refused"},
    {"hours", ONE(SUMS "}"),
     "2.03 h virtual in 0.50 s real, 40 jumps, longest wait 3600 s",
     "1 of 1 scenarios in virtual time: 2.03 h in 0.5 s real, 40 jumps"},
    {"next to nothing",
     ONE("\"time\":{\"mode\":\"virtual\",\"virtual_s\":0.000076,"
         "\"real_s\":0.25,\"jumps\":1,\"crept_s\":0.0001}"),
     "0 s virtual in 0.25 s real, 1 jump, 0 s of it computing",
     "1 of 1 scenarios in virtual time: 0 s in 0.2 s real, 1 jump"},
    {"slow", ONE(SUMS ",\"crept_s\":1.5,\"real_rate_s\":12}"),
     "2.03 h virtual in 0.50 s real, 40 jumps, longest wait 3600 s, 1.5 s of "
     "it "
     "computing, 12 s of it at the real rate",
     "1 of 1 scenarios in virtual time: 2.03 h in 0.5 s real, 40 jumps"},
    {"housekeeping",
     ONE("\"time\":{\"mode\":\"virtual\",\"virtual_s\":2,\"real_s\":1,"
         "\"jumps\":400,\"many_jumps\":true,\"busiest\":{\"thread\":\"VM\","
         "\"jumps\":390,\"wait_s\":0.005}}"),
     "2 s virtual in 1.00 s real, 400 jumps; 200 jumps a virtual second, 390 "
     "of them for the thread 'VM', which waits 5 ms and looks again: the run "
     "is faster when it waits longer, or for the event itself, or is "
     "named in client.housekeeping",
     "1 of 1 scenarios in virtual time: 2 s in 1.0 s real, 400 jumps; in 1 a "
     "thread wakes up all the time"},
    {"opaque",
     ONE(SUMS ",\"opaque\":[{\"program\":\"old\",\"call\":\"semtimedop\","
              "\"why\":\"no time\"},{\"program\":\"x\",\"call\":\"\","
              "\"why\":\"32 bits\"}]}"),
     "2.03 h virtual in 0.50 s real, 40 jumps, longest wait 3600 s; not "
     "followed: old in semtimedop (no time); not followed: x (32 bits)",
     "1 of 1 scenarios in virtual time: 2.03 h in 0.5 s real, 40 jumps; in 1 a "
     "program could not be followed"},
    {"a date for nothing",
     ONE("\"time\":{\"mode\":\"real\",\"at_unused\":true}"),
     "real; 'at' had no effect: the wall clock was today's",
     "'at' had no effect in 1: real time"},
};

static void same(const char *id, const struct buf *is, const char *wanted)
{
  if (strcmp(buf_str(is), wanted) != 0)
    fail_msg("%s: '%s'", id, buf_str(is));
}

static void a_scenario_and_a_run_have_a_line(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct result r;
    struct diag diag = {0};
    struct buf line, total;
    buf_init(&line, OUT_MAX);
    buf_init(&total, OUT_MAX);
    assert_int_equal(result_from_json(&r, cJSON_Parse(rows[i].json), &diag), 0);
    const struct run_report run = {.results = &r, .n = 1};
    time_line(&r, &line);
    time_total(&run, &total);
    same(rows[i].id, &line, rows[i].line);
    same(rows[i].id, &total, rows[i].total);
    buf_release(&line);
    buf_release(&total);
    result_release(&r);
  }
}

/* Names of threads come from outside. */
static void no_report_prints_a_name_as_it_is(void **state)
{
  static const char json[] =
      "{\"name\":\"a/b\",\"verdict\":\"fail\",\"kind\":\"stalled\","
      "\"reason\":\"x\",\"seconds\":1,\"time\":{\"mode\":\"virtual\","
      "\"many_jumps\":true,\"busiest\":{\"thread\":\"<b>\\n\\u001b\","
      "\"jumps\":3}}}";
  (void)state;
  for (size_t i = 0; reports[i]; i++) {
    struct result r;
    struct diag diag = {0};
    struct buf out;
    buf_init(&out, OUT_MAX);
    assert_int_equal(result_from_json(&r, cJSON_Parse(json), &diag), 0);
    const struct run_report run = {.results = &r, .n = 1, .exit_code = 1};
    reports[i]->print(&run, &out);
    bool text = strcmp(reports[i]->name, "text") == 0;
    if (strstr(buf_str(&out), "\033") || strstr(buf_str(&out), "<b>\n") ||
        (text && !strstr(buf_str(&out), "  time: 0 s virtual in ")))
      fail_msg("%s: %s", reports[i]->name, buf_str(&out));
    buf_release(&out);
    result_release(&r);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_scenario_and_a_run_have_a_line),
      cmocka_unit_test(no_report_prints_a_name_as_it_is),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
