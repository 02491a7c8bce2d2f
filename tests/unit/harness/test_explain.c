#include "base/file.h"
#include "harness/check/check.h"
#include "harness/explain.h"
#include "mockserver/command/cli.h"
#include "mockserver/fault.h"
#include "mockserver/provider/provider.h"
#include "tests/unit/unit.h"

#include <string.h>

#define OUT_MAX ((size_t)1 << 20)

/* A private folder with one file; `explained` fills `out` from it. */
struct fixture {
  char *folder, *path;
  struct buf out;
  struct diag diag;
};

static int set_up(void **state)
{
  struct fixture *f = mem_zalloc(sizeof *f);
  f->folder = file_temp_folder("faultwire-explain", &f->diag);
  assert_non_null(f->folder);
  f->path = mem_format("%s/x.json", f->folder);
  buf_init(&f->out, OUT_MAX);
  *state = f;
  return 0;
}

static int tear_down(void **state)
{
  struct fixture *f = *state;
  file_remove_tree(f->folder);
  buf_release(&f->out);
  free(f->folder);
  free(f->path);
  free(f);
  return 0;
}

static int explained(struct fixture *f, const char *text,
                     const struct policy *policy)
{
  struct policy none;
  policy_none(&none);
  buf_reset(&f->out);
  diag_clear(&f->diag);
  assert_int_equal(file_write(f->path, bytes_of(text), &f->diag), 0);
  return explain_scenario(f->path, policy ? policy : &none, &f->out, &f->diag);
}

static void assert_says(const struct fixture *f, const char *part)
{
  if (!strstr(buf_str(&f->out), part))
    fail_msg("'%s' is not in (%s)\n%s", part, f->diag.text, buf_str(&f->out));
}

static void a_limiter_is_told_bucket_by_bucket(void **state)
{
  struct fixture *f = *state;
  assert_int_equal(
      explained(f,
                "{\"name\":\"n\",\"why\":\"w\",\"limits\":{\"output\":"
                "\"produced\",\"buckets\":[{\"of\":\"requests\","
                "\"limit\":5},{\"of\":\"tokens\",\"limit\":9,"
                "\"name\":\"tight\"}]}}",
                NULL),
      0);
  assert_says(f, "beyond the script: the provider's plain answer\n");
  assert_says(f, "the limiter, which every call meets");
  assert_says(f, "     requests per minute\n");
  assert_says(f, "limit = 5   (how many a period");
  assert_says(f, "     tight\n");
  assert_says(f, "output = \"produced\"   (");
}

static void calls_are_numbered_along_the_script(void **state)
{
  struct fixture *f = *state;
  assert_int_equal(
      explained(f,
                "{\"name\":\"n\",\"why\":\"w\",\"steps\":["
                "{\"fault\":\"rate_limit\",\"retry_after\":\"2\",\"times\":2},"
                "{\"fault\":\"hang\"},"
                "{\"reply\":\"message\",\"text\":\"yes\"}]}",
                NULL),
      0);
  assert_says(f, "n\n  w\n");
  assert_says(f, "1. calls 1 to 2: rate_limit\n");
  assert_says(f, "retry_after = \"2\"   (");
  assert_says(f, "2. call 3: hang\n");
  assert_says(f, "3. call 4: the provider's plain answer\n");
  assert_says(f, "text = \"yes\"");
  assert_says(f, "calls beyond the script: the last step that fits again");
  assert_says(f, "nothing is asked of the client");
}

static void stand_ins_are_told_with_what_they_say(void **state)
{
  struct fixture *f = *state;
  assert_int_equal(
      explained(f,
                "{\"name\":\"n\",\"why\":\"w\",\"steps\":["
                "{\"command\":\"claude\",\"says\":\"rate_limit\","
                "\"retry_after\":2,\"times\":2},"
                "{\"command\":\"claude\",\"stdout\":\"x\",\"exit\":3},"
                "{\"command\":\"claude\",\"reply\":\"message\"}]}",
                NULL),
      0);
  assert_says(f, "the commands (stand-ins, first on PATH;");
  assert_says(f, "1. calls 1 to 2: the stand-in claude says rate_limit\n");
  assert_says(f, "faultwire explain command claude\n");
  assert_says(f, "retry_after = 2   (seconds the text asks to wait");
  assert_says(f, "2. call 3: the stand-in claude does what follows\n");
  assert_says(f, "exit = 3   (exit code");
  assert_says(f, "3. call 4: the stand-in claude answers that all is well\n");
}

static void a_step_for_ever_leaves_nothing_behind_it(void **state)
{
  struct fixture *f = *state;
  assert_int_equal(explained(f,
                             "{\"name\":\"n\",\"why\":\"w\",\"steps\":["
                             "{\"fault\":\"hang\",\"times\":\"always\"}]}",
                             NULL),
                   0);
  assert_says(f, "1. call 1 and every call after it: hang\n");
  assert_null(strstr(buf_str(&f->out), "beyond the script"));
}

