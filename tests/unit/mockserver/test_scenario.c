#include "tests/unit/unit.h"

#include "mockserver/fault.h"
#include "mockserver/scenario.h"

#include "base/file.h"

#include <string.h>

#define TOP "{\"name\":\"n\",\"why\":\"w\","
#define ANT TOP "\"provider\":\"anthropic\",\n"
#define STEPS(s) TOP "\n\"steps\":[" s "]}"
#define ANT_STEPS(s) ANT "\"steps\":[" s "]}"

/* line and column are checked with the text, as diag_format prints them */
static const struct {
  const char *id, *text, *want;
} refused[] = {
    {"empty file", "", "t.json:1:1: "},
    {"truncated", "{\"name\":\"n\",\n \"why\"", "t.json:2:"},
    {"no object", "[]", "$: "},
    {"no name", "{\"why\":\"w\",\"steps\":[]}", "'name' is missing"},
    {"empty why", "{\"name\":\"n\",\"why\":\"\",\"steps\":[]}",
     "t.json:1:19: $.why: must not be empty"},
    {"no steps", TOP "\"seed\":1}", "'steps' is missing"},
    {"no step", TOP "\"steps\":[]}", "$.steps: may be empty only"},
    {"unknown top key", TOP "\"step\":[]}",
     "unknown key 'step'; did you mean 'steps'?"},
    {"key of client", TOP "\"time\":\"virtual\",\"steps\":[]}",
     "t.json:1:23: $.time: 'time' belongs into 'client'"},
    {"unknown provider", TOP "\"provider\":\"antropic\",\"steps\":[]}",
     "$.provider: unknown provider 'antropic'; did you mean 'anthropic'?"},
    {"after_script", TOP "\"after_script\":\"repeat\",\"steps\":[]}",
     "$.after_script: unknown word 'repeat'; known: "},
    {"duplicate key", TOP "\"name\":\"m\",\"steps\":[]}",
     "t.json:1:23: $.name: "},
    {"seed below", TOP "\"seed\":-1,\"steps\":[]}", "$.seed: "},
    {"seed fraction", TOP "\"seed\":1.5,\"steps\":[]}", "$.seed: "},
    {"step is no object", STEPS("3"), "t.json:2:10: $.steps[0]: "},
    {"neither", STEPS("{}"),
     "t.json:2:10: $.steps[0]: needs 'fault', 'reply', 'pass' or 'command'"},
    {"no pass", STEPS("{\"pass\":false}"), "$.steps[0].pass: must be true"},
    {"a pass that replies", STEPS("{\"pass\":true,\"reply\":\"message\"}"),
     "$.steps[0].reply: unknown key"},
    {"a pass at a barrier",
     STEPS("{\"pass\":true,\"barrier\":{\"requests\":2,\"for_s\":1}}"),
     "'barrier' does not go with 'pass'"},
    {"both", STEPS("{\"fault\":\"hang\",\"reply\":\"message\"}"),
     "t.json:2:26: $.steps[0].reply: a step is either"},
    {"unknown fault", STEPS("{\"fault\":\"rate_limt\"}"),
     "t.json:2:19: $.steps[0].fault: unknown fault 'rate_limt'; did you mean "
     "'rate_limit'?"},
    {"fault of wrong type", STEPS("{\"fault\":7}"), "$.steps[0].fault: "},
    {"unknown reply", STEPS("{\"reply\":\"mesage\"}"),
     "did you mean 'message'?"},
    {"unknown step key", STEPS("{\"fault\":\"rate_limit\",\"retry_aftr\":1}"),
     "t.json:2:32: $.steps[0].retry_aftr: unknown key 'retry_aftr'; did you "
     "mean 'retry_after'?"},
    {"key of another fault", STEPS("{\"fault\":\"hang\",\"retry_after\":1}"),
     "unknown key 'retry_after'"},
    {"times 0", STEPS("{\"reply\":\"message\",\"times\":0}"),
     "$.steps[0].times: "},
    {"times word", STEPS("{\"reply\":\"message\",\"times\":\"ever\"}"),
     "a whole number from 1 or \"always\""},
    {"times fraction", STEPS("{\"reply\":\"message\",\"times\":1.5}"),
     "$.steps[0].times: "},
    {"chunks over", STEPS("{\"reply\":\"message\",\"chunks\":1000001}"),
     "$.steps[0].chunks: "},
    {"delay negative", STEPS("{\"reply\":\"message\",\"delay_ms\":-1}"),
     "$.steps[0].delay_ms: "},
    {"match key", STEPS("{\"reply\":\"message\",\"match\":{\"modell\":1}}"),
     "$.steps[0].match.modell: unknown key 'modell'; did you mean 'model'?"},
    {"match header",
     STEPS("{\"reply\":\"message\",\"match\":{\"header\":"
           "[\"a\"]}}"),
     "$.steps[0].match.header: must be a pair"},
    {"match header type",
     STEPS("{\"reply\":\"message\",\"match\":"
           "{\"header\":[\"a\",1]}}"),
     "$.steps[0].match.header[1]: "},
    {"headers pair",
     STEPS("{\"fault\":\"status\",\"status\":500,"
           "\"headers\":[[\"a\"]]}"),
     "$.steps[0].headers[0]: must be a pair"},
    {"header line break",
     STEPS("{\"fault\":\"status\",\"status\":500,"
           "\"headers\":[[\"a\",\"b\\r\\nc\"]]}"),
     "$.steps[0].headers[0][1]: a header cannot hold a line break"},
    {"header value",
     STEPS("{\"fault\":\"status\",\"status\":500,"
           "\"headers\":[[\"a\",\"{{epok}}\"]]}"),
     "{{epok}} is no value"},
    {"retry_after value",
     STEPS("{\"fault\":\"rate_limit\",\"retry_after\":\"{{epoch:x}}\"}"),
     "$.steps[0].retry_after: {{epoch:x}} needs a number"},
    {"retry_after type",
     STEPS("{\"fault\":\"rate_limit\",\"retry_after\":[1]}"),
     "$.steps[0].retry_after: "},
    {"status and error",
     ANT_STEPS("{\"fault\":\"status\",\"error\":\"api_error\","
               "\"status\":500}"),
     "'error' and 'status' exclude each other"},
    {"status without", STEPS("{\"fault\":\"status\"}"),
     "$.steps[0]: needs 'error'"},
    {"status range", STEPS("{\"fault\":\"status\",\"status\":99}"),
     "$.steps[0].status: "},
    {"two bodies",
     STEPS("{\"fault\":\"status\",\"status\":500,\"body\":"
           "\"\",\"body_base64\":\"\"}"),
     "exclude each other"},
    {"base64",
     STEPS("{\"fault\":\"status\",\"status\":500,"
           "\"body_base64\":\"a\"}"),
     "$.steps[0].body_base64: is not base64"},
    {"unknown error",
     ANT_STEPS("{\"fault\":\"status\",\"error\":\"overloded_error\"}"),
     "t.json:2:36: $.steps[0].error: anthropic has no 'overloded_error'; did "
     "you mean 'overloaded_error'?"},
    {"error of one provider",
     STEPS("{\"fault\":\"status\",\"error\":\"billing_error\"}"),
     "name the provider this scenario is for"},
    {"error of no provider",
     STEPS("{\"fault\":\"stream_error\",\"error\":\"overloadd\"}"),
     "no provider has 'overloadd'; did you mean 'overloaded'?"},
    {"inner name",
     ANT_STEPS("{\"fault\":\"status\",\"error\":"
               "\"quota:requests\"}"),
     "anthropic has no 'quota:requests'"},
    {"quota", ANT_STEPS("{\"fault\":\"rate_limit\",\"quota\":\"request\"}"),
     "anthropic has no 'request'; did you mean 'requests'?"},
    {"after_event", ANT_STEPS("{\"fault\":\"stream_cut\",\"after_event\":9}"),
     "$.steps[0].after_event: the stream of anthropic has 9 events here"},
    {"after_event, any provider",
     STEPS("{\"fault\":\"stream_cut\",\"after_event\":3}"),
     "the stream of gemini has 3 events here"},
    {"after_event negative",
     ANT_STEPS("{\"fault\":\"stream_cut\",\"after_event\":-1}"),
     "$.steps[0].after_event: "},
    {"event and byte",
     ANT_STEPS("{\"fault\":\"stream_cut\","
               "\"after_event\":1,\"at_byte\":1}"),
     "exclude each other"},
    {"ending", STEPS("{\"fault\":\"stream_cut\",\"ending\":\"rts\"}"),
     "did you mean 'rst'?"},
    {"stall without where", STEPS("{\"fault\":\"stall\"}"),
     "the key 'where' is missing"},
    {"stall event",
     STEPS("{\"fault\":\"stall\",\"where\":"
           "\"before_headers\",\"after_event\":1}"),
     "needs \"where\": \"after_event\""},
    {"stall ping",
     STEPS("{\"fault\":\"stall\",\"where\":"
           "\"before_headers\",\"pings\":1}"),
     "no ping can be sent"},
    {"stall for_s",
     STEPS("{\"fault\":\"stall\",\"where\":"
           "\"before_headers\",\"for_s\":0}"),
     "$.steps[0].for_s: "},
    {"never reached",
     STEPS("{\"reply\":\"message\",\"times\":\"always\"},"
           "{\"fault\":\"hang\"}"),
     "$.steps[1]: is never reached"}};

