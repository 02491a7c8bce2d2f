/* `faultwire test --time scaled`: an hour in two seconds, by real clients. */
#include "tests/unit/harness/schema.h"
#include "tests/unit/unit.h"
#include "tests/unit/vtime/run_program.h"

#include "base/file.h"

#include <cjson/cJSON.h>
#include <string.h>

#define FAULTWIRE BUILD_DIR "/faultwire"

static const char hour[] =
    "{ \"name\": \"hour\", \"why\": \"a limit that resets in an hour\","
    "  \"steps\": [{ \"fault\": \"rate_limit\", \"retry_after\": \"3600\" },"
    "    { \"reply\": \"message\" }],"
    "  \"client\": { \"limit_s\": 9000 },"
    "  \"expect\": [{ \"check\": \"attempts\", \"exactly\": 2 },"
    "    { \"check\": \"gap\", \"at_least\": \"retry_after\","
    "      \"at_most\": \"retry_after + policy.slack\" },"
    "    { \"check\": \"exit_code\", \"in\": [0] }] }";

/* The hour stands in a text as well. */
static const char words[] =
    "{ \"name\": \"words\", \"why\": \"a text that says when\","
    "  \"steps\": [{ \"fault\": \"status\", \"status\": 429,"
    "    \"retry_after\": \"3600\", \"body\": \"try again in 1 hour\" },"
    "    { \"reply\": \"message\" }],"
    "  \"client\": { \"limit_s\": 9000 },"
    "  \"expect\": [{ \"check\": \"gap\", \"at_least\": 3600 }] }";

/* Clients in shell: one that waits as long as it is told, one that does
 * not. */
#define CLIENT                                                                 \
  "c() { curl -sS -o out -D head -w '%{http_code}' -H 'x-api-key: k' "         \
  "-H 'content-type: application/json' -H 'anthropic-version: 2023-06-01' "    \
  "-d '{\"model\":\"m\",\"max_tokens\":5,\"messages\":[{\"role\":\"user\","    \
  "\"content\":\"hi\"}]}' $1/v1/messages; }\n"                                 \
  "[ \"$(c $1)\" = 200 ] && exit 0\n"                                          \
  "s=$(sed -n 's/^retry-after: //p' head | tr -d '\\r')\n"
static const char patient[] = CLIENT "sleep $s\n[ \"$(c $1)\" = 200 ]\n";
static const char hasty[] = CLIENT "sleep 0.3\n[ \"$(c $1)\" = 200 ]\n";

static char *folder;
/* What a right client's hour came to: once, since it takes two seconds. */
static char *said;
static int hour_code;

static int remove_folder(void **state)
{
  (void)state;
  file_remove_tree(folder);
  free(folder);
  free(said);
  return 0;
}

static void put(const char *name, const char *text)
{
  struct diag diag = {0};
  char *path = mem_format("%s/%s", folder, name);
  assert_int_equal(file_write(path, bytes_of(text), &diag), 0);
  free(path);
}

/* The exit code of a line in the folder; its stdout into *ret. */
static int in_folder(const char *line, struct buf *ret)
{
  char *whole = mem_format("cd %s && %s", folder, line);
  int code = run_line(whole, ret);
  free(whole);
  return code;
}

static int test_with(const char *scenario, const char *client, const char *name,
                     const char *options, struct buf *ret)
{
  put("it.json", scenario);
  put("client.sh", client);
  char *line = mem_format("rm -rf %s && " FAULTWIRE
                          " test --provider anthropic %s --evidence %s "
                          "--report json=%s.json it.json -- sh client.sh "
                          "'{BASE}' 2>&1",
                          name, options, name, name);
  int rc = in_folder(line, ret);
  print_message("%s", buf_str(ret));
  free(line);
  return rc;
}

static int run_the_hour(void **state)
{
  struct diag diag = {0};
  struct buf out;
  (void)state;
  folder = file_temp_folder("faultwire-scaled", &diag);
  if (!folder)
    return -1;
  hour_code = test_with(hour, patient, "hour", "--time scaled", &out);
  said = buf_detach(&out);
  return said ? 0 : -1;
}