static void the_time_of_a_scenario_is_told(void **state)
{
  struct fixture *f = *state;
  assert_int_equal(explained(f,
                             "{\"name\":\"x\",\"why\":\"y\","
                             "\"steps\":[{\"reply\":\"message\"}],"
                             "\"client\":{\"time\":\"virtual\","
                             "\"at\":\"2026-03-08T01:59:00-08:00\"}}",
                             NULL),
                   0);
  assert_says(f, "in virtual time, and skipped where there is none");
  assert_says(f, "the wall clock begins at 2026-03-08T09:59:00Z");
}

static void each_word_for_time_has_its_sentence(void **state)
{
  static const struct {
    const char *word, *says;
  } rows[] = {{"real", "never in virtual time"},
              {"virtual", "in virtual time, and skipped"},
              {"scaled", "in real time, with long waits told shorter"},
              {"auto", "where there is one, else scaled"}};
  struct fixture *f = *state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    char *text = mem_format("{\"name\":\"x\",\"why\":\"y\",\"steps\":[{"
                            "\"reply\":\"message\"}],\"client\":{\"time\":"
                            "\"%s\"}}",
                            rows[i].word);
    assert_int_equal(explained(f, text, NULL), 0);
    assert_says(f, rows[i].says);
    free(text);
  }
}

static void lanes_and_matches_are_told_instead_of_numbers(void **state)
{
  struct fixture *f = *state;
  assert_int_equal(
      explained(f,
                "{\"name\":\"n\",\"why\":\"w\",\"provider\":\"gemini\","
                "\"steps\":[{\"fault\":\"hang\",\"lane\":\"a\",\"times\":2},"
                "{\"fault\":\"hang\",\"match\":{\"model\":\"m*\"}}],"
                "\"after_script\":\"error\","
                "\"client\":{\"lanes\":[\"a\",\"b\"],\"starts\":3}}",
                NULL),
      0);
  assert_says(f, "the server (gemini;");
  assert_says(f, "1. the next 2 calls of lane a: hang\n");
  assert_says(f, "2. the next 1 call that fit {\"model\":\"m*\"}: hang\n");
  assert_says(f, "an error that says the script is over");
  assert_says(f, "again and again: 3 times, with the same HOME");
  assert_says(f, "2 copies run in parallel, one per lane: a, b\n");
}

static void one_lane_or_match_is_enough_to_end_the_numbering(void **state)
{
  struct fixture *f = *state;
  static const char *const keys[] = {"\"lane\":\"a\"",
                                     "\"match\":{\"model\":\"m\"}"};
  for (size_t i = 0; i < COUNT(keys); i++) {
    char *text = mem_format("{\"name\":\"n\",\"why\":\"w\",\"steps\":["
                            "{\"fault\":\"hang\",%s},"
                            "{\"reply\":\"message\"}]}",
                            keys[i]);
    assert_int_equal(explained(f, text, NULL), 0);
    assert_says(f, "2. the next 1 call: the provider's plain answer\n");
    free(text);
  }
}

static const char expects[] =
    "{\"name\":\"n\",\"why\":\"w\",\"steps\":["
    "{\"fault\":\"rate_limit\",\"retry_after\":\"2\"},"
    "{\"reply\":\"message\"}],\"client\":{\"limit_s\":12},\"expect\":["
    "{\"check\":\"gap\",\"at_least\":\"retry_after\","
    "\"at_most\":\"retry_after + policy.slack\"},"
    "{\"check\":\"attempts\",\"at_most\":\"policy.attempts\","
    "\"needs\":[\"attempts\"],\"level\":\"should\"}]}";

static void expressions_are_worked_out(void **state)
{
  struct fixture *f = *state;
  assert_int_equal(explained(f, expects, NULL), 0);
  assert_says(f, "12 s after its first request");
  assert_says(f, "- gap: ");
  assert_says(f, "at_least retry_after = 2 (steps[0].retry_after = \"2\")");
  assert_says(f, "at_most retry_after + policy.slack = 6 (steps[0]");
  assert_says(f, "policy.slack = 4 s)");
  assert_says(f, "- attempts (should: a miss is a warning): ");
  assert_says(f, "only with a policy that has attempts\n");
}

static void a_policy_gives_its_numbers(void **state)
{
  struct fixture *f = *state;
  char *path = mem_format("%s/policy.json", f->folder);
  struct policy policy;
  assert_int_equal(
      file_write(path, BYTES("{\"attempts\":5,\"slack\":1}"), &f->diag), 0);
  assert_int_equal(policy_load(&policy, path, &f->diag), 0);
  assert_int_equal(explained(f, expects, &policy), 0);
  assert_says(f, "at_most retry_after + policy.slack = 3 (");
  assert_says(f, "at_most policy.attempts = 5   (");
  assert_says(f, "has attempts (yours has)\n");
  policy_release(&policy);
  free(path);
}