static void wrong_scenarios_are_refused_with_their_place(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(refused); i++) {
    struct scenario s;
    struct diag diag = {0};
    char text[2048] = "";
    int rc = scenario_parse(&s, "t.json", bytes_of(refused[i].text), &diag);
    diag_format(&diag, text, sizeof text);
    if (rc == 0 || !strstr(text, refused[i].want))
      fail_msg("%s: rc %d, '%s', wanted '%s'", refused[i].id, rc, text,
               refused[i].want);
    if (strncmp(text, "t.json:", 7) != 0)
      fail_msg("%s: no place in '%s'", refused[i].id, text);
  }
}

static void nul_bytes_are_refused(void **state)
{
  struct scenario s;
  struct diag diag = {0};
  (void)state;
  assert_int_equal(
      scenario_parse(&s, "t.json", BYTES("{\"name\":\"a\0b\"}"), &diag), -1);
  assert_true(diag.set);
  diag_clear(&diag);
  assert_int_equal(scenario_parse(&s, "t.json",
                                  BYTES("{\"name\":\"a\\u0000b\",\"why\":\"w\","
                                        "\"steps\":[{\"fault\":\"hang\"}]}"),
                                  &diag),
                   -1);
}

static void a_hundred_megabytes_are_refused_unread(void **state)
{
  struct scenario s;
  struct diag diag = {0};
  const char *path = BUILD_DIR "/test_scenario_large.json";
  (void)state;
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  assert_int_equal(fseek(f, 100L << 20, SEEK_SET), 0);
  fputc('x', f);
  fclose(f);
  assert_int_equal(scenario_load(&s, path, &diag), -1);
  remove(path);
  assert_non_null(strstr(diag.text, "16777216"));
  assert_non_null(strstr(diag.text, path));
}

