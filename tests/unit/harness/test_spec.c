#include "tests/unit/unit.h"

#include "tests/unit/harness/literal.h"

static void a_scenario_without_a_client_gets_the_defaults(void **state)
{
  struct scenario s;
  struct spec spec;
  struct diag diag = {0};
  (void)state;
  assert_int_equal(
      scenario_parse(&s, "x.json",
                     BYTES("{\"name\":\"x\",\"why\":\"y\",\"steps\":[],"
                           "\"after_script\":\"reply\"}"),
                     &diag),
      0);
  assert_int_equal(spec_load(&spec, &s, &diag), 0);
  assert_true(spec.limit_s >= 30 && spec.limit_s <= 30);
  assert_true(spec.stream);
  assert_int_equal(spec.nlanes, 1);
  assert_string_equal(spec.lanes[0], "");
  assert_int_equal(spec.starts, 1);
  assert_int_equal(spec.nexpects, 0);
  spec_release(&spec);
  scenario_release(&s);
}

static void what_is_written_is_read(void **state)
{
  struct literal l;
  struct diag diag = {0};
  (void)state;
  if (literal_init(&l, "[]",
                   "{\"limit_s\":5,\"stream\":false,\"lanes\":[\"a\",\"b\"],"
                   "\"starts\":2,\"pause_s\":0.5}",
                   "{\"check\":\"attempts\",\"exactly\":1,\"lane\":\"b\","
                   "\"level\":\"should\",\"needs\":[\"breaker\"]}",
                   NULL, &diag) < 0)
    fail_msg("%s", diag.text);
  assert_true(l.spec.limit_s >= 5 && l.spec.limit_s <= 5);
  assert_false(l.spec.stream);
  assert_int_equal(l.spec.nlanes, 2);
  assert_string_equal(l.spec.lanes[1], "b");
  assert_int_equal(l.spec.starts, 2);
  assert_true(l.spec.pause_s > 0.4);
  assert_int_equal(l.spec.nexpects, 1);
  assert_true(l.spec.expects[0].should);
  assert_string_equal(l.spec.expects[0].lane, "b");
  assert_string_equal(l.spec.expects[0].check->name, "attempts");
  literal_release(&l);
}

static void the_channel_is_that_of_the_steps_unless_told(void **state)
{
  static const struct {
    const char *steps, *client;
    enum channel channel;
  } rows[] = {{"[]", "{}", CHANNEL_HTTP},
              {"[]", "{\"channel\":\"command\"}", CHANNEL_COMMAND},
              {"[{\"fault\":\"hang\"},{\"command\":\"a\",\"exit\":1}]",
               "{\"absent\":[2,4]}", CHANNEL_COMMAND}};
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct literal l;
    struct diag diag = {0};
    if (literal_init(&l, rows[i].steps, rows[i].client, "", NULL, &diag) < 0)
      fail_msg("%s", diag.text);
    assert_int_equal(l.spec.channel, rows[i].channel);
    assert_false(spec_absent(&l.spec, 0));
    assert_int_equal(spec_absent(&l.spec, 1), i == 2);
    assert_int_equal(spec_absent(&l.spec, 3), i == 2);
    literal_release(&l);
  }
}

