/* What ends a run in virtual time besides the client's own limit: real time,
 * a number of calls, a wait that is too long to jump over; who says it, what
 * the reports say of it, and that such a run is never passed. */
#include "tests/unit/harness/schema.h"
#include "tests/unit/harness/virtual_run.h"

#include "base/json.h"

#define SCENARIO(client, expect)                                               \
  "{ \"name\": \"it\", \"why\": \"limits\",\n"                                 \
  "  \"steps\": [{ \"fault\": \"rate_limit\", \"retry_after\": \"3600\",\n"    \
  "    \"times\": 100000 }],\n"                                                \
  "  \"client\": {" client "},\n"                                              \
  "  \"expect\": [" expect "] }"
/* Whatever it does is right, as long as somebody sees what it does. */
#define CALLS "{ \"check\": \"attempts\", \"at_least\": 1 }"
#define ENDS "{ \"check\": \"exit_code\", \"in\": [0] }"

#define SPIN "python3 spin.py '{BASE}'"
#define NAP "python3 nap.py '{BASE}'"

static const struct row {
  const char *id, *options, *client, *project, *expect, *command;
  int exit;
  const char *ended_by, *says; /* ended_by "": its own limit, or by itself */
  int starts;
} rows[] = {
    {"calls, the command line", "--attempt-limit 20", "", "", CALLS, SPIN, 3,
     "attempts", "(--attempt-limit 20)", 1},
    {"calls, the scenario", "", "\"attempt_limit\": 21", "", CALLS, SPIN, 3,
     "attempts", "(--attempt-limit 21)", 1},
    {"calls, the project", "", "", "\"attempt_limit\": 22", CALLS, SPIN, 3,
     "attempts", "(--attempt-limit 22)", 1},
    {"the command line before the scenario before the project",
     "--attempt-limit 23", "\"attempt_limit\": 9", "\"attempt_limit\": 8",
     CALLS, SPIN, 3, "attempts", "(--attempt-limit 23)", 1},
    {"the scenario before the project", "", "\"attempt_limit\": 24",
     "\"attempt_limit\": 8", CALLS, SPIN, 3, "attempts", "(--attempt-limit 24)",
     1},
    {"a failure stays one", "--attempt-limit 20", "", "", ENDS, SPIN, 1,
     "attempts",
     "actual    still ran after more "
     "calls",
     1},
    {"a wait, the command line", "--largest-jump 3599", "", "", CALLS, NAP, 3,
     "largest jump",
     "'python3' wants to wait 3600 s in clock_nanosleep, --largest-jump is "
     "3599",
     1},
    {"a wait, the scenario", "", "\"largest_jump_s\": 1.5", "", CALLS, NAP, 3,
     "largest jump", "--largest-jump is 1.5", 1},
    {"a wait, the project", "", "", "\"largest_jump_s\": 60", CALLS, NAP, 3,
     "largest jump", "--largest-jump is 60", 1},
    {"as long as it may be", "--largest-jump 3600", "", "", ENDS, NAP, 0, "",
     "1 passed", 1},
    {"its own limit comes first", "--largest-jump 60", "", "", ENDS, NAP, 1, "",
     "still ran at its limit, ended after 50.", 1},
    {"what is between two starts is no client's wait", "--largest-jump 3600",
     "\"starts\": 2, \"pause_s\": 80000", "", ENDS, NAP, 0, "", "1 passed", 2},
    {"no further start", "--attempt-limit 20", "\"starts\": 3", "", CALLS, SPIN,
     3, "attempts", "(--attempt-limit 20)", 1},
    {"no further round", "--attempt-limit 30",
     "\"starts\": 2, \"lanes\": [\"a\", \"b\"]", "", CALLS,
     "sh -c 'test {LANE} = a || exec " SPIN "; curl -s -o /dev/null -d {} "
     "{BASE}/v1/messages'",
     3, "attempts", "(--attempt-limit 30)", 2},
    {"real time, the scenario", "", "\"real_limit_s\": 0.5", "", ENDS,
     "sh -c 'curl -s -o /dev/null -d {} {BASE}/v1/messages; "
     "while :; do :; done'",
     1, "real limit", "(--real-limit 0.5)", 1},
    {"real time, the project", "", "\"starts\": 2", "\"real_limit_s\": 0.6",
     CALLS,
     "sh -c 'curl -s -o /dev/null -d {} {BASE}/v1/messages; "
     "while :; do :; done'",
     3, "real limit", "(--real-limit 0.6)", 1},
};

static void write_files(const struct row *r)
{
  bool short_run = strstr(r->says, "at its limit") != NULL;
  char *scenario =
      mem_format(SCENARIO("\"limit_s\": %d%s%s", "%s"), short_run ? 50 : 80000,
                 *r->client ? ", " : "", r->client, r->expect);
  char *project = mem_format("{ \"client\": [\"true\"], \"time\": "
                             "\"virtual\"%s%s }",
                             *r->project ? ", " : "", r->project);
  put("it.json", scenario);
  put("p.json", project);
  free(project);
  free(scenario);
}

static void a_report_fits_the_schema(void)
{
  struct json_doc schema, report;
  struct diag diag = {0};
  char *path = mem_format("%s/r.json", folder);
  assert_int_equal(
      json_load(&schema, SOURCE_DIR "/docs/report.schema.json", &diag), 0);
  assert_int_equal(json_load(&report, path, &diag), 0);
  schema_check(schema.root, schema.root, report.root, "report");
  json_release(&schema);
  json_release(&report);
  free(path);
}

