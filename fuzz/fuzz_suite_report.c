/*
 * fuzz_suite_report.c - the reports that the mutation gate believes. First
 * byte: bit 0 a command's output, else a report of faultwire; bits 1 and 2
 * the exit code (0, 1, 3, 70).
 */
#include "fuzz/fuzz.h"
#include "mutants/suite_read.h"

/* A day, in ms (suite_read.c). */
#define MAX_MS INT64_C(86400000)

struct reading {
  int rc;
  struct verdicts tests;
  struct diag diag;
};

static void read_report(bool command, struct bytes text, int exit_code,
                        struct reading *ret)
{
  memset(ret, 0, sizeof *ret);
  ret->rc =
      command ? suite_read_command(text, exit_code, &ret->tests, &ret->diag)
              : suite_read_faultwire(text, exit_code, &ret->tests, &ret->diag);
  if (ret->rc < 0)
    PROPERTY(ret->diag.set && ret->diag.text[0], "a refusal has a sentence");
  else
    PROPERTY(!ret->diag.set, "no error is left behind by a success");
}

static void check_test(const struct verdicts *v, const struct test *t)
{
  PROPERTY(t->name && t->name[0], "a test has a name");
  PROPERTY(t->why, "a reason is never NULL");
  PROPERTY(t->verdict < VERDICT_COUNT, "the verdict is one of four");
  PROPERTY(t->kind < KIND_COUNT, "the kind is one of the list");
  PROPERTY(t->verdict != VERDICT_GREEN || t->kind == KIND_NONE,
           "a green test has no kind");
  PROPERTY(t->verdict != VERDICT_RED || t->kind != KIND_NONE,
           "a red test has a kind");
  PROPERTY(t->ms >= 0 && t->ms <= MAX_MS, "a test takes a day at most");
  PROPERTY(verdicts_find(v, t->name) == t, "a name stands once");
}

static void check_accepted(const struct verdicts *v, int exit_code)
{
  bool red = verdicts_count(v, VERDICT_RED) > 0;

  PROPERTY(v->n > 0, "a report without tests is no proof");
  PROPERTY(red || exit_code != 1, "exit 1 needs a red test");
  PROPERTY(!red || exit_code != 0, "a red test needs another exit code than 0");
  for (int i = 0; i < v->n; i++)
    check_test(v, &v->item[i]);
}

static void check_other_exit(bool command, struct bytes text, int exit_code)
{
  struct reading r;

  if (exit_code > 1)
    return;
  read_report(command, text, !exit_code, &r);
  PROPERTY(r.rc < 0, "a report cannot go with both exit codes");
  verdicts_release(&r.tests);
}

static void check_log_in_front(struct bytes text, int exit_code, int n)
{
  struct reading r;
  struct buf more;

  buf_init(&more, SIZE_MAX / 2);
  buf_adds(&more, "building\n");
  buf_addb(&more, text);
  read_report(true, buf_bytes(&more), exit_code, &r);
  PROPERTY(r.rc == 0 && r.tests.n == n, "log lines in front are ignored");
  verdicts_release(&r.tests);
  buf_release(&more);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static const int codes[] = {0, 1, 3, 70};
  struct reading r;
  struct bytes text;
  char *copy;
  bool command;
  int exit_code;

  if (size == 0)
    return 0;
  copy = fuzz_copy(data + 1, size - 1);
  text = (struct bytes){copy, size - 1};
  command = data[0] & 1;
  exit_code = codes[(data[0] >> 1) & 3];
  read_report(command, text, exit_code, &r);
  if (r.rc == 0) {
    check_accepted(&r.tests, exit_code);
    check_other_exit(command, text, exit_code);
    if (command)
      check_log_in_front(text, exit_code, r.tests.n);
  }
  verdicts_release(&r.tests);
  free(copy);
  return 0;
}
