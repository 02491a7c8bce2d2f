#include "tests/unit/unit.h"

#include "harness/report/report.h"
#include "harness/sweep.h"

#include <string.h>

#define FILE_(sweep)                                                           \
  "{\"steps\": [{\"fault\": \"cut\", \"after_events\": 2,\n"                   \
  "  \"retry_after\": \"2\", \"split\": {\"at\": [1, 5]}}],\n"                 \
  " \"sweep\": " sweep ",\n \"tags\": [\"x\"]}"

static int read_sweep(struct sweep *s, struct json_doc *doc, const char *text,
                      struct diag *diag)
{
  assert_int_equal(json_parse(doc, "s.json", bytes_of(text), diag), 0);
  return sweep_read(s, doc, diag);
}

static void values_are_written_as_the_file_has_them(void **state)
{
  static const struct {
    const char *id, *text, *values, *label;
  } rows[] = {
      {"row", FILE_("{\"path\":\"steps[0].after_events\",\"from\":0,\"to\":3}"),
       "0 1 2 3", "after_events=0"},
      {"by",
       FILE_("{\"path\":\"steps[0].after_events\",\"from\":0,\"to\":1,"
             "\"by\":0.3}"),
       "0 0.3 0.6 0.9", "after_events=0"},
      {"ends where it fits",
       FILE_("{\"path\":\"steps[0].after_events\",\"from\":0,\"to\":0.3,"
             "\"by\":0.1}"),
       "0 0.1 0.2 0.3", "after_events=0"},
      {"a number where a text is",
       FILE_("{\"path\":\"steps[0].retry_after\",\"from\":-1,\"to\":1}"),
       "\"-1\" \"0\" \"1\"", "retry_after=-1"},
      {"texts",
       FILE_("{\"path\":\"steps[0].retry_after\",\"values\":[\"a b\","
             "7]}"),
       "\"a b\" \"7\"", "retry_after=a_b"},
      {"an item", FILE_("{\"path\":\"steps[0].split.at[1]\",\"values\":[9]}"),
       "9", "at_1_=9"},
      {"a list",
       FILE_("{\"path\":\"steps[0].split.at\",\"values\":[[1],[2,3]]"
             "}"),
       "[1] [2,3]", "at=_1_"}};
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct sweep s;
    struct json_doc doc;
    struct diag diag = {0};
    char values[256] = "";
    if (read_sweep(&s, &doc, rows[i].text, &diag) < 0)
      fail_msg("%s: %s", rows[i].id, diag.text);
    for (size_t k = 0; k < s.n; k++) {
      size_t n = strlen(values);
      snprintf(values + n, sizeof values - n, "%s%s", k ? " " : "",
               s.values[k]);
    }
    char *label = sweep_label(&s, 0);
    if (strcmp(values, rows[i].values) != 0 ||
        strcmp(label, rows[i].label) != 0)
      fail_msg("%s: %s, %s", rows[i].id, values, label);
    free(label);
    sweep_release(&s);
    json_release(&doc);
  }
}

static void a_point_is_the_file_with_one_value_changed(void **state)
{
  struct sweep s;
  struct json_doc doc;
  struct diag diag = {0};
  (void)state;
  assert_int_equal(
      read_sweep(&s, &doc,
                 FILE_("{\n\"path\":\"steps[0].after_events\",\n\"values\":"
                       "[12]}"),
                 &diag),
      0);
  char *text = sweep_text(&s, &doc, 0);
  assert_string_equal(
      text, "{\"steps\": [{\"fault\": \"cut\", \"after_events\": 12,\n"
            "  \"retry_after\": \"2\", \"split\": {\"at\": [1, 5]}}],\n"
            " \"sweep\": null\n\n,\n \"tags\": [\"x\"]}");
  free(text);
  sweep_release(&s);
  json_release(&doc);
  assert_int_equal(
      read_sweep(&s, &doc,
                 "{\"sweep\":{\"path\":\"a\",\"values\":[2]},\"a\":1}", &diag),
      0);
  text = sweep_text(&s, &doc, 0);
  assert_string_equal(text, "{\"sweep\":null,\"a\":2}");
  free(text);
  sweep_release(&s);
  json_release(&doc);
}

static void no_sweep_has_no_points(void **state)
{
  static const char *const texts[] = {"{\"a\":1}", "{\"sweep\":null}"};
  (void)state;
  for (size_t i = 0; i < COUNT(texts); i++) {
    struct sweep s;
    struct json_doc doc;
    struct diag diag = {0};
    assert_int_equal(read_sweep(&s, &doc, texts[i], &diag), 0);
    assert_int_equal(s.n, 0);
    json_release(&doc);
  }
}

