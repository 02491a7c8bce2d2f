/*
 * A suite that says nothing but its exit code is one test.
 */
#include "mutants/format/format.h"

int suite_read_exit(struct bytes output, int exit_code, struct verdicts *ret,
                    struct diag *diag)
{
  (void)output;
  struct test *t = suite_format_add(ret, "suite", diag);
  if (!t)
    return -1;
  if (exit_code > 0 && exit_code <= 125) {
    t->verdict = VERDICT_RED;
    t->kind = KIND_ASSERT;
  }
  return suite_format_check(ret, exit_code, diag);
}
