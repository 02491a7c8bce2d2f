#include "mutants/udiff.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

#define HEAD "--- a/x.c\n+++ b/x.c\n"

/* `runs`: "path old_first-old_last new_first-new_last; ..." */
static const struct {
  const char *id, *why, *text, *runs;
} DIFFS[] = {
    {"one line", "", HEAD "@@ -3 +3 @@\n-a\n+b\n", "x.c 3-3 3-3;"},
    {"added", "nothing of the old is touched", HEAD "@@ -2,0 +3,2 @@\n+a\n+b\n",
     "x.c 3-2 3-4;"},
    {"removed", "a gap in the new", HEAD "@@ -5,2 +4,0 @@\n-a\n-b\n",
     "x.c 5-6 5-4;"},
    {"two runs", "context parts them",
     HEAD "@@ -1,4 +1,4 @@\n-a\n+A\n b\n c\n-d\n+D\n",
     "x.c 1-1 1-1;x.c 4-4 4-4;"},
    {"context first", "it moves both sides",
     HEAD "@@ -10,3 +20,2 @@ int f(void)\n a\n-b\n c\n", "x.c 11-11 21-20;"},
    {"empty context", "some mailers cut the blank",
     HEAD "@@ -1,3 +1,3 @@\n\n-b\n+B\n c\n", "x.c 2-2 2-2;"},
    {"no newline", "the marker is no line",
     HEAD "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at "
          "end of file\n",
     "x.c 1-1 1-1;"},
    {"dashes in a hunk", "a removed line may look like a header",
     HEAD "@@ -1,2 +1 @@\n--- a/y.c\n a\n", "x.c 1-1 1-0;"},
    {"plain diff", "no a/ and b/, and a time behind a tab",
     "--- x.c\t2025-01-01\n+++ x.c\t2025-01-02\n@@ -1 +1 @@\n-a\n+b\n",
     "x.c 1-1 1-1;"},
    {"new file", "/dev/null has no prefix",
     "--- /dev/null\n+++ b/n.c\n@@ -0,0 +1 @@\n+a\n", "n.c 1-0 1-1;"},
    {"file gone", "its old name counts",
     "--- a/g.c\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n", "g.c 1-1 1-0;"},
    {"quoted", "as git writes bytes above 127",
     "--- \"a/\\303\\244 \\\"x\\\"\"\n+++ \"b/\\303\\244 \\\"x\\\"\"\n@@ -1 +1 "
     "@@\n-a\n+b\n",
     "\xc3\xa4 \"x\" 1-1 1-1;"},
    {"git's words", "passed over",
     "diff --git a/x.c b/x.c\nindex 1..2 100644\n" HEAD "@@ -1 +1 @@\n-a\n+b\n",
     "x.c 1-1 1-1;"},
    {"line ends", "of Windows",
     "--- a/x.c\r\n+++ b/x.c\r\n@@ -1 +1 @@\r\n-a\r\n+b\r\n", "x.c 1-1 1-1;"},
    {"nothing", "no diff at all", "hello\n--- a rule\n", ""},
};

static void each_run_of_lines_has_its_place(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof DIFFS / sizeof DIFFS[0]; i++) {
    struct udiff d;
    struct diag diag = {0};
    struct buf runs;
    buf_init(&runs, 10000);
    if (udiff_parse(&d, "d", bytes_of(DIFFS[i].text), &diag) < 0)
      fail_msg("%s: %s", DIFFS[i].id, diag.text);
    for (int f = 0; f < d.n; f++)
      for (int r = 0; r < d.file[f].nruns; r++) {
        const struct udiff_run *run = &d.file[f].run[r];
        buf_addf(&runs, "%s %lld-%lld %lld-%lld;", d.file[f].path,
                 (long long)run->old_first, (long long)run->old_last,
                 (long long)run->new_first, (long long)run->new_last);
      }
    if (strcmp(buf_str(&runs), DIFFS[i].runs) != 0)
      fail_msg("%s: %s: %s", DIFFS[i].id, DIFFS[i].why, buf_str(&runs));
    buf_release(&runs);
    udiff_release(&d);
  }
}

static const struct {
  const char *id, *text, *error;
  int line;
} BAD[] = {
    {"cut", HEAD "@@ -1,2 +1,2 @@\n a\n", "in the middle of a hunk", 4},
    {"too few", HEAD "@@ -1,2 +1 @@\n-a\n+b\n+c\n", "other lines than", 6},
    {"junk", HEAD "@@ -1 +1 @@\nx\n", "other lines than", 4},
    {"numbers", HEAD "@@ -1 +x @@\n", "not a line like", 3},
    {"no file", "@@ -1 +1 @@\n-a\n+b\n", "before any file", 1},
    {"mixed", HEAD "--- y.c\n+++ y.c\n", "some do not", 4},
    {"no name", "--- /dev/null\n+++ /dev/null\n", "without a name", 2},
    {"large", HEAD "@@ -9999999999 +1 @@\n", "not a line like", 3},
};

static void a_diff_that_was_cut_is_refused(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++) {
    struct udiff d;
    struct diag diag = {0};
    if (udiff_parse(&d, "d.diff", bytes_of(BAD[i].text), &diag) == 0)
      fail_msg("%s: was taken", BAD[i].id);
    if (!strstr(diag.text, BAD[i].error) || diag.line != BAD[i].line ||
        strcmp(diag.file, "d.diff") != 0)
      fail_msg("%s: %s:%d: %s", BAD[i].id, diag.file, diag.line, diag.text);
    assert_int_equal(d.n, 0);
  }
}

static const struct {
  const char *id;
  bool old;
  int64_t first, last;
  bool meets;
} MEETINGS[] = {
    {"before", false, 1, 4, false},
    {"first line", false, 1, 5, true},
    {"last line", false, 6, 9, true},
    {"behind", false, 7, 8, false},
    {"beside the gap", false, 10, 10, true},
    {"other side of it", false, 11, 11, true},
    {"past the gap", false, 12, 12, false},
    {"old side", true, 11, 11, true},
    {"old side, behind", true, 13, 13, false},
};

static void lines_meet_what_was_changed(void **state)
{
  (void)state;
  /* new 5-6 were added; old 10-11 went away between new 10 and 11 */
  struct udiff_run runs[] = {{5, 4, 5, 6}, {10, 11, 11, 10}};
  const struct udiff_file f = {.run = runs, .nruns = 2};
  for (size_t i = 0; i < sizeof MEETINGS / sizeof MEETINGS[0]; i++)
    if (udiff_meets(&f, MEETINGS[i].old, MEETINGS[i].first, MEETINGS[i].last) !=
        MEETINGS[i].meets)
      fail_msg("%s", MEETINGS[i].id);
}

static void renames_and_modes_are_told(void **state)
{
  (void)state;
  static const char *const TEXTS[] = {"rename from a\n", "old mode 100644\n",
                                      "GIT binary patch\n",
                                      "Binary files a and b differ\n"};
  for (size_t i = 0; i < sizeof TEXTS / sizeof TEXTS[0]; i++) {
    struct udiff d;
    struct diag diag = {0};
    assert_int_equal(udiff_parse(&d, "d", bytes_of(TEXTS[i]), &diag), 0);
    assert_true(d.renames);
    udiff_release(&d);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_run_of_lines_has_its_place),
      cmocka_unit_test(a_diff_that_was_cut_is_refused),
      cmocka_unit_test(lines_meet_what_was_changed),
      cmocka_unit_test(renames_and_modes_are_told)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
