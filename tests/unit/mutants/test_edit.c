#include "mutants/edit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

static const struct {
  const char *id, *why;
  const char *text, *find, *with;
  int64_t count;
  const char *after, *error; /* one of the two */
} EDITS[] = {
    {"once", "the plain case", "a b c", "b", "x", 1, "a x c", NULL},
    {"gone", "an anchor that is gone is never guessed", "a b c", "z", "x", 1,
     NULL, "found 0 times, must be there 1 times"},
    {"twice", "an unforeseen second place", "b b", "b", "x", 1, NULL,
     "found 2 times, must be there 1 times"},
    {"all", "a declared count replaces all", "b b", "b", "xx", 2, "xx xx",
     NULL},
    {"overlap", "matches do not overlap", "aaa", "aa", "b", 1, "ba", NULL},
    {"itself", "the replacement is not searched again", "b", "b", "bb", 1, "bb",
     NULL},
    {"removal", "nothing in its place", "a\nb\nc\n", "b\n", "", 1, "a\nc\n",
     NULL},
    {"whole", "the text is the anchor", "abc", "abc", "", 1, "", NULL},
    {"longer", "the anchor is longer than the text", "a", "ab", "", 1, NULL,
     "found 0 times"},
};

static void an_edit_matches_exactly_as_often_as_declared(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof EDITS / sizeof EDITS[0]; i++) {
    struct plan_edit e = {"f.c", EDITS[i].find, EDITS[i].with, EDITS[i].count};
    struct diag diag = {0};
    struct buf after;
    buf_init(&after, 100);
    int rc = edit_apply(&e, bytes_of(EDITS[i].text), &after, &diag);
    if ((rc == 0) != (EDITS[i].after != NULL))
      fail_msg("%s: %s: rc %d", EDITS[i].id, EDITS[i].why, rc);
    if (EDITS[i].after)
      assert_string_equal(buf_str(&after), EDITS[i].after);
    else if (!strstr(diag.text, EDITS[i].error))
      fail_msg("%s: %s", EDITS[i].id, diag.text);
    buf_release(&after);
  }
}

static void a_refusal_names_the_file(void **state)
{
  (void)state;
  struct plan_edit e = {"lib/x.c", "q", "", 1};
  struct diag diag = {0};
  struct buf after;
  buf_init(&after, 100);
  assert_int_equal(edit_apply(&e, BYTES("abc"), &after, &diag), -1);
  assert_non_null(strstr(diag.text, "lib/x.c"));
  buf_release(&after);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_edit_matches_exactly_as_often_as_declared),
      cmocka_unit_test(a_refusal_names_the_file)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