/* The first start that one of the run's limits ended; "" for none. */
static const char *end_of(const cJSON *o, int *ret_starts)
{
  const cJSON *s = NULL;
  const char *word = "";
  *ret_starts = 0;
  cJSON_ArrayForEach(s, cJSON_GetObjectItem(o, "starts"))
  {
    word = *word ? word : word_of(s, "ended_by");
    ++*ret_starts;
  }
  return word;
}

static void run_row(const struct row *r)
{
  struct buf out;
  int starts = 0;
  write_files(r);
  char *words = mem_format("test %s --project p.json --report json=r.json "
                           "--report html=r.html it.json -- %s",
                           r->options, r->command);
  int code = faultwire(words, &out);
  cJSON *o = scenario_of("r.json");
  const char *ended_by = end_of(o, &starts);
  if (code != r->exit || !strstr(buf_str(&out), r->says) ||
      strcmp(ended_by, r->ended_by) != 0 || starts != r->starts)
    fail_msg("%s: %d, by '%s', %d starts: %s", r->id, code, ended_by, starts,
             buf_str(&out));
  a_report_fits_the_schema();
  cJSON_Delete(o);
  buf_release(&out);
  free(words);
}

static void each_limit_is_told_with_its_value(void **state)
{
  (void)state;
  if (!has_program("python3") || !has_program("curl"))
    return;
  for (size_t i = 0; i < COUNT(rows); i++)
    run_row(&rows[i]);
}

/* The line that runs it again has everything that made it what it was. */
static void again_has_all_that_changes_the_run(void **state)
{
  static const char options[] =
      "--provider anthropic --seed 7 --limit 70000 --strict --time virtual "
      "--at 2026-03-08T01:59:00-08:00 --real-limit 50 --attempt-limit 40 "
      "--largest-jump 3000.5";
  struct buf out;
  (void)state;
  if (!has_program("python3"))
    return;
  put("it.json", SCENARIO("\"stream\": false", ENDS));
  char *words =
      mem_format("test --report json=r.json %s it.json -- " NAP, options);
  char *again = mem_format("faultwire test %s it.json -- python3 nap.py "
                           "'{BASE}'",
                           options);
  assert_int_equal(faultwire(words, &out), 1);
  cJSON *o = scenario_of("r.json");
  assert_string_equal(word_of(o, "again"), again);
  cJSON_Delete(o);
  buf_release(&out);
  free(again);
  free(words);
}

/* Evidence keeps the limits: the same again is the same, and judged the
 * same. */
static void a_replay_has_the_same_limits(void **state)
{
  struct buf out;
  (void)state;
  if (!has_program("python3"))
    return;
  put("it.json", SCENARIO("\"limit_s\": 9000", CALLS));
  assert_int_equal(
      faultwire("test --provider anthropic --time virtual "
                "--largest-jump 1234 --evidence ev it.json -- " NAP,
                &out),
      3);
  buf_release(&out);
  assert_int_equal(faultwire("replay ev/*/it", &out), 3);
  assert_non_null(strstr(buf_str(&out), "the verdict is the same"));
  assert_non_null(strstr(buf_str(&out), "--largest-jump is 1234"));
  buf_release(&out);
  assert_int_equal(faultwire("judge ev/*/it", &out), 3);
  assert_non_null(strstr(buf_str(&out), "--largest-jump is 1234"));
  buf_release(&out);
}

static const struct {
  const char *id, *options, *client, *project, *says;
} bad[] = {
    {"no call", "--attempt-limit 0", "", "", "--attempt-limit must be within"},
    {"half a call", "--attempt-limit 2.5", "", "", "--attempt-limit"},
    {"no jump", "--largest-jump 0", "", "", "--largest-jump must be within"},
    {"a misspelt option", "--larges-jump 7", "", "",
     "did you mean '--largest-jump'"},
    {"the scenario's number", "", "\"attempt_limit\": 0", "",
     "it.json:4:31: $.client.attempt_limit: "},
    {"the scenario's jump", "", "\"largest_jump_s\": \"1d\"", "",
     "$.client.largest_jump_s: "},
    {"the scenario's key", "", "\"largest_jmp_s\": 7", "",
     "did you mean 'largest_jump_s'"},
    {"the project's number", "", "", "\"real_limit_s\": 0", "$.real_limit_s: "},
    {"the project's key", "", "", "\"attempt_limits\": 7",
     "did you mean 'attempt_limit'"},
};

static void a_wrong_limit_is_an_error_with_its_place(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(bad); i++) {
    struct buf out;
    char *scenario = mem_format(SCENARIO("%s", CALLS), bad[i].client);
    char *project = mem_format("{ \"client\": [\"true\"]%s%s }",
                               *bad[i].project ? ", " : "", bad[i].project);
    char *words =
        mem_format("test %s --project p.json it.json", bad[i].options);
    put("it.json", scenario);
    put("p.json", project);
    int code = faultwire(words, &out);
    if (code != 2 || !strstr(buf_str(&out), bad[i].says))
      fail_msg("%s: %d: %s", bad[i].id, code, buf_str(&out));
    buf_release(&out);
    free(words);
    free(project);
    free(scenario);
  }
}

static int make_clients(void **state)
{
  if (make_folder(state) < 0)
    return -1;
  put("ask.py", ask_py);
  put("spin.py", "import ask\nwhile True: ask.call()\n");
  put("nap.py", "import ask, time\nask.call()\ntime.sleep(3600)\n");
  return 0;
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_limit_is_told_with_its_value),
      cmocka_unit_test(again_has_all_that_changes_the_run),
      cmocka_unit_test(a_replay_has_the_same_limits),
      cmocka_unit_test(a_wrong_limit_is_an_error_with_its_place),
  };
  return cmocka_run_group_tests(tests, make_clients, remove_folder);
}
