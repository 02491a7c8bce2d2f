/*
 * fuzz_suite_format.c - what suites of other people print. First byte: bits 0
 * and 1 the format (faultwire, junit, tap, exit), the others the exit code (0,
 * 1, 2, 127).
 */
#include "fuzz/fuzz.h"
#include "mutants/format/format.h"

static void check_test(const struct verdicts *v, const struct test *t)
{
  PROPERTY(t->name && t->name[0], "a test has a name");
  PROPERTY(t->why, "a reason is never NULL");
  PROPERTY(t->verdict != VERDICT_GREEN || t->kind == KIND_NONE,
           "a green test has no kind");
  PROPERTY(t->verdict != VERDICT_RED || t->kind != KIND_NONE,
           "a red test has a kind");
  PROPERTY(t->ms >= 0 && t->ms <= INT64_C(86400000),
           "a test takes a day at most");
  PROPERTY(verdicts_find(v, t->name) == t, "a name stands once");
}

static void check_accepted(const struct verdicts *v, int exit_code)
{
  bool red = verdicts_count(v, VERDICT_RED) > 0;

  PROPERTY(v->n > 0, "a suite without tests is no proof");
  PROPERTY(red == (exit_code != 0), "the exit code agrees");
  PROPERTY(exit_code < 126, "a suite that was not run judges nothing");
  for (int i = 0; i < v->n; i++)
    check_test(v, &v->item[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static const int codes[] = {0, 1, 2, 127};
  const struct suite_format *format;
  struct verdicts v = {0};
  struct diag diag = {0};
  char *copy;
  int exit_code;

  if (size == 0)
    return 0;
  copy = fuzz_copy(data + 1, size - 1);
  format = &SUITE_FORMATS[data[0] & 3];
  exit_code = codes[(data[0] >> 2) & 3];
  if (format->read((struct bytes){copy, size - 1}, exit_code, &v, &diag) < 0) {
    PROPERTY(diag.set && diag.text[0], "a refusal has a sentence");
  } else {
    PROPERTY(!diag.set, "no error is left behind by a success");
    if (format->read != suite_read_command) /* knows one code more */
      check_accepted(&v, exit_code);
  }
  verdicts_release(&v);
  free(copy);
  return 0;
}
