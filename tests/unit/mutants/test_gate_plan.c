#include "base/file.h"
#include "mutants/plan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#define SUITE "\"suite\": {\"command\": [\"sh\", \"s.sh\"]}"
#define HEAD "{\"version\": 1, " SUITE ",\n"
#define EDITS "\"edits\": [{\"file\": \"f\", \"find\": \"a\", \"with\": \"b\"}]"
#define ONE(members) HEAD "\"mutants\": [\n{" members "}]}"
#define GOOD "\"id\": \"m\", " EDITS ", \"red\": [\"t\"]"

/* line:column and JSON path of the error, and words of its text */
static const struct {
  const char *id, *why, *plan, *place, *text;
} BAD[] = {
    {"not an object", "a list of mutants is no plan", "[]",
     "1:1: $:", "must be an object"},
    {"no version", "the format may change", "{}", "1:1: $:", "'version'"},
    {"other version", "a later format is not guessed at", "{\"version\": 2}",
     "1:13: $.version:", "within 1..1"},
    {"unknown key", "unknown is never ignored",
     "{\"version\": 1,\n \"canari\": []}",
     "2:2: $.canari:", "did you mean 'canary'?"},
    {"no suite", "nothing to judge with", "{\"version\": 1, \"mutants\": []}",
     "1:1: $:", "'suite'"},
    {"no mutants", "nothing to judge", "{\"version\": 1, " SUITE "}",
     "1:1: $:", "'mutants'"},
    {"both suites", "one of them would be ignored",
     "{\"version\": 1, \"suite\": {\"command\": [\"a\"], \"faultwire\": "
     "[]}}",
     "1:44: $.suite.faultwire:", "not both"},
    {"neither suite", "no program is guessed",
     "{\"version\": 1, \"suite\": {\"client\": [\"a\"]}}",
     "1:25: $.suite:", "needs 'faultwire' or 'command'"},
    {"empty command", "no program is named",
     "{\"version\": 1, \"suite\": {\"command\": []}}",
     "1:37: $.suite.command:", "must name a program"},
    {"no client", "faultwire test needs one",
     "{\"version\": 1, \"suite\": {\"faultwire\": []}}",
     "1:25: $.suite:", "needs 'client'"},
    {"command key", "of the other kind of suite",
     "{\"version\": 1, \"suite\": {\"command\": [\"a\"], \"program\": \"x\"}}",
     "1:44: $.suite.program:", "unknown key 'program'"},
    {"no id", "it could not be named", ONE(EDITS),
     "3:1: $.mutants[0]:", "needs an 'id'"},
    {"bad id", "an id is a file name too",
     ONE("\"id\": \"../x\", " EDITS ", \"red\": [\"t\"]"),
     "3:8: $.mutants[0].id:", "letters, digits"},
    {"hidden id", "its files would not be seen", ONE("\"id\": \".x\""),
     "3:8: $.mutants[0].id:", "must not begin"},
    {"same id", "one of two results would be lost",
     HEAD "\"mutants\": [{" GOOD "},\n{" GOOD "}]}",
     "3:8: $.mutants[1].id:", "taken by $.mutants[0]"},
    {"no red", "it proves nothing", ONE("\"id\": \"m\", " EDITS),
     "3:1: $.mutants[0]:", "names no red test"},
    {"red and equivalent", "they contradict each other",
     ONE(GOOD ", \"equivalent\": \"x\""),
     "3:79: $.mutants[0].equivalent:", "contradict"},
    {"no change", "nothing would be tried",
     ONE("\"id\": \"m\", \"red\": [\"t\"]"),
     "3:1: $.mutants[0]:", "changes nothing"},
    {"empty patch", "no file is named", ONE("\"id\": \"m\", \"patch\": \"\""),
     "3:22: $.mutants[0].patch:", "must not be empty"},
    {"artifact alone", "there is none to be replaced",
     ONE("\"id\": \"m\", \"artifact\": \"x\", \"red\": [\"t\"]"),
     "3:13: $.mutants[0].artifact:", "names no 'artifact'"},
    {"format", "no format is guessed",
     "{\"version\": 1, \"suite\": {\"command\": [\"a\"], \"format\": "
     "\"junitt\"}}",
     "1:54: $.suite.format:", "did you mean 'junit'?"},
    {"report outside", "outside of the copy",
     "{\"version\": 1, \"suite\": {\"command\": [\"a\"], \"report\": "
     "\"../x\"}}",
     "1:54: $.suite.report:", "leaves the tree"},
    {"only", "it would pick every test",
     "{\"version\": 1, \"suite\": {\"command\": [\"a\"], \"only\": "
     "[\"-k\"]}}",
     "1:52: $.suite.only:", "must hold {TEST}"},
    {"edit without find", "an edit is a whole",
     ONE("\"id\": \"m\", \"edits\": [{\"file\": \"f\", \"with\": \"b\"}]"),
     "3:23: $.mutants[0].edits[0]:", "needs 'file', 'find' and 'with'"},
    {"empty find", "it would match everywhere",
     ONE("\"id\": \"m\", \"edits\": [{\"file\": \"f\", \"find\": \"\"}]"),
     "3:45: $.mutants[0].edits[0].find:", "must not be empty"},
    {"count zero", "an edit that matches nowhere",
     ONE("\"id\": \"m\", \"edits\": [{\"file\": \"f\", \"find\": \"a\", "
         "\"with\": \"\", \"count\": 0}]"),
     "3:71: $.mutants[0].edits[0].count:", "within 1..10000"},
    {"above the tree", "the user's own files are only read",
     ONE("\"id\": \"m\", \"edits\": [{\"file\": \"a/../../f\", "
         "\"find\": \"a\", \"with\": \"\"}]"),
     "3:32: $.mutants[0].edits[0].file:", "leaves the tree"},
    {"absolute", "the user's own files are only read",
     ONE("\"id\": \"m\", \"edits\": [{\"file\": \"/f\", \"find\": \"a\", "
         "\"with\": \"\"}]"),
     "3:32: $.mutants[0].edits[0].file:", "leaves the tree"},
    {"cmd alone", "nobody could put the files back",
     ONE("\"id\": \"m\", \"cmd\": \"x\", \"red\": [\"t\"]"),
     "3:20: $.mutants[0].cmd:", "needs 'touches'"},
    {"touches alone", "it does nothing",
     ONE("\"id\": \"m\", \"touches\": [\"f\"], \"red\": [\"t\"]"),
     "3:13: $.mutants[0].touches:", "goes with 'cmd'"},
    {"kind", "a misspelt kind would never count",
     ONE(GOOD ", \"kinds\": [\"asert\"]"),
     "3:89: $.mutants[0].kinds[0]:", "did you mean 'assert'?"},
    {"no kinds", "nothing could be a kill", ONE(GOOD ", \"kinds\": []"),
     "3:88: $.mutants[0].kinds:", "must not be empty"},
    {"equivalent env", "nothing shows that it acted",
     ONE("\"id\": \"m\", \"env\": {\"A\": \"1\"}, \"equivalent\": \"x\""),
     "3:32: $.mutants[0].equivalent:", "never equivalent"},
    {"env name", "it could not be set",
     ONE("\"id\": \"m\", \"env\": {\"A=B\": \"1\"}"),
     "3:21: $.mutants[0].env.A=B:", "no name of a variable"},
    {"flags alone", "nobody would use them",
     ONE("\"id\": \"m\", \"flags\": \"-D\", \"red\": [\"t\"]"),
     "3:13: $.mutants[0].flags:", "needs a 'build'"},
    {"client alone", "there is none to be replaced",
     ONE("\"id\": \"m\", \"client\": [\"x\"], \"red\": [\"t\"]"),
     "3:13: $.mutants[0].client:", "names no 'client'"},
    {"expected", "a mutant that vanished",
     HEAD "\"mutants\": [],\n\"expect\": {\"mutants\": 3}}",
     "3:23: $.expect.mutants:", "the plan holds 0"},
    {"artifact", "outside of the copy",
     "{\"version\": 1, \"artifact\": \"../x\"}",
     "1:28: $.artifact:", "leaves the tree"},
};