static void a_missing_file_is_named(void **state)
{
  struct scenario s;
  struct diag diag = {0};
  (void)state;
  assert_int_equal(scenario_load(&s, "/nowhere/x.json", &diag), -1);
  assert_non_null(strstr(diag.text, "/nowhere/x.json"));
}

static void a_whole_scenario_is_read(void **state)
{
  struct scenario s;
  struct diag diag = {0};
  static const char text[] =
      "{ // with a comment\n"
      "\"$schema\":\"s\",\"name\":\"n\",\"why\":\"w\",\"tags\":[\"t\"],"
      "\"provider\":\"openai\",\"seed\":9,\"after_script\":\"error\","
      "\"client\":{},\"expect\":[],\n"
      "\"steps\":[{\"fault\":\"rate_limit\",\"times\":2,\"lane\":\"a\","
      "\"retry_after\":\"{{http_date:+3}}\",\"quota\":\"requests\"},"
      "{\"reply\":\"message\",\"times\":\"always\",\"match\":{\"path\":\"*x\","
      "\"model\":\"gpt*\",\"stream\":false,\"header\":[\"h\",\"v*\"],"
      "\"body\":\"b\"}}]}";
  (void)state;
  int rc = scenario_parse(&s, "t.json", BYTES(text), &diag);
  if (rc < 0)
    fail_msg("%s: %s", diag.path, diag.text);
  assert_string_equal(s.name, "n");
  assert_int_equal(s.seed, 9);
  assert_int_equal(s.after, AFTER_ERROR);
  assert_int_equal(s.nsteps, 2);
  assert_ptr_equal(s.steps[0].fault, fault_find("rate_limit"));
  assert_int_equal(s.steps[0].times, 2);
  assert_string_equal(s.steps[0].lane, "a");
  assert_int_equal(s.steps[0].match.stream, -1);
  assert_ptr_equal(s.steps[1].fault, fault_find("none"));
  assert_true(s.steps[1].times == INT64_MAX);
  assert_int_equal(s.steps[1].match.stream, 0);
  assert_string_equal(s.steps[1].match.header_value, "v*");
  assert_string_equal(s.steps[1].match.body, "b");
  scenario_release(&s);
}

static void no_step_is_right_when_calls_get_a_reply(void **state)
{
  struct scenario s;
  struct diag diag = {0};
  (void)state;
  assert_int_equal(
      scenario_parse(&s, "t.json",
                     BYTES(TOP "\"after_script\":\"reply\",\"steps\":[]}"),
                     &diag),
      0);
  assert_null(s.provider);
  scenario_release(&s);
}

static void a_cut_may_be_placed_anywhere_inside_the_stream(void **state)
{
  (void)state;
  for (int k = 0; k < 9; k++) {
    struct scenario s;
    struct diag diag = {0};
    char text[256];
    snprintf(text, sizeof text,
             ANT_STEPS("{\"fault\":\"stream_cut\",\"after_event\":%d}"), k);
    assert_int_equal(scenario_parse(&s, "t.json", bytes_of(text), &diag), 0);
    scenario_release(&s);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(wrong_scenarios_are_refused_with_their_place),
      cmocka_unit_test(nul_bytes_are_refused),
      cmocka_unit_test(a_hundred_megabytes_are_refused_unread),
      cmocka_unit_test(a_missing_file_is_named),
      cmocka_unit_test(a_whole_scenario_is_read),
      cmocka_unit_test(no_step_is_right_when_calls_get_a_reply),
      cmocka_unit_test(a_cut_may_be_placed_anywhere_inside_the_stream)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
