#include "base/json.h"
#include "harness/judge.h"
#include "tests/unit/harness/results.h"
#include "tests/unit/harness/schema.h"

/* Parsed strictly: bytes that are no UTF-8 and keys twice are refused. */
static struct json_doc parsed(const char *id, const struct buf *out)
{
  struct json_doc doc;
  struct diag diag = {0};
  if (json_parse(&doc, id, buf_bytes(out), &diag) < 0)
    fail_msg("%s: %d:%d %s\n%s", id, diag.line, diag.column, diag.text,
             buf_str(out));
  return doc;
}

static const cJSON *at(const cJSON *node, const char *key)
{
  const cJSON *found = cJSON_GetObjectItemCaseSensitive(node, key);
  if (!found)
    fail_msg("there is no '%s'", key);
  return found;
}

static void a_run_has_the_published_shape(void **state)
{
  (void)state;
  static const char *const client[] = {"./my-client", "--say", "\"hi\"", NULL};
  struct result r[] = {result_of(passed_json), result_of(failed_json),
                       result_of(unwired_json)};
  struct buf out;
  print_results("json", r, COUNT(r), client, &out);
  struct json_doc doc = parsed("run", &out);
  assert_string_equal(at(doc.root, "faultwire")->valuestring,
                      FAULTWIRE_VERSION);
  assert_int_equal(cJSON_GetArraySize(at(doc.root, "client")), 3);
  assert_int_equal(cJSON_GetArraySize(at(doc.root, "scenarios")), 3);
  const cJSON *counts = at(doc.root, "counts");
  assert_int_equal(at(counts, "pass")->valueint, 1);
  assert_int_equal(at(counts, "fail")->valueint, 1);
  assert_int_equal(at(counts, "inconclusive")->valueint, 1);
  assert_int_equal(at(counts, "skip")->valueint, 0);
  assert_int_equal(at(counts, "warn")->valueint, 0);
  assert_int_equal(at(doc.root, "exit")->valueint, 1);
  json_release(&doc);
  buf_release(&out);
  for (size_t i = 0; i < COUNT(r); i++)
    result_release(&r[i]);
}

/* A scenario's object as the harness makes it. */
static struct result result_of_harness(void)
{
  static const struct judge_names names = {.address = "a/b",
                                           .file = "a/b.json",
                                           .again = "faultwire test a/b.json",
                                           .seed = 7,
                                           .seconds = 0.25};
  struct diag diag = {0};
  struct result r;
  cJSON *object = judge_harness_error(&names, "why", "no free port");
  if (result_from_json(&r, object, &diag) < 0)
    fail_msg("%s", diag.text);
  return r;
}

static void a_report_follows_the_published_schema(void **state)
{
  (void)state;
  struct json_doc schema, doc;
  struct diag diag = {0};
  struct buf out;
  assert_int_equal(
      json_load(&schema, SOURCE_DIR "/docs/report.schema.json", &diag), 0);
  print_one("json", result_of_harness(), &out);
  doc = parsed("schema", &out);
  schema_check(schema.root, schema.root, doc.root, "report");
  json_release(&doc);
  json_release(&schema);
  buf_release(&out);
}

static void the_seed_keeps_all_its_bits(void **state)
{
  (void)state;
  struct buf out;
  print_one("json", result_of(passed_json), &out);
  assert_contains(&out, "\"seed\":18446744073709551615,");
  buf_release(&out);
}

static void the_scenario_object_comes_out_as_it_went_in(void **state)
{
  (void)state;
  static const char text[] =
      "{\"name\":\"a/b\",\"verdict\":\"pass\",\"n\":[0,-1,0.5,1e300,123456789]"
      ",\"t\":true,\"f\":false,\"z\":null,\"o\":{},\"a\":[[],[1]]}";
  struct buf out;
  print_one("json", result_of(text), &out);
  struct json_doc doc = parsed("object", &out);
  cJSON *want = cJSON_Parse(text);
  assert_true(cJSON_Compare(
      want, cJSON_GetArrayItem(at(doc.root, "scenarios"), 0), true));
  cJSON_Delete(want);
  json_release(&doc);
  buf_release(&out);
}

static void numbers_json_cannot_hold_become_null(void **state)
{
  (void)state;
  struct result r = result_of(passed_json);
  cJSON_AddNumberToObject(r.json, "bad", (double)INFINITY);
  struct buf out;
  print_one("json", r, &out);
  assert_contains(&out, "\"bad\":null");
  buf_release(&out);
}

static void no_text_can_break_the_document(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(hostile); i++) {
    const char *client[] = {hostile[i].text, NULL};
    struct result r = result_with("fail", hostile[i].text);
    struct buf out;
    print_results("json", &r, 1, client, &out);
    struct json_doc doc = parsed(hostile[i].id, &out);
    const cJSON *one = cJSON_GetArrayItem(at(doc.root, "scenarios"), 0);
    bool same = strcmp(at(one, "reason")->valuestring, hostile[i].text) == 0;
    bool utf8 = !strstr(at(one, "reason")->valuestring, "\xef\xbf\xbd");
    if (same != utf8)
      fail_msg("%s: the text changed", hostile[i].id);
    json_release(&doc);
    buf_release(&out);
    result_release(&r);
  }
}

static void a_long_text_is_whole(void **state)
{
  (void)state;
  char *text = long_text(300000);
  for (size_t i = 0; text[i]; i++)
    if ((unsigned char)text[i] >= 0x80)
      text[i] = 'e';
  struct buf out;
  print_one("json", result_with("fail", text), &out);
  struct json_doc doc = parsed("long", &out);
  const cJSON *one = cJSON_GetArrayItem(at(doc.root, "scenarios"), 0);
  assert_string_equal(at(one, "why")->valuestring, text);
  json_release(&doc);
  buf_release(&out);
  free(text);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_run_has_the_published_shape),
      cmocka_unit_test(a_report_follows_the_published_schema),
      cmocka_unit_test(the_seed_keeps_all_its_bits),
      cmocka_unit_test(the_scenario_object_comes_out_as_it_went_in),
      cmocka_unit_test(numbers_json_cannot_hold_become_null),
      cmocka_unit_test(no_text_can_break_the_document),
      cmocka_unit_test(a_long_text_is_whole),
  };
  return cmocka_run_group_tests_name("report_json", tests, NULL, NULL);
}
