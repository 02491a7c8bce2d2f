/* Real or virtual time, and where the wall clock begins. */
#include "tests/unit/unit.h"

#include "harness/timing.h"

#include "base/clock.h"

#include <string.h>

static const struct {
  const char *id, *text;
  int64_t ns;
} moments[] = {
    {"zone west", "2026-03-08T01:59:00-08:00", INT64_C(1772963940) * NS_PER_S},
    {"utc", "2026-03-08T09:59:00Z", INT64_C(1772963940) * NS_PER_S},
    {"zone east", "2026-03-08T15:29:00+05:30", INT64_C(1772963940) * NS_PER_S},
    {"fraction", "2026-03-08T09:59:00.5Z",
     INT64_C(1772963940) * NS_PER_S + NS_PER_S / 2},
    {"nanoseconds", "2026-03-08T01:59:00.123456789-08:00",
     INT64_C(1772963940123456789)},
    {"a long fraction", "2026-03-08T09:59:00.1234567899999Z",
     INT64_C(1772963940123456789)},
    {"small letters", "2026-03-08t09:59:00z", INT64_C(1772963940) * NS_PER_S},
    {"a blank", "2026-03-08 09:59:00Z", INT64_C(1772963940) * NS_PER_S},
    {"a leap second", "2016-12-31T23:59:60Z", INT64_C(1483228800) * NS_PER_S},
    {"a leap second out west", "2016-12-31T15:59:60-08:00",
     INT64_C(1483228800) * NS_PER_S},
    {"the last", "2100-01-01T00:00:00Z", INT64_C(4102444800) * NS_PER_S},
    {"leap day", "2028-02-29T00:00:00Z", INT64_C(1835395200) * NS_PER_S},
    {"epoch", "1772963940", INT64_C(1772963940) * NS_PER_S},
    {"epoch with a fraction", "1.5", 3 * NS_PER_S / 2},
    {"the first", "0", 0},
};

static void a_moment_is_a_date_with_its_zone_or_an_epoch(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(moments); i++) {
    struct wall_at at = {0};
    char why[224] = "";
    if (wall_at_parse(moments[i].text, &at, why, sizeof why) < 0)
      fail_msg("%s: %s", moments[i].id, why);
    if (!at.said || at.ns != moments[i].ns)
      fail_msg("%s: %lld", moments[i].id, (long long)at.ns);
  }
}

static const struct {
  const char *id, *text, *says;
} bad[] = {
    {"empty", "", "is no moment"},
    {"words", "tomorrow", "is no moment"},
    {"no zone", "2026-03-08T01:59:00", "did you mean '2026-03-08T01:59:00Z'"},
    {"no seconds", "2026-03-08T01:59", "did you mean '2026-03-08T01:59:00Z'"},
    {"a day", "2026-03-08", "did you mean '2026-03-08T00:00:00Z'"},
    {"no such day", "2026-02-30T00:00:00Z", "no such day as 2026-02-30"},
    {"no such day, and no time", "2026-02-30", "no such day as 2026-02-30"},
    {"no leap year", "2026-02-29T00:00:00Z", "no such day as 2026-02-29"},
    {"no such month", "2026-13-01T00:00:00Z", "is no moment"},
    {"a second too many", "2026-03-08T01:59:60Z", "is no moment"},
    {"a year that wraps", "2610-09-27T00:00:00Z", "1970 and 2100"},
    {"a year too far", "9999-12-31T23:59:59Z", "1970 and 2100"},
    {"before 1970 by its zone", "1970-01-01T00:00:00+05:00", "1970 and 2100"},
    {"a nanosecond too far", "2100-01-01T00:00:00.000000001Z", "1970 and 2100"},
    {"a comma", "2026-03-08T01:59:00,5Z", "is no moment"},
    {"no such hour", "2026-03-08T24:00:00Z", "is no moment"},
    {"no such zone", "2026-03-08T01:59:00-99:00", "is no moment"},
    {"zone without colon", "2026-03-08T01:59:00-0800",
     "did you mean '2026-03-08T01:59:00-08:00'"},
    {"zone name", "2026-03-08T01:59:00 PST", "is no moment"},
    {"something behind", "2026-03-08T01:59:00Zulu", "is no moment"},
    {"too early", "1969-12-31T23:59:59Z", "1970 and 2100"},
    {"too late", "2200-01-01T00:00:00Z", "1970 and 2100"},
    {"epoch too late", "4102444801", "1970 and 2100"},
    {"epoch in ms", "1772963940000", "did you mean '1772963940', in seconds"},
    {"far beyond", "99999999999999999999", "1970 and 2100"},
    {"two points", "1.2.3", "is no moment"},
    {"a day of Germany", "08.03.2026", "is no moment"},
    {"a point at the end", "12.", "is no moment"},
    {"a point alone", ".", "is no moment"},
    {"negative", "-5", "1970 and 2100"},
    {"a year", "2026", "did you mean '2026-01-01T00:00:00Z'"},
    {"a day without marks", "20260308", "did you mean '2026-03-08T00:00:00Z'"},
    {"a long text", "2026-03-08T01:59:00-08:00 and more than any buffer holds",
     "is no moment"},
};

