#include "mutants/format/format.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

#define CASE(name, inner) "<testcase name=\"" name "\">" inner "</testcase>"
#define SUITE(cases)                                                           \
  "<?xml version=\"1.0\"?>\n<testsuites><testsuite>" cases                     \
  "</testsuite></testsuites>\n"

/* `tests`: "name=letter ..." with g green, r red by assertion, c red by crash,
 * s skipped; NULL: refused with `error`. */
static const struct {
  const char *id, *why, *format, *text;
  int exit;
  const char *tests, *error;
} OUTPUTS[] = {
    {"exit 0", "", "exit", "whatever", 0, "suite=g", NULL},
    {"exit 3", "any other number is a red", "exit", "", 3, "suite=r", NULL},
    {"exit 127", "a shell did not find it", "exit", "", 127, NULL,
     "could not be run"},
    {"exit 139", "a crash of the suite judges nothing", "exit", "", 139, NULL,
     "was ended"},

    {"tap", "", "tap", "TAP version 14\n1..2\nok 1 - a b\nnot ok 2 - c\n", 1,
     "a b=g c=r", NULL},
    {"tap, plan last", "", "tap", "ok a\nok b\n1..2\n", 0, "a=g b=g", NULL},
    {"tap, skip", "", "tap", "1..1\nok 1 - a # SKIP no net\n", 0, "a=s", NULL},
    {"tap, todo", "expected to fail", "tap", "1..1\nnot ok 1 - a # todo x\n", 0,
     "a=g", NULL},
    {"tap, escaped", "no directive", "tap", "1..1\nnot ok 1 - a \\# todo\n", 1,
     "a # todo=r", NULL},
    {"tap, no names", "numbered then", "tap", "1..2\nok\nok 2\n", 0,
     "test 1=g test 2=g", NULL},
    {"tap, subtests", "count through the point behind them", "tap",
     "1..1\n    ok 1 - in\n    1..1\nok 1 - out\n", 0, "out=g", NULL},
    {"tap, okay", "a word that begins like ok", "tap",
     "okay then\n1..1\nok 1 - a\n", 0, "a=g", NULL},
    {"tap, crlf", "", "tap", "1..1\r\nok 1 - a\r\n", 0, "a=g", NULL},
    {"tap, cut", "", "tap", "1..2\nok 1 - a\n", 0, NULL,
     "speaks of 2 tests, 1 were run"},
    {"tap, no plan", "it may have been cut", "tap", "ok 1 - a\n", 0, NULL,
     "no TAP plan"},
    {"tap, two plans", "", "tap", "1..1\n1..1\nok 1 - a\n", 0, NULL, "twice"},
    {"tap, bail out", "", "tap", "1..2\nok 1 - a\nBail out! no disk\n", 255,
     NULL, "gave up"},
    {"tap, says red", "and ends well", "tap", "1..1\nnot ok 1 - a\n", 0, NULL,
     "contradicts"},
    {"tap, says green", "and does not end well", "tap", "1..1\nok 1 - a\n", 1,
     NULL, "contradicts"},
    {"tap, empty", "", "tap", "1..0\n", 0, NULL, "no tests"},
    {"tap, twice", "", "tap", "1..2\nok 1 - a\nok 2 - a\n", 0, NULL,
     "two tests are called 'a'"},

    {"junit", "", "junit",
     SUITE(CASE("a", "") CASE("b", "<failure message=\"m\">x</failure>")), 1,
     "a=g b=r", NULL},
    {"junit, error", "an exception nobody expected", "junit",
     SUITE(CASE("a", "<error/>")), 1, "a=c", NULL},
    {"junit, both", "the assertion counts", "junit",
     SUITE(CASE("a", "<error/><failure/>") CASE("b", "<failure/><error/>")), 1,
     "a=r b=r", NULL},
    {"junit, skipped", "", "junit", SUITE(CASE("a", "<skipped/>")), 0, "a=s",
     NULL},
    {"junit, class", "", "junit",
     "<testsuite><testcase classname=\"m.C\" name=\"a\" "
     "time=\"0.5\"/></testsuite>",
     0, "m.C/a=g", NULL},
    {"junit, entities", "", "junit",
     "<t><testcase name='&lt;a&amp;&#x41;&#66;&quot;&nbsp;'/></t>", 0,
     "<a&AB\"&nbsp;=g", NULL},
    {"junit, cdata", "tags in a text are none", "junit",
     SUITE(CASE("a", "<system-out><![CDATA[> <failure/>]]></system-out>"
                     "<!-- <failure/> -->")),
     0, "a=g", NULL},
    {"junit, > in a value", "", "junit",
     SUITE("<testcase name=\"a > b\"><failure message='x/>'/></testcase>"), 1,
     "a > b=r", NULL},
    {"junit, outside", "an error of the suite itself is none of a test",
     "junit", SUITE(CASE("a", "") "<error/>"), 0, "a=g", NULL},
    {"junit, cut", "", "junit", "<t><testcase name=\"a\"/>", 0, NULL,
     "ends before </t>"},
    {"junit, cut in a tag", "", "junit", "<t><testcase name=\"a", 0, NULL,
     "in the middle of a tag"},
    {"junit, two", "", "junit", "<t/><t/>", 0, NULL, "two outermost"},
    {"junit, wrong end", "", "junit", "<t><u></t></u>", 0, NULL,
     "closes nothing"},
    {"junit, none", "", "junit", "all fine\n", 0, NULL, "no XML"},
    {"junit, no tests", "", "junit", "<t></t>", 0, NULL, "no tests"},
    {"junit, no name", "", "junit", "<t><testcase/></t>", 0, NULL,
     "without a name"},
};