static void every_error_is_placed(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++) {
    struct plan p;
    struct diag diag = {0};
    char said[2048], wanted[256];
    if (gate_plan_parse(&p, "plan.json", bytes_of(BAD[i].plan), false, &diag) ==
        0)
      fail_msg("%s: %s: accepted", BAD[i].id, BAD[i].why);
    diag_format(&diag, said, sizeof said);
    snprintf(wanted, sizeof wanted, "plan.json:%s", BAD[i].place);
    if (strncmp(said, wanted, strlen(wanted)) != 0 ||
        !strstr(said, BAD[i].text))
      fail_msg("%s: it says %s, wanted %s %s", BAD[i].id, said, wanted,
               BAD[i].text);
  }
}

static const char WHOLE[] =
    "{ // a comment\n"
    "\"$schema\": \"../docs/plan.schema.json\", \"version\": 1,\n"
    "\"tree\": \"..\", \"skip\": [\".git\", \"build\"],\n"
    "\"build\": \"make\", \"artifact\": \"build/client\",\n"
    "\"suite\": {\"faultwire\": [\"scenarios\"], \"client\": [\"build/c\"]},\n"
    "\"canary\": [\"plain\"],\n"
    "\"controls\": {\"no_faults_green\": [\"plain\"], "
    "\"dead_client_green\": []},\n"
    "\"expect\": {\"mutants\": 2, \"tests\": 3},\n"
    "\"mutants\": [{\"id\": \"one\", \"why\": \"w\", \"operator\": \"o\",\n"
    " \"edits\": [{\"file\": \"f\", \"find\": \"a\", \"with\": \"\", "
    "\"count\": 2}],\n"
    " \"red\": [\"r*\"], \"red_at_least\": 2, \"green\": [\"plain\"], "
    "\"kinds\": [\"crash\"]},\n"
    "{\"id\": \"two\", \"env\": {\"A\": \"1\"}, \"flags\": \"-D\", "
    "\"client\": [\"x\", \"y\"], \"red\": [\"*\"]}]}";

