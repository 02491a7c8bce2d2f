#include "base/file.h"
#include "base/json.h"
#include "harness/check/check.h"
#include "tests/unit/harness/results.h"

static struct json_doc parsed(const char *id, const struct buf *out)
{
  struct json_doc doc;
  struct diag diag = {0};
  if (json_parse(&doc, id, buf_bytes(out), &diag) < 0)
    fail_msg("%s: %d:%d %s\n%s", id, diag.line, diag.column, diag.text,
             buf_str(out));
  return doc;
}

/* "a.b.0": keys and numbers of items on the way. */
static const cJSON *at(const cJSON *node, const char *path)
{
  char *copy = mem_strdup(path), *rest = copy, *word = NULL;
  while ((word = strsep(&rest, "."))) {
    uint64_t i = (uint64_t)(word[0] - '0');
    node = word[0] >= '0' && word[0] <= '9'
               ? cJSON_GetArrayItem(node, (int)i)
               : cJSON_GetObjectItemCaseSensitive(node, word);
    if (!node)
      fail_msg("there is no '%s' of %s", word, path);
  }
  free(copy);
  return node;
}

static const char *text_at(const cJSON *node, const char *path)
{
  const cJSON *found = at(node, path);
  assert_true(cJSON_IsString(found));
  return found->valuestring;
}

static const char placed_json[] =
    "{\"name\":\"stream/cut\",\"file\":\"./my scenarios/cut%.json\","
    "\"verdict\":\"fail\",\"kind\":\"assert\",\"again\":\"faultwire test x\","
    "\"checks\":[{\"check\":\"gap\",\"verdict\":\"fail\",\"text\":\"t\","
    "\"expected\":\"2\",\"actual\":\"1\",\"lane\":\"b\",\"line\":17},"
    "{\"check\":\"rate\",\"verdict\":\"warn\",\"text\":\"w\"},"
    "{\"check\":\"attempts\",\"verdict\":\"pass\",\"text\":\"p\"}]}";

static void a_finding_is_at_its_line_of_the_scenario(void **state)
{
  (void)state;
  struct buf out;
  print_one("sarif", result_of(placed_json), &out);
  struct json_doc doc = parsed("placed", &out);
  const cJSON *results = at(doc.root, "runs.0.results");
  assert_int_equal(cJSON_GetArraySize(results), 2);
  assert_string_equal(text_at(results, "0.ruleId"), "gap");
  assert_string_equal(text_at(results, "0.level"), "error");
  assert_string_equal(text_at(results, "0.message.text"),
                      "stream/cut: t\nexpected: 2\nactual: 1\n"
                      "again: faultwire test x");
  assert_string_equal(
      text_at(results, "0.locations.0.physicalLocation.artifactLocation.uri"),
      "my%20scenarios/cut%25.json");
  assert_int_equal(
      at(results, "0.locations.0.physicalLocation.region.startLine")->valueint,
      17);
  assert_string_equal(text_at(results, "1.level"), "warning");
  int rule = at(results, "0.ruleIndex")->valueint;
  assert_string_equal(
      text_at(
          cJSON_GetArrayItem(at(doc.root, "runs.0.tool.driver.rules"), rule),
          "id"),
      "gap");
  json_release(&doc);
  buf_release(&out);
}

static void every_check_is_a_rule(void **state)
{
  (void)state;
  struct buf out;
  print_one("sarif", result_of(passed_json), &out);
  struct json_doc doc = parsed("rules", &out);
  const cJSON *rules = at(doc.root, "runs.0.tool.driver.rules");
  for (int i = 0; checks[i]; i++)
    assert_string_equal(text_at(cJSON_GetArrayItem(rules, i), "id"),
                        checks[i]->name);
  assert_int_equal(cJSON_GetArraySize(at(doc.root, "runs.0.results")), 0);
  json_release(&doc);
  buf_release(&out);
}

