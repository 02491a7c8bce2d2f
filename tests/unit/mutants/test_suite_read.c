#include "mutants/suite_read.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

#define T(name, verdict, kind)                                                 \
  "\"" name "\": {\"verdict\": \"" verdict "\", \"kind\": \"" kind "\"}"
#define S(name, verdict, kind)                                                 \
  "{\"name\": \"" name "\", \"verdict\": \"" verdict "\", \"kind\": \"" kind   \
  "\", \"why\": \"w\", \"seconds\": 1.5}"
#define COMMAND(tests) "{\"tests\": {" tests "}}"
#define FAULTWIRE(list, code)                                                  \
  "{\"faultwire\": \"0\", \"scenarios\": [" list "], \"exit\": " code "}"

static const struct {
  const char *id, *why;
  bool is_faultwire;
  const char *text;
  int exit;
  const char *letters; /* g r u e, NULL: refused */
  const char *error;
} REPORTS[] = {
    {"green", "", false, COMMAND(T("a", "green", "")), 0, "g", NULL},
    {"red", "", false, COMMAND(T("a", "red", "")), 1, "r", NULL},
    {"log first", "the object is the last output", false,
     "{ starting\nline\n" COMMAND(T("a", "green", "")) "\n", 0, "g", NULL},
    {"log last", "something came after it", false,
     COMMAND(T("a", "green", "")) "\nbye\n", 0, NULL, "no verdicts"},
    {"says green, exit 1", "they contradict each other", false,
     COMMAND(T("a", "green", "")), 1, NULL, "contradicts"},
    {"says red, exit 0", "they contradict each other", false,
     COMMAND(T("a", "red", "")), 0, NULL, "contradicts"},
    {"died", "a signal", false, COMMAND(T("a", "green", "")), 139, NULL,
     "contradicts"},
    {"error", "the suite could not judge", false,
     COMMAND(T("a", "error", "harness")), 70, "e", NULL},
    {"no contact", "one test could not judge", false,
     COMMAND(T("a", "error", "no-contact")), 70, "u", NULL},
    {"empty", "no tests", false, COMMAND(""), 0, NULL, "no tests"},
    {"verdict", "an unknown word", false, COMMAND(T("a", "ok", "")), 0, NULL,
     "unknown verdict 'ok'"},
    {"kind", "an unknown word", false, COMMAND(T("a", "red", "x")), 1, NULL,
     "unknown kind 'x'"},
    {"pass warn skip", "all three are green", true,
     FAULTWIRE(S("a", "pass", "none") "," S("b", "warn", "assert") "," S(
                   "c", "skip", "none"),
               "0"),
     0, "ggg", NULL},
    {"fail", "a check failed", true, FAULTWIRE(S("a", "fail", "hang"), "1"), 1,
     "r", NULL},
    {"inconclusive", "not wired", true,
     FAULTWIRE(S("a", "inconclusive", "no-contact") "," S(
                   "b", "inconclusive",
                   "not-delivered") "," S("c", "inconclusive", "harness"),
               "3"),
     3, "uue", NULL},
    {"nothing to judge", "a check that found nothing is about this test", true,
     FAULTWIRE(S("a", "inconclusive", "assert"), "3"), 3, "u", NULL},
    {"fail and inconclusive", "either code may win", true,
     FAULTWIRE(
         S("a", "fail", "assert") "," S("b", "inconclusive", "no-contact"),
         "3"),
     3, "ru", NULL},
    {"inconclusive, exit 0", "they contradict each other", true,
     FAULTWIRE(S("a", "inconclusive", "no-contact"), "0"), 0, NULL,
     "contradicts"},
    {"inconclusive, exit 1", "only a failure is 1", true,
     FAULTWIRE(S("a", "inconclusive", "no-contact"), "1"), 1, NULL,
     "contradicts"},
    {"usage", "faultwire refused", true, FAULTWIRE(S("a", "pass", ""), "2"), 2,
     NULL, "contradicts"},
    {"other exit", "the report of another run", true,
     FAULTWIRE(S("a", "pass", ""), "1"), 0, NULL, "the report says exit 1"},
    {"twice", "one of the two would be lost", true,
     FAULTWIRE(S("a", "pass", "") "," S("a", "fail", "assert"), "1"), 1, NULL,
     "two tests are called 'a'"},
    {"nameless", "nobody could declare it", true,
     FAULTWIRE(S("", "pass", ""), "0"), 0, NULL, "without a name"},
    {"nameless test", "the same of a command", false,
     COMMAND(T("", "green", "")), 0, NULL, "without a name"},
    {"nothing", "an empty file", true, "", 0, NULL, "ends too early"},
};

static void each_report_is_read_or_refused(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof REPORTS / sizeof REPORTS[0]; i++) {
    struct verdicts v = {0};
    struct diag diag = {0};
    char got[16] = "";
    struct bytes text = bytes_of(REPORTS[i].text);
    int rc = REPORTS[i].is_faultwire
                 ? suite_read_faultwire(text, REPORTS[i].exit, &v, &diag)
                 : suite_read_command(text, REPORTS[i].exit, &v, &diag);
    for (int k = 0; k < v.n; k++)
      got[k] = "grue"[v.item[k].verdict];
    if ((rc == 0) != (REPORTS[i].letters != NULL))
      fail_msg("%s: %s: %s", REPORTS[i].id, REPORTS[i].why, diag.text);
    if (rc == 0 && strcmp(got, REPORTS[i].letters) != 0)
      fail_msg("%s: %s: %s", REPORTS[i].id, REPORTS[i].why, got);
    if (rc < 0 && !strstr(diag.text, REPORTS[i].error))
      fail_msg("%s: %s: %s", REPORTS[i].id, REPORTS[i].why, diag.text);
    verdicts_release(&v);
  }
}

static void times_and_reasons_are_kept(void **state)
{
  (void)state;
  struct verdicts v = {0};
  struct diag diag = {0};
  const char *text =
      FAULTWIRE(S("a", "fail", "hang") "," S("b", "skip", "none"), "1");
  assert_int_equal(suite_read_faultwire(bytes_of(text), 1, &v, &diag), 0);
  assert_int_equal(v.item[0].ms, 1500);
  assert_string_equal(v.item[0].why, "w");
  assert_int_equal(v.item[0].kind, KIND_HANG);
  assert_true(v.item[1].skipped);
  verdicts_release(&v);
}

static void what_happened_is_told_before_what_it_is_for(void **state)
{
  (void)state;
  struct verdicts v = {0};
  struct diag diag = {0};
  const char *text = "{\"scenarios\": [{\"name\": \"a\", \"verdict\": "
                     "\"fail\", \"kind\": \"assert\", \"why\": \"w\", "
                     "\"reason\": \"r\"}], \"exit\": 1}";
  assert_int_equal(suite_read_faultwire(bytes_of(text), 1, &v, &diag), 0);
  assert_string_equal(v.item[0].why, "r");
  verdicts_release(&v);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_report_is_read_or_refused),
      cmocka_unit_test(times_and_reasons_are_kept),
      cmocka_unit_test(what_happened_is_told_before_what_it_is_for)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