static void a_wrong_file_is_a_placed_error(void **state)
{
  struct fixture *f = *state;
  static const struct {
    const char *id, *text, *want;
  } rows[] = {
      {"no json", "{", "x.json:1:"},
      {"step key",
       "{\"name\":\"n\",\"why\":\"w\",\"steps\":[{\"fault\":\"hang\","
       "\"tims\":2}]}",
       "did you mean 'times'?"},
      {"check",
       "{\"name\":\"n\",\"why\":\"w\",\"steps\":[{\"fault\":\"hang\"}],"
       "\"expect\":[{\"check\":\"gpa\"}]}",
       "did you mean 'gap'?"},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    char text[2048];
    assert_int_equal(explained(f, rows[i].text, NULL), -1);
    diag_format(&f->diag, text, sizeof text);
    if (!strstr(text, rows[i].want) || !strstr(text, f->path))
      fail_msg("%s said '%s'", rows[i].id, text);
  }
}

static void hostile_texts_stay_on_their_line(void **state)
{
  struct fixture *f = *state;
  assert_int_equal(
      explained(f,
                "{\"name\":\"a\\u001b[31m\\nb\",\"why\":\"w\\r\\n\","
                "\"steps\":[{\"reply\":\"message\",\"text\":\"\\u0007\\n\"}]}",
                NULL),
      0);
  assert_says(f, "a\\x1b[31m\\nb\n  w\\r\\n\n");
  for (size_t i = 0; i < f->out.n; i++)
    assert_true((unsigned char)f->out.p[i] >= 0x20 || f->out.p[i] == '\n');
}

static void every_thing_can_be_explained(void **state)
{
  struct fixture *f = *state;
  for (size_t i = 0; faults[i]; i++)
    assert_int_equal(explain_thing("fault", faults[i]->name, &f->out, &f->diag),
                     0);
  for (size_t i = 0; checks[i]; i++)
    assert_int_equal(explain_thing("check", checks[i]->name, &f->out, &f->diag),
                     0);
  for (size_t i = 0; policy_params[i].name; i++)
    assert_int_equal(
        explain_thing("policy", policy_params[i].name, &f->out, &f->diag), 0);
  for (size_t i = 0; providers[i]; i++)
    assert_int_equal(
        explain_thing("provider", providers[i]->name, &f->out, &f->diag), 0);
  for (size_t i = 0; command_clis[i]; i++)
    assert_int_equal(
        explain_thing("command", command_clis[i]->name, &f->out, &f->diag), 0);
  assert_says(f, "fault rate_limit\n");
  assert_says(f, "  at_least: expression\n");
  assert_says(f, "  opens_after: whole number 1..100000, required\n");
  assert_says(f, "overloaded_error: 529");
}

static void unknown_things_name_the_nearest(void **state)
{
  struct fixture *f = *state;
  static const struct {
    const char *what, *name, *want;
  } rows[] = {
      {"fault", "ratelimit", "did you mean 'rate_limit'?"},
      {"check", "gpa", "did you mean 'gap'?"},
      {"policy", "slak", "did you mean 'slack'?"},
      {"policy", "breaker.x", "unknown policy parameter 'breaker.x'"},
      {"provider", "antropic", "did you mean 'anthropic'?"},
      {"command", "claud", "did you mean 'claude'?"},
      {"falt", "x", "did you mean 'fault'?"},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    diag_clear(&f->diag);
    assert_int_equal(
        explain_thing(rows[i].what, rows[i].name, &f->out, &f->diag), -1);
    if (!strstr(f->diag.text, rows[i].want))
      fail_msg("%s %s said '%s'", rows[i].what, rows[i].name, f->diag.text);
  }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
  const struct CMUnitTest tests[] = {
      TEST(calls_are_numbered_along_the_script),
      TEST(a_limiter_is_told_bucket_by_bucket),
      TEST(stand_ins_are_told_with_what_they_say),
      TEST(a_step_for_ever_leaves_nothing_behind_it),
      TEST(the_time_of_a_scenario_is_told),
      TEST(each_word_for_time_has_its_sentence),
      TEST(lanes_and_matches_are_told_instead_of_numbers),
      TEST(one_lane_or_match_is_enough_to_end_the_numbering),
      TEST(expressions_are_worked_out),
      TEST(a_policy_gives_its_numbers),
      TEST(a_wrong_file_is_a_placed_error),
      TEST(hostile_texts_stay_on_their_line),
      TEST(every_thing_can_be_explained),
      TEST(unknown_things_name_the_nearest),
  };
  return cmocka_run_group_tests_name("explain", tests, NULL, NULL);
}