static void mistakes_are_told_with_their_place(void **state)
{
  static const struct {
    const char *id, *sweep, *says;
  } rows[] = {
      {"no way", "{\"values\":[1]}", "'path' is missing"},
      {"a word beside it", "{\"path\":\"steps[0].after_event\",\"values\":[1]}",
       "did you mean 'after_events'"},
      {"no item", "{\"path\":\"steps[1]\",\"values\":[1]}", "no item 1 (of 1)"},
      {"no list", "{\"path\":\"tags.x\",\"values\":[1]}", "there is no 'x'"},
      {"no end", "{\"path\":\"steps[0\",\"values\":[1]}", "] behind ["},
      {"no dot", "{\"path\":\"steps[0]x\",\"values\":[1]}", "a dot before 'x'"},
      {"empty", "{\"path\":\"\",\"values\":[1]}", "no way to a value"},
      {"itself", "{\"path\":\"sweep.path\",\"values\":[1]}", "itself"},
      {"no values", "{\"path\":\"tags\"}", "'from' and 'to'"},
      {"half a row", "{\"path\":\"tags\",\"from\":1}", "'from' and 'to'"},
      {"both", "{\"path\":\"tags\",\"values\":[1],\"from\":1}", "excludes"},
      {"none", "{\"path\":\"tags\",\"values\":[]}", "1 to 256"},
      {"too many", "{\"path\":\"tags\",\"from\":0,\"to\":256}", "257 points"},
      {"backwards", "{\"path\":\"tags\",\"from\":1,\"to\":0}", "0 points"},
      {"no list of values", "{\"path\":\"tags\",\"values\":1}", "array"},
      {"another until", "{\"path\":\"tags\",\"values\":[1],\"until\":\"bad\"}",
       "not_delivered"},
      {"another key", "{\"path\":\"tags\",\"valus\":[1]}", "'values'"}};
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct sweep s;
    struct json_doc doc;
    struct diag diag = {0};
    char text[512], said[1024];
    snprintf(text, sizeof text, FILE_("%s"), rows[i].sweep);
    if (read_sweep(&s, &doc, text, &diag) == 0)
      fail_msg("%s: was taken", rows[i].id);
    diag_format(&diag, said, sizeof said);
    if (!strstr(said, rows[i].says))
      fail_msg("%s: %s", rows[i].id, said);
    if (!strstr(said, ":3:"))
      fail_msg("%s: not in line 3: %s", rows[i].id, said);
    json_release(&doc);
  }
}

/* --- after the run ------------------------------------------------------- */

static void add_result(struct run_report *run, const char *of, int value,
                       const char *verdict, const char *kind)
{
  struct diag diag = {0};
  char path[] = "steps[0].after_events", number[16];
  struct sweep_point p = {.path = path,
                          .value = number,
                          .number = (size_t)value + 1,
                          .points = 5,
                          .until_missed = true};
  snprintf(number, sizeof number, "%d", value);
  char *name = mem_strdup(of);
  p.of = *of ? name : NULL;
  cJSON *o = cJSON_CreateObject();
  cJSON_AddStringToObject(o, "name", "n");
  cJSON_AddStringToObject(o, "verdict", verdict);
  cJSON_AddStringToObject(o, "kind", kind);
  sweep_point_json(&p, o);
  free(name);
  assert_int_equal(result_from_json(&run->results[run->n++], o, &diag), 0);
}

static const char *note_of(const struct result *r)
{
  const cJSON *notes = cJSON_GetObjectItem(r->json, "notes");
  return notes ? cJSON_GetArrayItem(notes, 0)->valuestring : NULL;
}

static void release(struct run_report *run)
{
  for (size_t i = 0; i < run->n; i++)
    result_release(&run->results[i]);
}

static void a_sweep_ends_where_nothing_was_hit(void **state)
{
  struct result results[8];
  struct run_report run = {.results = results};
  (void)state;
  add_result(&run, "", 0, "inconclusive", "not-delivered");
  add_result(&run, "a/b", 0, "pass", "none");
  add_result(&run, "a/b", 1, "fail", "assert");
  add_result(&run, "a/b", 2, "fail", "hang");
  add_result(&run, "a/b", 3, "inconclusive", "not-delivered");
  add_result(&run, "a/b", 4, "inconclusive", "not-delivered");
  add_result(&run, "c/d", 0, "inconclusive", "not-delivered");
  add_result(&run, "c/d", 1, "inconclusive", "not-delivered");
  sweep_settle(&run);
  assert_int_equal(results[0].verdict, VERDICT_INCONCLUSIVE);
  assert_int_equal(results[4].verdict, VERDICT_SKIP);
  assert_int_equal(results[5].verdict, VERDICT_SKIP);
  assert_string_equal(
      cJSON_GetObjectItem(results[5].json, "verdict")->valuestring, "skip");
  /* one that hits nothing at all proves nothing */
  assert_int_equal(results[6].verdict, VERDICT_INCONCLUSIVE);
  assert_int_equal(results[7].verdict, VERDICT_INCONCLUSIVE);
  assert_string_equal(note_of(&results[2]),
                      "first bad point of a/b: steps[0].after_events = 1 "
                      "(2 of 5 points are bad)");
  assert_null(note_of(&results[0]));
  assert_null(note_of(&results[3]));
  release(&run);
}

static void a_good_sweep_has_no_first_bad_point(void **state)
{
  struct result results[2];
  struct run_report run = {.results = results};
  (void)state;
  add_result(&run, "a/b", 0, "pass", "none");
  add_result(&run, "a/b", 1, "warn", "assert");
  sweep_settle(&run);
  assert_null(note_of(&results[0]));
  assert_null(note_of(&results[1]));
  release(&run);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(values_are_written_as_the_file_has_them),
      cmocka_unit_test(a_point_is_the_file_with_one_value_changed),
      cmocka_unit_test(no_sweep_has_no_points),
      cmocka_unit_test(mistakes_are_told_with_their_place),
      cmocka_unit_test(a_sweep_ends_where_nothing_was_hit),
      cmocka_unit_test(a_good_sweep_has_no_first_bad_point)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
