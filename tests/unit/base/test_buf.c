#include "base/buf.h"
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

static void over_the_ceiling_nothing_is_added_and_full_is_set(void **state)
{
  (void)state;
  struct buf b;
  buf_init(&b, 5);
  buf_adds(&b, "abc");
  buf_adds(&b, "defg");
  assert_true(b.full);
  assert_string_equal(buf_str(&b), "abc");
  buf_reset(&b);
  assert_false(b.full);
  buf_adds(&b, "12345");
  assert_false(b.full);
  assert_int_equal(b.n, 5);
  buf_release(&b);
}

static void json_strings_are_escaped(void **state)
{
  (void)state;
  static const struct {
    const char *id, *in, *out;
    size_t n;
  } rows[] = {
      {"plain", "abc", "\"abc\"", 3},
      {"quotes", "a\"\\b", "\"a\\\"\\\\b\"", 4},
      {"controls", "\n\r\t\x01", "\"\\n\\r\\t\\u0001\"", 4},
      {"nul", "a\0b", "\"a\\u0000b\"", 3},
      {"kana", "\xe3\x81\x82", "\"\xe3\x81\x82\"", 3},
      {"cut kana", "\xe3\x81", "\"\xef\xbf\xbd\xef\xbf\xbd\"", 2},
      {"surrogate", "\xed\xa0\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"",
       3},
      {"overlong", "\xc0\xaf", "\"\xef\xbf\xbd\xef\xbf\xbd\"", 2},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct buf b;
    buf_init(&b, 256);
    buf_add_json(&b, (struct bytes){rows[i].in, rows[i].n});
    if (strcmp(buf_str(&b), rows[i].out) != 0)
      fail_msg("%s: %s", rows[i].id, buf_str(&b));
    buf_release(&b);
  }
}

static void consume_keeps_the_rest(void **state)
{
  (void)state;
  struct buf b;
  buf_init(&b, 100);
  buf_addf(&b, "%s-%d", "abc", 7);
  buf_consume(&b, 2);
  assert_string_equal(buf_str(&b), "c-7");
  buf_consume(&b, 99);
  assert_int_equal(b.n, 0);
  assert_string_equal(buf_str(&b), "");
  char *text = buf_detach(&b);
  assert_string_equal(text, "");
  free(text);
  buf_release(&b);
}

static void slices_are_found_and_compared(void **state)
{
  (void)state;
  assert_int_equal(bytes_find(BYTES("hello"), BYTES("llo")), 2);
  assert_int_equal(bytes_find(BYTES("hello"), BYTES("lloo")), -1);
  assert_int_equal(bytes_find(BYTES(""), BYTES("a")), -1);
  assert_true(bytes_equal_nocase(BYTES("Retry-After"), BYTES("rETRY-aFTER")));
  assert_false(bytes_equal_nocase(BYTES("a@"), BYTES("a`")));
  assert_true(bytes_starts(BYTES("/v1/messages"), BYTES("/v1")));
  assert_false(bytes_starts(BYTES("/v"), BYTES("/v1")));
  assert_true(bytes_hash(BYTES("a")) != bytes_hash(BYTES("b")));
  /* published FNV-1a vector */
  assert_true(bytes_hash(BYTES("foobar")) == 0x85944171f73967e8u);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(over_the_ceiling_nothing_is_added_and_full_is_set),
      cmocka_unit_test(json_strings_are_escaped),
      cmocka_unit_test(consume_keeps_the_rest),
      cmocka_unit_test(slices_are_found_and_compared),
  };
  return cmocka_run_group_tests_name("buf", tests, NULL, NULL);
}