static void see(const char *out, const char *text)
{
  if (!strstr(out, text))
    fail_msg("no '%s' in: %s", text, out);
}

static void an_hour_is_two_seconds(void **state)
{
  struct buf out;
  (void)state;
  if (!has_program("curl"))
    return;
  assert_int_equal(hour_code, 0);
  see(said, "time divided by 1800: steps[0].retry_after \"3600\" is \"2\"");
  see(said, "kept: policy.slack");
  in_folder("cat hour/*/it/report.json", &out);
  cJSON *o = cJSON_Parse(buf_str(&out));
  const cJSON *scale =
      cJSON_GetObjectItem(cJSON_GetObjectItem(o, "time"), "scale");
  assert_true(cJSON_GetObjectItem(scale, "k")->valuedouble == 1800);
  assert_true(cJSON_GetObjectItem(o, "seconds")->valuedouble < 30);
  see(buf_str(&out), "--time scaled");
  cJSON_Delete(o);
  buf_release(&out);
}

static void check_report(const char *name)
{
  struct json_doc schema, report;
  struct diag diag = {0};
  char *path = mem_format("%s/%s.json", folder, name);
  assert_int_equal(json_load(&report, path, &diag), 0);
  assert_int_equal(
      json_load(&schema, SOURCE_DIR "/docs/report.schema.json", &diag), 0);
  schema_check(schema.root, schema.root, report.root, "report");
  json_release(&schema);
  json_release(&report);
  free(path);
}

static void the_report_is_what_its_schema_says(void **state)
{
  (void)state;
  check_report("hour");
}

static void what_ran_is_kept_and_judged_the_same(void **state)
{
  struct buf out;
  (void)state;
  if (!has_program("curl"))
    return;
  assert_int_equal(in_folder("cat hour/*/it/scenario.run.json", &out), 0);
  see(buf_str(&out), "\"retry_after\": \"2\"");
  buf_release(&out);
  assert_int_equal(in_folder(FAULTWIRE " judge hour 2>&1", &out), 0);
  see(buf_str(&out), "time divided by 1800");
  buf_release(&out);
}

static void who_comes_too_early_fails(void **state)
{
  struct buf out;
  (void)state;
  if (!has_program("curl"))
    return;
  assert_int_equal(test_with(hour, hasty, "hasty", "--time scaled", &out), 1);
  see(buf_str(&out), "gap: ");
  buf_release(&out);
  assert_int_equal(in_folder(FAULTWIRE " judge hasty 2>&1", &out), 1);
  buf_release(&out);
}

static void what_cannot_be_scaled_is_skipped(void **state)
{
  struct buf out;
  (void)state;
  assert_int_equal(test_with(words, patient, "words", "--time scaled", &out),
                   0);
  see(buf_str(&out), "# skip: waits up to 3600 s");
  see(buf_str(&out), "has a time in words ('1 hour')");
  see(buf_str(&out), "0 passed, 0 failed, 0 inconclusive, 1 skipped");
  buf_release(&out);
  check_report("words");
}

static void a_factor_without_scaled_time_is_refused(void **state)
{
  struct buf out;
  (void)state;
  assert_int_equal(test_with(hour, patient, "none", "--scale 10", &out), 2);
  see(buf_str(&out), "--scale goes with --time scaled or auto");
  buf_release(&out);
  assert_int_equal(test_with(hour, patient, "none", "--time scalled", &out), 2);
  see(buf_str(&out), "did you mean 'scaled'?");
  buf_release(&out);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_hour_is_two_seconds),
      cmocka_unit_test(the_report_is_what_its_schema_says),
      cmocka_unit_test(what_ran_is_kept_and_judged_the_same),
      cmocka_unit_test(who_comes_too_early_fails),
      cmocka_unit_test(what_cannot_be_scaled_is_skipped),
      cmocka_unit_test(a_factor_without_scaled_time_is_refused),
  };
  return cmocka_run_group_tests(tests, run_the_hour, remove_folder);
}
