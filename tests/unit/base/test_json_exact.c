#include "base/json_exact.h"
#include "tests/unit/unit.h"

#include <string.h>

static const struct {
  const char *id, *text, *exact;
} texts[] = {
    {"short number", "{\"a\":123456789012345}", "{\"a\":123456789012345}"},
    {"long number", "{\"a\":1234567890123456}", "{\"a\":\"1234567890123456\"}"},
    {"negative", "[-9223372036854775808]", "[\"-9223372036854775808\"]"},
    {"fraction", "[0.12345678901234567]", "[0.12345678901234567]"},
    {"exponent", "[1234567890123456e2]", "[1234567890123456e2]"},
    {"in a string", "[\"1234567890123456\"]", "[\"1234567890123456\"]"},
    {"behind an escaped quote", "[\"\\\"1234567890123456\"]",
     "[\"\\\"1234567890123456\"]"},
    {"nul", "[\"a\\u0000b\"]", "[\"a\\ufffdb\"]"},
    {"backslash before u0000", "[\"a\\\\u0000\"]", "[\"a\\\\u0000\"]"},
    {"string without an end", "[\"ab", "[\"ab"},
    {"ends in a backslash", "[\"\\", "[\"\\"},
    {"empty", "", ""},
};

static void only_what_would_be_lost_is_changed(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(texts); i++) {
    struct buf b;
    buf_init(&b, 1000);
    json_exact(bytes_of(texts[i].text), &b);
    if (strcmp(buf_str(&b), texts[i].exact) != 0)
      fail_msg("%s: %s", texts[i].id, buf_str(&b));
    buf_release(&b);
  }
}

/* The value of {"v": TEXT}. */
static int read_i64(const char *text, int64_t min, int64_t max, int64_t *ret)
{
  struct json_doc doc;
  struct jval v;
  struct diag diag = {0};
  struct buf exact;
  char *whole = mem_format("{\"v\":%s}", text);
  buf_init(&exact, 1000);
  json_exact(bytes_of(whole), &exact);
  assert_int_equal(json_parse(&doc, "t", buf_bytes(&exact), &diag), 0);
  struct jval root = json_root(&doc);
  assert_true(jval_member(&root, "v", &v));
  int rc = jval_i64(&v, min, max, ret, &diag);
  assert_int_equal(diag.set, rc < 0);
  json_release(&doc);
  buf_release(&exact);
  free(whole);
  return rc;
}

static void whole_numbers_of_64_bits_come_back(void **state)
{
  static const int64_t numbers[] = {
      0,         -1,         INT64_C(9007199254740993),
      INT64_MAX, -INT64_MAX, INT64_C(1764547200123456789)};
  (void)state;
  for (size_t i = 0; i < COUNT(numbers); i++) {
    int64_t n = 5;
    char *text = mem_format("%lld", (long long)numbers[i]);
    assert_int_equal(read_i64(text, INT64_MIN, INT64_MAX, &n), 0);
    assert_true(n == numbers[i]);
    free(text);
  }
}

static void what_is_no_such_number_is_an_error(void **state)
{
  static const char *const bad[] = {
      "1.5",  "true", "\"x\"", "\"\"", "null",
      "1e30", "-1",   "101",   "[]",   "99999999999999999999"};
  (void)state;
  for (size_t i = 0; i < COUNT(bad); i++) {
    int64_t n = 7;
    if (read_i64(bad[i], 0, 100, &n) == 0)
      fail_msg("%s was taken", bad[i]);
    assert_int_equal(n, 7);
  }
}

static void unsigned_numbers_have_all_their_bits(void **state)
{
  struct json_doc doc;
  struct diag diag = {0};
  uint64_t n = 0;
  (void)state;
  assert_int_equal(
      json_parse(&doc, "t", BYTES("[\"18446744073709551615\", 3, -1]"), &diag),
      0);
  struct jval root = json_root(&doc), first = jval_item(&root, 0),
              second = jval_item(&root, 1), third = jval_item(&root, 2);
  assert_int_equal(jval_u64(&first, UINT64_MAX, &n, &diag), 0);
  assert_true(n == UINT64_MAX);
  assert_int_equal(jval_u64(&second, 3, &n, &diag), 0);
  assert_int_equal(n, 3);
  assert_int_equal(jval_u64(&second, 2, &n, &diag), -1);
  diag_clear(&diag);
  assert_int_equal(jval_u64(&third, 3, &n, &diag), -1);
  json_release(&doc);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(only_what_would_be_lost_is_changed),
      cmocka_unit_test(whole_numbers_of_64_bits_come_back),
      cmocka_unit_test(what_is_no_such_number_is_an_error),
      cmocka_unit_test(unsigned_numbers_have_all_their_bits)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
