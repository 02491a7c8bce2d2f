#include "base/json.h"
#include "base/json_places.h"
#include "tests/unit/unit.h"

#include <string.h>

static int parse(struct json_doc *doc, const char *text, struct diag *diag)
{
  diag_clear(diag);
  return json_parse(doc, "t.json", bytes_of(text), diag);
}

static void broken_documents_are_placed(void **state)
{
  (void)state;
  static const struct {
    const char *id, *text;
    int line, column;
    const char *says;
  } rows[] = {
      {"empty", "", 1, 1, "ends too early"},
      {"cut", "{\n \"a\": [1,", 2, 10, "ends too early"},
      {"word", "{\n \"a\": maybe }", 2, 7, "not JSON"},
      {"behind", "{}\n{}", 2, 1, "not JSON"},
      {"twice", "{\"a\":1,\n  \"b\":2, \"a\":3}", 2, 10, "stands twice"},
      {"twice inside", "{\"x\":[{\"a\":1,\n\"a\":3}]}", 2, 1, "stands twice"},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct json_doc doc;
    struct diag d;
    if (parse(&doc, rows[i].text, &d) == 0)
      fail_msg("%s: taken", rows[i].id);
    if (!strstr(d.text, rows[i].says) || d.line != rows[i].line ||
        d.column != rows[i].column || strcmp(d.file, "t.json") != 0)
      fail_msg("%s: %s:%d:%d: %s", rows[i].id, d.file, d.line, d.column,
               d.text);
  }
}

static void nul_bytes_are_refused(void **state)
{
  (void)state;
  struct json_doc doc;
  struct diag d = {0};
  assert_int_equal(json_parse(&doc, "t", (struct bytes){"{}\n\0", 4}, &d), -1);
  assert_non_null(strstr(d.text, "NUL"));
  assert_int_equal(d.line, 2);
}

static void comments_are_blank(void **state)
{
  (void)state;
  struct json_doc doc;
  struct diag d;
  assert_int_equal(
      parse(&doc, "// first\n{ /* \"x\": 1,\n */ \"a\": \"//no\" }\n", &d), 0);
  struct jval root = json_root(&doc), a;
  const char *s = NULL;
  assert_true(jval_member(&root, "a", &a));
  assert_int_equal(jval_string(&a, &s, &d), 0);
  assert_string_equal(s, "//no");
  assert_int_equal(jval_count(&root), 1);
  json_release(&doc);
}

static void errors_name_line_column_and_path(void **state)
{
  (void)state;
  struct json_doc doc;
  struct diag d;
  assert_int_equal(parse(&doc,
                         "{ \"steps\": [ {\"t\": [1,2]},\n"
                         "   {\"x\": \"}]\\\"\",   \"times\": \"two\"} ] }",
                         &d),
                   0);
  struct jval root = json_root(&doc), steps, times;
  assert_true(jval_member(&root, "steps", &steps));
  struct jval second = jval_item(&steps, 1);
  assert_true(jval_member(&second, "times", &times));
  int64_t n = 0;
  assert_int_equal(jval_int(&times, 1, 9, &n, &d), -1);
  char text[512];
  diag_format(&d, text, sizeof text);
  assert_string_equal(text, "t.json:2:29: $.steps[1].times: must be a whole "
                            "number, is a string");
  diag_clear(&d);
  static const char *const known[] = {"x", "time", NULL};
  assert_int_equal(jval_known_keys(&second, known, &d), -1);
  diag_format(&d, text, sizeof text);
  assert_string_equal(text, "t.json:2:20: $.steps[1].times: unknown key "
                            "'times'; did you mean 'time'?");
  json_release(&doc);
}

static void numbers_have_a_range(void **state)
{
  (void)state;
  struct json_doc doc;
  struct diag d;
  int64_t n = 0;
  double v = 0;
  assert_int_equal(parse(&doc, "[1.5, 7, 9007199254740994, -1, 1e999]", &d), 0);
  struct jval root = json_root(&doc);
  struct jval half = jval_item(&root, 0), seven = jval_item(&root, 1);
  struct jval huge = jval_item(&root, 2), minus = jval_item(&root, 3);
  struct jval infinite = jval_item(&root, 4);
  assert_int_equal(jval_int(&half, 0, 9, &n, &d), -1);
  diag_clear(&d);
  assert_int_equal(jval_int(&huge, 0, INT64_MAX, &n, &d), -1);
  diag_clear(&d);
  assert_int_equal(jval_int(&minus, 0, 9, &n, &d), -1);
  diag_clear(&d);
  assert_int_equal(jval_number(&infinite, 0, 1e300, &v, &d), -1);
  diag_clear(&d);
  assert_int_equal(jval_int(&seven, 0, 9, &n, &d), 0);
  assert_int_equal(n, 7);
  json_release(&doc);
}

static void all_places_are_those_of_each(const struct json_places *p,
                                         const struct jval *v)
{
  size_t at = 0, n = 0, at_once = 0, n_once = 0;
  assert_true(json_span(v, &at, &n));
  assert_true(json_places_find(p, v->node, &at_once, &n_once));
  assert_int_equal(at, at_once);
  assert_int_equal(n, n_once);
  for (int i = 0; i < jval_count(v); i++) {
    struct jval item = jval_item(v, i);
    all_places_are_those_of_each(p, &item);
  }
}

static void places_at_once_are_those_found_one_by_one(void **state)
{
  static const char mixed[] =
      "{ \"a\" : \"}]\\\"{\", // ]\n \"b\":[1 , -2.5e3,null,true ]\n, "
      "\"c\":{\"\":{\"d\" :\t\"\"}}}\n";
  static const char *const texts[] = {"7", " {} ", "[ ]",
                                      "[[],[{}],{\"a\":[]}]", mixed};
  (void)state;
  for (size_t i = 0; i < COUNT(texts); i++) {
    struct json_doc doc;
    struct json_places p;
    struct diag d;
    size_t at, n;
    cJSON other;
    assert_int_equal(parse(&doc, texts[i], &d), 0);
    struct jval root = json_root(&doc);
    json_places_init(&p, &doc);
    all_places_are_those_of_each(&p, &root);
    assert_false(json_places_find(&p, &other, &at, &n));
    json_places_release(&p);
    json_release(&doc);
  }
}

static void two_hundred_thousand_keys_are_read_in_time(void **state)
{
  (void)state;
  struct buf b;
  struct json_doc doc;
  struct diag d = {0};
  buf_init(&b, JSON_MAX_BYTES);
  for (int i = 0; i < 200000; i++)
    buf_addf(&b, "%c\"k%d\":%d", i ? ',' : '{', i, i);
  buf_adds(&b, "}");
  assert_int_equal(json_parse(&doc, "t", buf_bytes(&b), &d), 0);
  json_release(&doc);
  b.n--;
  buf_adds(&b, ",\n\"k7\":1}");
  assert_int_equal(json_parse(&doc, "t", buf_bytes(&b), &d), -1);
  assert_int_equal(d.line, 2);
  buf_release(&b);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(broken_documents_are_placed),
      cmocka_unit_test(nul_bytes_are_refused),
      cmocka_unit_test(comments_are_blank),
      cmocka_unit_test(errors_name_line_column_and_path),
      cmocka_unit_test(numbers_have_a_range),
      cmocka_unit_test(places_at_once_are_those_found_one_by_one),
      cmocka_unit_test(two_hundred_thousand_keys_are_read_in_time),
  };
  return cmocka_run_group_tests_name("json", tests, NULL, NULL);
}