static void a_bad_moment_says_what_to_write(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(bad); i++) {
    struct wall_at at = {0};
    char why[224] = "";
    if (wall_at_parse(bad[i].text, &at, why, sizeof why) == 0)
      fail_msg("%s was taken", bad[i].id);
    if (!strstr(why, bad[i].says) || at.said)
      fail_msg("%s: %s", bad[i].id, why);
  }
}

#define SKIP TIMING_SKIP
#define REAL TIMING_REAL
#define VIRTUAL TIMING_VIRTUAL
#define SCALED TIMING_SCALED
/* The table of docs/virtual-time.md: where it is to be had, and where not. */
static const struct {
  enum time_word command, own, project;
  enum timing_word there, not_there;
} choices[] = {
    {TIME_UNSAID, TIME_UNSAID, TIME_UNSAID, REAL, REAL},
    {TIME_UNSAID, TIME_UNSAID, TIME_REAL, REAL, REAL},
    {TIME_UNSAID, TIME_UNSAID, TIME_VIRTUAL, VIRTUAL, REAL},
    {TIME_UNSAID, TIME_UNSAID, TIME_AUTO, VIRTUAL, SCALED},
    {TIME_UNSAID, TIME_REAL, TIME_VIRTUAL, REAL, REAL},
    {TIME_UNSAID, TIME_VIRTUAL, TIME_UNSAID, VIRTUAL, SKIP},
    {TIME_UNSAID, TIME_VIRTUAL, TIME_REAL, VIRTUAL, SKIP},
    {TIME_UNSAID, TIME_AUTO, TIME_REAL, VIRTUAL, SCALED},
    {TIME_REAL, TIME_UNSAID, TIME_VIRTUAL, REAL, REAL},
    {TIME_REAL, TIME_REAL, TIME_VIRTUAL, REAL, REAL},
    {TIME_REAL, TIME_VIRTUAL, TIME_VIRTUAL, SKIP, SKIP},
    {TIME_REAL, TIME_AUTO, TIME_VIRTUAL, REAL, REAL},
    {TIME_VIRTUAL, TIME_UNSAID, TIME_REAL, VIRTUAL, REAL},
    {TIME_VIRTUAL, TIME_REAL, TIME_UNSAID, REAL, REAL},
    {TIME_VIRTUAL, TIME_VIRTUAL, TIME_UNSAID, VIRTUAL, SKIP},
    {TIME_VIRTUAL, TIME_AUTO, TIME_UNSAID, VIRTUAL, REAL},
    {TIME_AUTO, TIME_UNSAID, TIME_REAL, VIRTUAL, SCALED},
    {TIME_AUTO, TIME_REAL, TIME_UNSAID, REAL, REAL},
    {TIME_AUTO, TIME_VIRTUAL, TIME_UNSAID, VIRTUAL, SKIP},
    {TIME_AUTO, TIME_AUTO, TIME_UNSAID, VIRTUAL, SCALED},
    {TIME_SCALED, TIME_UNSAID, TIME_VIRTUAL, SCALED, SCALED},
    {TIME_SCALED, TIME_REAL, TIME_UNSAID, REAL, REAL},
    {TIME_SCALED, TIME_VIRTUAL, TIME_UNSAID, SKIP, SKIP},
    {TIME_SCALED, TIME_AUTO, TIME_UNSAID, SCALED, SCALED},
    {TIME_UNSAID, TIME_SCALED, TIME_REAL, SCALED, SCALED},
    {TIME_REAL, TIME_SCALED, TIME_UNSAID, REAL, REAL},
    {TIME_VIRTUAL, TIME_SCALED, TIME_UNSAID, VIRTUAL, REAL},
};

static void command_then_scenario_then_project(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(choices); i++)
    for (int there = 0; there < 2; there++) {
      struct timing t = {.command = choices[i].command,
                         .project = choices[i].project,
                         .possible = there};
      enum timing_word wanted = there ? choices[i].there : choices[i].not_there;
      if (timing_choose(&t, choices[i].own) != wanted)
        fail_msg("row %zu, %s", i, there ? "there" : "not there");
    }
}

static void only_a_run_that_was_asked_for_it_insists(void **state)
{
  struct timing t = {.command = TIME_UNSAID, .project = TIME_VIRTUAL};
  (void)state;
  assert_true(timing_insists(&t));
  t.command = TIME_AUTO;
  assert_false(timing_insists(&t));
  t = (struct timing){.command = TIME_VIRTUAL, .project = TIME_REAL};
  assert_true(timing_insists(&t));
  t = (struct timing){.command = TIME_UNSAID, .project = TIME_UNSAID};
  assert_false(timing_insists(&t));
}

static void the_nearest_date_counts(void **state)
{
  struct timing t = {.command_at = {true, 1}, .project_at = {true, 3}};
  const struct wall_at own = {true, 2}, none = {false, 0};
  (void)state;
  assert_int_equal(timing_at_ns(&t, &own), 1);
  t.command_at.said = false;
  assert_int_equal(timing_at_ns(&t, &own), 2);
  assert_int_equal(timing_at_ns(&t, &none), 3);
  t.project_at.said = false;
  assert_int_equal(timing_at_ns(&t, &none), -1);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_moment_is_a_date_with_its_zone_or_an_epoch),
      cmocka_unit_test(a_bad_moment_says_what_to_write),
      cmocka_unit_test(command_then_scenario_then_project),
      cmocka_unit_test(only_a_run_that_was_asked_for_it_insists),
      cmocka_unit_test(the_nearest_date_counts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