static void describe(const struct verdicts *v, struct buf *ret)
{
  for (int i = 0; i < v->n; i++) {
    const struct test *t = &v->item[i];
    char letter = t->skipped                    ? 's'
                  : t->verdict == VERDICT_GREEN ? 'g'
                  : t->kind == KIND_CRASH       ? 'c'
                                                : 'r';
    buf_addf(ret, "%s%s=%c", i ? " " : "", t->name, letter);
  }
}

static void each_format_gives_its_verdicts(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof OUTPUTS / sizeof OUTPUTS[0]; i++) {
    const struct suite_format *f = suite_format_find(OUTPUTS[i].format);
    struct verdicts v = {0};
    struct diag diag = {0};
    struct buf tests;
    buf_init(&tests, 10000);
    int rc = f->read(bytes_of(OUTPUTS[i].text), OUTPUTS[i].exit, &v, &diag);
    describe(&v, &tests);
    if (OUTPUTS[i].tests &&
        (rc < 0 || strcmp(buf_str(&tests), OUTPUTS[i].tests) != 0))
      fail_msg("%s: %s: %s%s", OUTPUTS[i].id, OUTPUTS[i].why, buf_str(&tests),
               diag.text);
    if (!OUTPUTS[i].tests && (rc == 0 || !strstr(diag.text, OUTPUTS[i].error)))
      fail_msg("%s: %s: %s", OUTPUTS[i].id, OUTPUTS[i].why, diag.text);
    buf_release(&tests);
    verdicts_release(&v);
  }
}

static void reasons_and_times_are_kept(void **state)
{
  (void)state;
  struct verdicts v = {0};
  struct diag diag = {0};
  assert_int_equal(
      suite_read_junit(BYTES("<t><testcase name='a' time='1.5'><failure "
                             "message='2 is not 3'/></testcase></t>"),
                       1, &v, &diag),
      0);
  assert_string_equal(v.item[0].why, "2 is not 3");
  assert_int_equal(v.item[0].ms, 1500);
  verdicts_release(&v);
  assert_int_equal(suite_read_tap(BYTES("1..1\nnot ok 1 - a\n  ---\n  message: "
                                        "'2 is not 3'\n  ...\n"),
                                  1, &v, &diag),
                   0);
  assert_string_equal(v.item[0].why, "'2 is not 3'");
  verdicts_release(&v);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_format_gives_its_verdicts),
      cmocka_unit_test(reasons_and_times_are_kept)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
