#include "tests/unit/unit.h"

#include "mockserver/multipart.h"

#include <string.h>

static const char body[] = "--B\r\n"
                           "Content-Disposition: form-data; name=\"purpose\""
                           "\r\n\r\nbatch\r\n"
                           "--B\r\n"
                           "content-disposition: form-data; "
                           "filename=\"name=x.jsonl\"; name=\"file\"\r\n"
                           "content-type: application/octet-stream\r\n"
                           "\r\na\0b\r\n--b\r\n--\r\n\r\n--B--\r\n";

static struct bytes whole(void)
{
  return (struct bytes){body, sizeof body - 1};
}

static void parts_have_names_and_any_bytes(void **state)
{
  struct multipart m;
  struct part p;
  (void)state;
  assert_true(
      multipart_open(&m, BYTES("multipart/form-data; boundary=B"), whole()));
  assert_true(multipart_next(&m, &p));
  assert_true(bytes_equal(p.name, BYTES("purpose")));
  assert_true(bytes_equal(p.content, BYTES("batch")));
  assert_int_equal(p.filename.n, 0);
  assert_true(multipart_next(&m, &p));
  assert_true(bytes_equal(p.name, BYTES("file")));
  assert_true(bytes_equal(p.filename, BYTES("name=x.jsonl")));
  assert_true(bytes_equal(p.content, BYTES("a\0b\r\n--b\r\n--\r\n")));
  assert_false(multipart_next(&m, &p));
  assert_false(multipart_next(&m, &p));
}

static void a_quoted_boundary_is_the_same(void **state)
{
  struct multipart m;
  struct part p;
  (void)state;
  assert_true(multipart_open(
      &m, BYTES("multipart/form-data; boundary=\"B\"; x=y"), whole()));
  assert_true(multipart_next(&m, &p));
}

static void what_is_no_form_is_refused(void **state)
{
  static const struct {
    const char *id, *type, *body;
  } rows[] = {{"no boundary", "multipart/form-data", "--B\r\n"},
              {"empty boundary", "multipart/form-data; boundary=", "--\r\n"},
              {"JSON", "application/json", "{}"},
              {"another boundary", "x; boundary=C", "--B\r\n"},
              {"shorter than the boundary", "x; boundary=BBBB", "--BB"},
              {"71 characters",
               "x; boundary=0123456789012345678901234567890123456789"
               "0123456789012345678901234567890",
               "--0123456789012345678901234567890123456789"
               "0123456789012345678901234567890"}};
  struct multipart m;
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++)
    if (multipart_open(&m, bytes_of(rows[i].type), bytes_of(rows[i].body)))
      fail_msg("%s", rows[i].id);
}

/* Every prefix ends without a part that is not whole. */
static void a_cut_body_gives_whole_parts_or_none(void **state)
{
  (void)state;
  for (size_t n = 0; n < sizeof body - 1; n++) {
    struct multipart m;
    struct part p;
    size_t parts = 0;
    char *copy = test_malloc(n + 1);
    memcpy(copy, body, n);
    if (multipart_open(&m, BYTES("x; boundary=B"), (struct bytes){copy, n}))
      while (multipart_next(&m, &p))
        parts++;
    assert_true(parts <= 2);
    if (n < 60)
      assert_int_equal(parts, 0);
    test_free(copy);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(parts_have_names_and_any_bytes),
      cmocka_unit_test(a_quoted_boundary_is_the_same),
      cmocka_unit_test(what_is_no_form_is_refused),
      cmocka_unit_test(a_cut_body_gives_whole_parts_or_none)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
