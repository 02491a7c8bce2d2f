#include "tests/unit/unit.h"

#include "tests/unit/harness/literal.h"

#include "harness/capture.h"
#include "harness/run_files.h"

#include "base/file.h"

#include <unistd.h>

#define FILE_CHECK(name)                                                       \
  "{\"check\":\"output\",\"file\":\"" name "\",\"equals\":\"\"}"

/* A shared folder, and the files read from it that |expects| name. */
struct shared {
  char *folder;
  struct literal l;
  struct run_files files;
};

static void put(const struct shared *s, const char *name, struct bytes text)
{
  struct diag diag = {0};
  char *path = mem_format("%s/%s", s->folder, name);
  assert_int_equal(file_write(path, text, &diag), 0);
  free(path);
}

static void setup(struct shared *s, const char *expects)
{
  struct diag diag = {0};
  s->folder = file_temp_folder("shared", &diag);
  assert_non_null(s->folder);
  if (literal_init(&s->l, "[]", "{}", expects, NULL, &diag) < 0)
    fail_msg("%s", diag.text);
}

static void collect(struct shared *s)
{
  run_files_init(&s->files, &s->l.spec, s->folder);
  s->l.e.files = s->files.file;
  s->l.e.nfiles = s->files.n;
}

static void end(struct shared *s)
{
  run_files_release(&s->files);
  literal_release(&s->l);
  file_remove_tree(s->folder);
  free(s->folder);
}

static void named_files_are_read_and_no_others(void **state)
{
  struct shared s;
  struct diag diag = {0};
  (void)state;
  setup(&s, FILE_CHECK("a") "," FILE_CHECK(
                "deep/b") ","
                          "{\"check\":\"attempts\",\"exactly\":0}");
  char *deep = mem_format("%s/deep", s.folder);
  assert_int_equal(file_mkdirs(deep, &diag), 0);
  free(deep);
  put(&s, "a", BYTES("one\n\0two"));
  put(&s, "deep/b", BYTES(""));
  put(&s, "c", BYTES("nobody asks"));
  collect(&s);
  assert_int_equal(s.files.n, 2);
  assert_true(
      bytes_equal(evidence_file(&s.l.e, "a")->text, BYTES("one\n\0two")));
  assert_true(evidence_file(&s.l.e, "deep/b")->there);
  assert_int_equal(evidence_file(&s.l.e, "deep/b")->text.n, 0);
  assert_null(evidence_file(&s.l.e, "c"));
  end(&s);
}

/* A link may lead anywhere, a pipe may never end. */
static void what_is_no_file_was_not_written(void **state)
{
  static const char *const names[] = {"missing", "link", "folder"};
  struct shared s;
  struct diag diag = {0};
  (void)state;
  setup(&s,
        FILE_CHECK("missing") "," FILE_CHECK("link") "," FILE_CHECK("folder"));
  char *link = mem_format("%s/link", s.folder);
  char *folder = mem_format("%s/folder", s.folder);
  assert_int_equal(symlink("/etc/passwd", link), 0);
  assert_int_equal(file_mkdirs(folder, &diag), 0);
  free(link);
  free(folder);
  collect(&s);
  for (size_t i = 0; i < COUNT(names); i++) {
    const struct client_file *file = evidence_file(&s.l.e, names[i]);
    assert_non_null(file);
    if (file->there || file->cut || file->text.n)
      fail_msg("%s was read", names[i]);
  }
  end(&s);
}

static void a_file_above_the_ceiling_is_cut(void **state)
{
  struct shared s;
  struct buf big;
  (void)state;
  setup(&s, FILE_CHECK("big"));
  buf_init(&big, 2 * CAPTURE_MAX_BYTES);
  while (big.n <= CAPTURE_MAX_BYTES)
    buf_adds(&big, "0123456789abcdef0123456789abcdef0123456789abcdef");
  put(&s, "big", buf_bytes(&big));
  buf_release(&big);
  collect(&s);
  assert_true(evidence_file(&s.l.e, "big")->cut);
  assert_true(evidence_file(&s.l.e, "big")->text.n <= CAPTURE_MAX_BYTES);
  end(&s);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(named_files_are_read_and_no_others),
      cmocka_unit_test(what_is_no_file_was_not_written),
      cmocka_unit_test(a_file_above_the_ceiling_is_cut)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