static void a_whole_plan_is_read(void **state)
{
  (void)state;
  struct plan p;
  struct diag diag = {0};
  assert_int_equal(gate_plan_parse(&p, "p", BYTES(WHOLE), false, &diag), 0);
  assert_string_equal(p.tree, "..");
  assert_int_equal(p.skip.n, 2);
  assert_int_equal(p.suite.kind, SUITE_FAULTWIRE);
  assert_string_equal(p.suite.no_faults.item[0], "--no-faults");
  assert_int_equal(p.nmutants, 2);
  assert_int_equal(p.mutants[0].edits[0].count, 2);
  assert_int_equal(p.mutants[0].kinds, KIND_BIT(KIND_CRASH));
  assert_int_equal(p.mutants[0].red_at_least, 2);
  assert_string_equal(p.mutants[1].env[0].value, "1");
  assert_string_equal(p.mutants[1].client.item[1], "y");
  assert_int_equal(p.mutants[1].kinds, KIND_BIT(KIND_ASSERT) |
                                           KIND_BIT(KIND_HANG) |
                                           KIND_BIT(KIND_STALLED));
  gate_plan_release(&p);
}

static const struct {
  const char *id, *why;
  const char *tests[4];
  const char *place, *text; /* NULL: accepted */
} TESTS[] = {
    {"fine", "all are there", {"plain", "r1", "q"}, NULL, NULL},
    {"number", "a test has vanished", {"plain", "r1"}, "8:35", "the suite has"},
    {"canary",
     "misspelt",
     {"plane", "r1", "q"},
     "6:12",
     "did you mean 'plane'?"},
    {"glob", "matches nothing", {"plain", "q1", "q"}, "11:10", "'r*'"},
};

static void names_of_tests_are_checked_when_known(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof TESTS / sizeof TESTS[0]; i++) {
    struct plan p;
    struct texts tests = {0};
    struct diag diag = {0};
    char said[2048], wanted[64];
    assert_int_equal(gate_plan_parse(&p, "p", BYTES(WHOLE), false, &diag), 0);
    for (int k = 0; k < 4 && TESTS[i].tests[k]; k++)
      texts_add(&tests, TESTS[i].tests[k]);
    int rc = gate_plan_check_tests(&p, &tests, &diag);
    diag_format(&diag, said, sizeof said);
    if ((rc == 0) != (TESTS[i].place == NULL))
      fail_msg("%s: %s: %s", TESTS[i].id, TESTS[i].why, said);
    snprintf(wanted, sizeof wanted,
             "p:%s:", TESTS[i].place ? TESTS[i].place : "");
    if (rc < 0 && (strncmp(said, wanted, strlen(wanted)) != 0 ||
                   !strstr(said, TESTS[i].text)))
      fail_msg("%s: it says %s, wanted %s %s", TESTS[i].id, said, wanted,
               TESTS[i].text);
    texts_release(&tests);
    gate_plan_release(&p);
  }
}

static void every_kind_and_format_is_in_the_schema(void **state)
{
  (void)state;
  static const char *const WORDS[] = {
#define CHANGE(name, key, summary) "\"" key "\": {",
#include "mutants/change/changes.def"
#undef CHANGE
#define FORMAT(name, function, summary) "\"" name "\"",
#include "mutants/format/formats.def"
#undef FORMAT
  };
  struct buf schema;
  struct diag diag = {0};
  buf_init(&schema, JSON_MAX_BYTES);
  assert_int_equal(
      file_read(SOURCE_DIR "/docs/plan.schema.json", &schema, &diag), 0);
  for (size_t i = 0; i < sizeof WORDS / sizeof WORDS[0]; i++)
    if (bytes_find(buf_bytes(&schema), bytes_of(WORDS[i])) < 0)
      fail_msg("docs/plan.schema.json has no %s", WORDS[i]);
  buf_release(&schema);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_kind_and_format_is_in_the_schema),
      cmocka_unit_test(every_error_is_placed),
      cmocka_unit_test(a_whole_plan_is_read),
      cmocka_unit_test(names_of_tests_are_checked_when_known)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
