#include "base/param.h"
#include "tests/unit/unit.h"

#include <string.h>

static const char *const endings[] = {"clean", "dirty", NULL};
static const struct param table[] = {
    {"times", PARAM_INT, 1, 9, NULL, false, "how often"},
    {"ending", PARAM_WORD, 0, 0, endings, true, "how it ends"},
    {"headers", PARAM_PAIRS, 0, 0, NULL, false, "headers"},
    {"in", PARAM_INTS, 0, 255, NULL, false, "exit codes"},
    {"retry_after", PARAM_LITERAL, 0, 0, NULL, false, "the literal"},
    {0}};
static const struct param *const tables[] = {table};

static void wrong_objects_are_refused_with_their_place(void **state)
{
  (void)state;
  static const struct {
    const char *id, *text, *path, *says;
  } rows[] = {
      {"no object", "[]", "$", "must be an object"},
      {"missing", "{}", "$", "'ending' is missing"},
      {"unknown", "{\"ending\":\"clean\",\"tims\":1}", "$.tims",
       "did you mean 'times'"},
      {"word", "{\"ending\":\"cleen\"}", "$.ending", "did you mean 'clean'"},
      {"range", "{\"ending\":\"dirty\",\"times\":10}", "$.times",
       "must be within 1..9"},
      {"pair", "{\"ending\":\"dirty\",\"headers\":[[\"a\"]]}", "$.headers[0]",
       "must be a pair"},
      {"item", "{\"ending\":\"dirty\",\"in\":[0,256]}", "$.in[1]",
       "must be within 0..255"},
      {"literal", "{\"ending\":\"dirty\",\"retry_after\":[]}", "$.retry_after",
       "must be a string or a number or null"},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct json_doc doc;
    struct diag d = {0};
    assert_int_equal(json_parse(&doc, "t", bytes_of(rows[i].text), &d), 0);
    struct jval root = json_root(&doc);
    if (param_check(&root, tables, 1, NULL, &d) == 0)
      fail_msg("%s: taken", rows[i].id);
    if (strcmp(d.path, rows[i].path) != 0 || !strstr(d.text, rows[i].says))
      fail_msg("%s: %s: %s", rows[i].id, d.path, d.text);
    json_release(&doc);
  }
}

static void a_right_object_is_read_back(void **state)
{
  (void)state;
  static const char *const others[] = {"check", NULL};
  struct json_doc doc;
  struct diag d = {0};
  int64_t times = 0;
  assert_int_equal(json_parse(&doc, "t",
                              BYTES("{\"check\":\"x\",\"times\":3,"
                                    "\"ending\":\"dirty\","
                                    "\"retry_after\":null}"),
                              &d),
                   0);
  struct jval root = json_root(&doc);
  assert_int_equal(param_check(&root, tables, 1, others, &d), 0);
  assert_true(param_int(root.node, "times", &times));
  assert_int_equal(times, 3);
  assert_int_equal(param_word(root.node, "ending", endings, -1), 1);
  assert_true(param_has(root.node, "retry_after"));
  assert_false(param_int(root.node, "none", &times));
  json_release(&doc);
}

static void a_range_is_a_number_or_two_or_open(void **state)
{
  static const struct {
    const char *text;
    int64_t first, last;
  } rows[] = {{"3", 3, 3},
              {"\"3\"", 3, 3},
              {"\"2-5\"", 2, 5},
              {"\"4+\"", 4, INT64_MAX}};
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct json_doc doc;
    struct diag d = {0};
    int64_t first = 0, last = 0;
    char *text = mem_format("{\"n\":%s}", rows[i].text);
    assert_int_equal(json_parse(&doc, "t", bytes_of(text), &d), 0);
    assert_true(param_range(doc.root, "n", &first, &last));
    assert_int_equal(first, rows[i].first);
    assert_int_equal(last, rows[i].last);
    assert_false(param_range(doc.root, "none", &first, &last));
    json_release(&doc);
    free(text);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(wrong_objects_are_refused_with_their_place),
      cmocka_unit_test(a_right_object_is_read_back),
      cmocka_unit_test(a_range_is_a_number_or_two_or_open),
  };
  return cmocka_run_group_tests_name("param", tests, NULL, NULL);
}