static const struct {
  const char *id, *client, *expect, *says, *path;
} bad[] = {
    {"client-key", "{\"limits\":3}", "", "did you mean 'limit_s'", "limits"},
    {"at-negative", "{\"at\":-5}", "", "'-5' is not between 1970", "at"},
    {"at-too-late", "{\"at\":4102444801}", "",
     "'4102444801' is not between 1970", "at"},
    {"at-type", "{\"at\":true}", "", "must be a string or a number", "at"},
    {"at-null", "{\"at\":null}", "", "must be a date with its zone", "at"},
    {"limit-range", "{\"limit_s\":1234567}", "",
     "must be within 0.1..86400, is 1234567", "limit_s"},
    {"channel", "{\"channel\":\"comand\"}", "", "did you mean 'command'",
     "channel"},
    {"absent", "{\"absent\":[0]}", "", "1..100", "absent[0]"},
    {"lane-name", "{\"lanes\":[\"a/b\"]}", "", "letters", "lanes[0]"},
    {"lane-twice", "{\"lanes\":[\"a\",\"a\"]}", "", "twice", "lanes[1]"},
    {"no-lane", "{\"lanes\":[]}", "", "1 to", "lanes"},
    {"file-up", "{\"files\":{\"../x\":\"\"}}", "", "below HOME", "files"},
    {"file-inside-up", "{\"files\":{\"a/../../x\":\"\"}}", "", "below HOME",
     "files"},
    {"file-absolute", "{\"files\":{\"/etc/x\":\"\"}}", "", "below HOME",
     "files"},
    {"env-type", "{\"env\":{\"A\":1}}", "", "string", "env.A"},
    {"env-name", "{\"env\":{\"A=B\":\"1\"}}", "", "environment", "env"},
    {"no-check", "{}", "{\"exactly\":1}", "'check' is missing", "expect[0]"},
    {"unknown-check", "{}", "{\"check\":\"atempts\"}",
     "did you mean 'attempts'", "expect[0].check"},
    {"check-key", "{}", "{\"check\":\"attempts\",\"exacty\":1}",
     "did you mean 'exactly'", "expect[0].exacty"},
    {"no-bound", "{}", "{\"check\":\"attempts\"}", "at_least", "expect[0]"},
    {"two-bounds", "{}", "{\"check\":\"attempts\",\"exactly\":1,\"at_most\":2}",
     "exclude", "expect[0]"},
    {"expression", "{}", "{\"check\":\"gap\",\"at_least\":\"retry_after +\"}",
     "character 14", "expect[0].at_least"},
    {"expression-name", "{}",
     "{\"check\":\"gap\",\"at_least\":\"policy.slck\"}", "unknown name",
     "expect[0].at_least"},
    {"need", "{}",
     "{\"check\":\"body_same\",\"needs\":[\"breaker\",\"braker\"]}",
     "policies have no", "needs[1]"},
    {"pattern", "{}", "{\"check\":\"output\",\"matches\":\"(\"}",
     "regular expression", "expect[0].matches"},
    {"file-above", "{}",
     "{\"check\":\"output\",\"contains\":\"x\",\"file\":\"../x\"}",
     "below {SHARED}", "expect[0].file"},
    {"file-root", "{}",
     "{\"check\":\"output\",\"contains\":\"x\",\"file\":\"/x\"}",
     "below {SHARED}", "expect[0].file"},
    {"file-nothing", "{}",
     "{\"check\":\"output\",\"contains\":\"x\",\"file\":\"\"}",
     "below {SHARED}", "expect[0].file"},
    {"file-and-start", "{}",
     "{\"check\":\"output\",\"contains\":\"x\",\"file\":\"x\","
     "\"start\":1}",
     "no 'start'", "expect[0]"},
    {"file-and-lane", "{\"lanes\":[\"a\"]}",
     "{\"check\":\"output\",\"contains\":\"x\",\"file\":\"x\","
     "\"lane\":\"a\"}",
     "no 'lane'", "expect[0]"},
    {"file-and-stream", "{}",
     "{\"check\":\"output\",\"contains\":\"x\",\"file\":\"x\","
     "\"stream\":\"stderr\"}",
     "no 'stream'", "expect[0]"},
    {"file-and-no-text", "{}", "{\"check\":\"output\",\"file\":\"x\"}",
     "needs 'contains'", "expect[0]"},
    {"order-of-one", "{}", "{\"check\":\"order\",\"lanes\":[\"a\"]}",
     "two names", "expect[0].lanes"},
    {"order-of-a-lane", "{}",
     "{\"check\":\"order\",\"lanes\":[\"a\",\"b\"],\"lane\":\"a\"}",
     "no 'lane'", "expect[0]"},
    {"exit-nothing", "{}", "{\"check\":\"exit_code\"}", "'in' or 'not_in'",
     "expect[0]"},
    {"count", "{}", "{\"check\":\"metrics_line\",\"counts\":{\"hits\":\"x\"}}",
     "unknown name", "counts.hits"},
    {"level", "{}", "{\"check\":\"body_same\",\"level\":\"may\"}", "unknown",
     "level"},
};

static void a_wrong_key_is_a_placed_error(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(bad); i++) {
    struct literal l;
    struct diag diag = {0};
    if (literal_init(&l, "[]", bad[i].client, bad[i].expect, NULL, &diag) == 0)
      fail_msg("%s was taken", bad[i].id);
    if (!strstr(diag.text, bad[i].says) || !strstr(diag.path, bad[i].path) ||
        diag.line != 1 || strcmp(diag.file, "literal.json") != 0)
      fail_msg("%s: %s:%d: %s: %s", bad[i].id, diag.file, diag.line, diag.path,
               diag.text);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_scenario_without_a_client_gets_the_defaults),
      cmocka_unit_test(what_is_written_is_read),
      cmocka_unit_test(the_channel_is_that_of_the_steps_unless_told),
      cmocka_unit_test(a_wrong_key_is_a_placed_error)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
