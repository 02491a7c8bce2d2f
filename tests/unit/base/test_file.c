#include "base/file.h"
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void a_file_comes_back_as_written(void **state)
{
  (void)state;
  struct diag d = {0};
  char *folder = file_temp_folder("faultwire-test", &d);
  assert_non_null(folder);
  char *deep = mem_format("%s/a/b", folder);
  char *path = mem_format("%s/x", deep);
  assert_int_equal(file_mkdirs(deep, &d), 0);
  assert_int_equal(file_mkdirs(deep, &d), 0);
  assert_int_equal(file_write(path, BYTES("a\0b"), &d), 0);
  struct buf b;
  buf_init(&b, 3);
  assert_int_equal(file_read(path, &b, &d), 0);
  assert_true(bytes_equal(buf_bytes(&b), BYTES("a\0b")));
  buf_release(&b);
  buf_init(&b, 2);
  assert_int_equal(file_read(path, &b, &d), -1);
  assert_non_null(strstr(d.text, "3 bytes, the limit is 2"));
  buf_release(&b);
  char *link_path = mem_format("%s/link", folder);
  assert_int_equal(symlink("/etc/hostname", link_path), 0);
  assert_int_equal(file_remove_tree(folder), 0);
  assert_false(file_exists(folder));
  assert_true(file_exists("/etc/hostname"));
  free(link_path);
  free(path);
  free(deep);
  free(folder);
}

static void failures_say_what_and_why(void **state)
{
  (void)state;
  struct diag d = {0};
  struct buf b;
  buf_init(&b, 10);
  assert_int_equal(file_read("/nonexistent/x", &b, &d), -1);
  assert_non_null(strstr(d.text, "/nonexistent/x"));
  assert_non_null(strstr(d.text, "No such file"));
  diag_clear(&d);
  assert_int_equal(file_read("/", &b, &d), -1);
  assert_non_null(strstr(d.text, "Is a directory"));
  diag_clear(&d);
  assert_int_equal(file_write("/nonexistent/x", BYTES("1"), &d), -1);
  diag_clear(&d);
  assert_int_equal(file_mkdirs("/dev/null/x", &d), -1);
  buf_release(&b);
}

static void a_device_is_written_through_and_not_replaced(void **state)
{
  (void)state;
  struct diag d = {0};
  struct stat st;
  assert_int_equal(file_write("/dev/null", BYTES("1"), &d), 0);
  assert_int_equal(file_write("/dev/full", BYTES("1"), &d), -1);
  assert_non_null(strstr(d.text, "No space left"));
  assert_int_equal(stat("/dev/full", &st), 0);
  assert_true(S_ISCHR(st.st_mode));
  assert_int_equal(stat("/dev/null", &st), 0);
  assert_true(S_ISCHR(st.st_mode));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_file_comes_back_as_written),
      cmocka_unit_test(failures_say_what_and_why),
      cmocka_unit_test(a_device_is_written_through_and_not_replaced),
  };
  return cmocka_run_group_tests_name("file", tests, NULL, NULL);
}