static void what_no_check_says_is_a_finding_all_the_same(void **state)
{
  (void)state;
  struct buf out;
  print_one("sarif",
            result_of("{\"name\":\"a/b\",\"file\":\"/x/b.json\","
                      "\"verdict\":\"fail\",\"kind\":\"hang\","
                      "\"reason\":\"still ran at its limit\"}"),
            &out);
  struct json_doc doc = parsed("hang", &out);
  const cJSON *one = at(doc.root, "runs.0.results.0");
  assert_string_equal(text_at(one, "ruleId"), "hang");
  assert_string_equal(text_at(one, "message.text"),
                      "a/b: still ran at its limit");
  assert_string_equal(
      text_at(one, "locations.0.physicalLocation.artifactLocation.uri"),
      "file:///x/b.json");
  json_release(&doc);
  buf_release(&out);
}

static void what_proved_nothing_is_no_finding(void **state)
{
  (void)state;
  struct buf out;
  print_one("sarif", result_of(unwired_json), &out);
  struct json_doc doc = parsed("unwired", &out);
  assert_int_equal(cJSON_GetArraySize(at(doc.root, "runs.0.results")), 0);
  const cJSON *call = at(doc.root, "runs.0.invocations.0");
  assert_true(cJSON_IsFalse(at(call, "executionSuccessful")));
  assert_int_equal(at(call, "exitCode")->valueint, 3);
  assert_string_equal(
      text_at(call, "toolExecutionNotifications.0.message.text"),
      "auth/401: nothing was proved: not wired: no request arrived");
  json_release(&doc);
  buf_release(&out);
}

static void no_text_can_break_the_document(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(hostile); i++) {
    struct buf out;
    print_one("sarif", result_with("fail", hostile[i].text), &out);
    struct json_doc doc = parsed(hostile[i].id, &out);
    assert_int_equal(cJSON_GetArraySize(at(doc.root, "runs.0.results")), 1);
    json_release(&doc);
    buf_release(&out);
  }
}

static const char validator[] =
    "import json, sys, jsonschema\n"
    "v = jsonschema.Draft4Validator(json.load(open(sys.argv[1])))\n"
    "for f in sys.argv[2:]:\n"
    "    for e in v.iter_errors(json.load(open(f))):\n"
    "        sys.exit(\"%s: %s\" % (f, e.message))\n";

static void put_sarif(const char *folder, size_t i, struct result r)
{
  struct diag diag = {0};
  struct buf out;
  char *name = mem_format("%s/%zu.sarif", folder, i);
  print_one("sarif", r, &out);
  assert_int_equal(file_write(name, buf_bytes(&out), &diag), 0);
  buf_release(&out);
  free(name);
}

static void every_document_follows_the_official_schema(void **state)
{
  (void)state;
  static const char *const runs[] = {placed_json,  passed_json, failed_json,
                                     unwired_json, warned_json, skipped_json};
  struct diag diag = {0};
  char *folder = file_temp_folder("faultwire-sarif", &diag);
  assert_non_null(folder);
  for (size_t i = 0; i < COUNT(runs); i++)
    put_sarif(folder, i, result_of(runs[i]));
  for (size_t i = 0; i < COUNT(hostile); i++)
    put_sarif(folder, COUNT(runs) + i, result_with("warn", hostile[i].text));
  char *script = mem_format("%s/validate.py", folder);
  assert_int_equal(file_write(script, bytes_of(validator), &diag), 0);
  char *line =
      mem_format("/usr/bin/python3 %s " SOURCE_DIR "/tests/fixtures/schemas/"
                 "sarif-2.1.0-rtm.5.json %s/*.sarif",
                 script, folder);
  int rc = system(line);
  file_remove_tree(folder);
  free(line);
  free(script);
  free(folder);
  assert_int_equal(rc, 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_finding_is_at_its_line_of_the_scenario),
      cmocka_unit_test(every_check_is_a_rule),
      cmocka_unit_test(what_no_check_says_is_a_finding_all_the_same),
      cmocka_unit_test(what_proved_nothing_is_no_finding),
      cmocka_unit_test(no_text_can_break_the_document),
      cmocka_unit_test(every_document_follows_the_official_schema),
  };
  return cmocka_run_group_tests_name("report_sarif", tests, NULL, NULL);
}
