/* The classifier's JSON reader gives the tree that cJSON gives. */
#include "guard/classify/tree.h"

#include "base/file.h"
#include "tests/unit/unit.h"

#define BODIES SOURCE_DIR "/tests/fixtures/vectors/error_bodies.jsonl"

static bool same_text(const char *a, const char *b)
{
  return a && b ? strcmp(a, b) == 0 : a == b;
}

/* Node by node and in order: cJSON_Compare() does not look at the order. */
static bool same_tree(const cJSON *a, const cJSON *b)
{
  for (; a && b; a = a->next, b = b->next)
    if ((a->type & 0xff) != (b->type & 0xff) || a->valueint != b->valueint ||
        memcmp(&a->valuedouble, &b->valuedouble, sizeof a->valuedouble) != 0 ||
        !same_text(a->string, b->string) ||
        !same_text(a->valuestring, b->valuestring) ||
        !same_tree(a->child, b->child))
      return false;
  return a == b;
}

static bool reads_as_cjson(const char *p, size_t n)
{
  struct guard_tree tree;
  bool is = guard_tree_read(&tree, p, n);
  cJSON *json = cJSON_ParseWithLength(p, n);
  bool same = is == (json != NULL) && same_tree(tree.root, json);

  if (!same)
    print_error("read otherwise: %.*s\n", (int)n, p);
  cJSON_Delete(json);
  guard_tree_release(&tree);
  return same;
}

static void every_form_is_read_as_cjson_does(void **state)
{
  static const struct {
    const char *id, *text;
  } rows[] = {
      {"empty", ""},
      {"blanks", " \t\r\n "},
      {"nothing in it", "{}"},
      {"nothing in a list", "[ ]"},
      {"kinds", "[null,true,false,0,\"\",{},[]]"},
      {"members in order", "{\"b\":1,\"a\":{\"c\":[2,3]},\"b\":4}"},
      {"blanks around all", "\n { \"a\" :\t[ 1 , 2 ] , \"b\" : \"c\" } "},
      {"an indent", "{\n        \"a\": 1,\n         \"b\": 2\n}"},
      {"bytes behind it", "{\"a\":1} and more"},
      {"a word's beginning", "nullify"},
      {"a byte order mark", "\xef\xbb\xbf{\"a\":1}"},
      {"a mark and nothing", "\xef\xbb\xbf"},
      {"a mark inside", "[\xef\xbb\xbf 1]"},
      {"escapes", "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\""},
      {"an escape at the end", "[\"abc\\\\\",\"\\\"\"]"},
      {"characters", "\"\\u0041\\u00e9\\u20AC\\ud83d\\ude00 \xc3\xa9\""},
      {"a character of none", "[\"a\\u0000b\"]"},
      {"half a pair", "\"\\ud83d\""},
      {"the other half", "\"\\ude00\""},
      {"a pair of one kind", "\"\\ud83d\\ud83d\""},
      {"an unknown escape", "\"\\x41\""},
      {"a control character", "\"a\nb\""},
      {"no end", "\"abc"},
      {"a backslash at the end", "\"abc\\"},
      {"an escaped quote only", "\"abc\\\""},
      {"numbers", "[0,-0,1,-1,42,007,123456789012345,1234567890123456]"},
      {"fractions", "[1.5,-2.25e3,1E-2,0.1,1.]"},
      {"beyond int", "[2147483647,2147483648,-2147483648,-2147483649,1e300]"},
      {"a number's rubbish", "[12-3]"},
      {"a minus alone", "[-]"},
      {"a plus", "[+1]"},
      {"a point first", "[.5]"},
      {"hexadecimal", "[0x10]"},
      {"a comma too many", "[1,]"},
      {"a comma first", "[,1]"},
      {"a member's comma", "{\"a\":1,}"},
      {"no colon", "{\"a\" 1}"},
      {"no name", "{1:2}"},
      {"no value", "{\"a\":}"},
      {"not closed", "{\"a\":[1,2"},
      {"closed otherwise", "[1}"},
      {"a word", "Overloaded"},
      {"a page", "<html>"},
  };
  int wrong = 0;

  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (!reads_as_cjson(rows[i].text, strlen(rows[i].text))) {
      print_error("  %s\n", rows[i].id);
      wrong++;
    }
  assert_int_equal(wrong, 0);
}

static void every_beginning_of_a_recorded_line_is_read_as_cjson_does(void **s)
{
  struct buf text;
  struct diag diag;
  char *left;
  int wrong = 0, lines = 0;

  (void)s;
  buf_init(&text, 1 << 20);
  assert_int_equal(file_read(BODIES, &text, &diag), 0);
  for (char *line = strtok_r(text.p, "\n", &left); line && wrong == 0;
       line = strtok_r(NULL, "\n", &left), lines++)
    for (size_t n = strlen(line); n > 0 && wrong == 0; n = n * 7 / 8)
      wrong += !reads_as_cjson(line, n);
  buf_release(&text);
  assert_int_equal(wrong, 0);
  assert_true(lines > 200);
}

static void a_unicode_escape_needs_four_digits(void **state)
{
  static const char *const rows[] = {"\"\\u\"", "\"\\u12\"", "\"\\u12g4\"",
                                     "\"\\u00\\\"a\"", "\"\\ud83d\\u12\""};
  struct guard_tree tree;

  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    assert_false(guard_tree_read(&tree, rows[i], strlen(rows[i])));
    guard_tree_release(&tree);
  }
}

static void a_thousand_levels_are_read_and_no_more(void **state)
{
  char text[2002];

  (void)state;
  for (size_t depth = 999; depth <= 1001; depth++) {
    memset(text, '[', depth);
    memset(text + depth, ']', depth);
    assert_true(reads_as_cjson(text, depth * 2));
  }
}

static void more_nodes_than_one_block_stay_in_order(void **state)
{
  struct buf text;

  (void)state;
  buf_init(&text, 1 << 20);
  buf_addc(&text, '[');
  for (int i = 0; i < 1000; i++)
    buf_addf(&text, "%s{\"n%d\":\"v\\n%d\"}", i ? "," : "", i, i);
  buf_addc(&text, ']');
  assert_true(reads_as_cjson(text.p, text.n));
  buf_release(&text);
}

static void used_is_where_the_value_ends(void **state)
{
  static const char text[] = "  {\"a\": \"b\"}  rest";
  struct guard_tree tree;

  (void)state;
  assert_true(guard_tree_read(&tree, text, sizeof text - 1));
  assert_int_equal(tree.used, 12);
  guard_tree_release(&tree);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_form_is_read_as_cjson_does),
      cmocka_unit_test(
          every_beginning_of_a_recorded_line_is_read_as_cjson_does),
      cmocka_unit_test(a_unicode_escape_needs_four_digits),
      cmocka_unit_test(a_thousand_levels_are_read_and_no_more),
      cmocka_unit_test(more_nodes_than_one_block_stay_in_order),
      cmocka_unit_test(used_is_where_the_value_ends),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
