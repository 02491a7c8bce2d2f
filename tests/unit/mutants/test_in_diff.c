#include "mutants/in_diff.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

static const struct {
  const char *id, *why, *in_diff, *in_plan;
  bool same;
} NAMES[] = {
    {"same", "", "src/a.c", "src/a.c", true},
    {"tree below", "the plan's tree is a folder of the repository",
     "client/src/a.c", "src/a.c", true},
    {"tree above", "", "a.c", "client/a.c", true},
    {"dot", "", "src/a.c", "./src/a.c", true},
    {"part of a name", "ba.c is not a.c", "src/ba.c", "a.c", false},
    {"other", "", "src/a.c", "lib/a.c", false},
};

static void names_agree_from_the_end(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++)
    if (in_diff_same_file(NAMES[i].in_diff, NAMES[i].in_plan) != NAMES[i].same)
      fail_msg("%s: %s", NAMES[i].id, NAMES[i].why);
}

static const struct {
  const char *id, *why, *find;
  int64_t line; /* the one that was changed */
  bool in;
} EDITS[] = {
    {"on it", "", "two", 2, true},
    {"above", "", "two", 1, false},
    {"below", "", "two", 3, false},
    {"two lines", "the second counts too", "one\ntwo", 2, true},
    {"last newline", "it is no line more", "one\n", 2, false},
    {"second place", "each place counts", "same", 5, true},
    {"between", "but not what is between them", "same", 4, false},
    {"not there", "", "nine", 1, false},
};

static void an_edit_is_in_the_lines_it_replaces(void **state)
{
  (void)state;
  static const char TEXT[] = "one\ntwo\nsame\nfour\nsame\n";
  for (size_t i = 0; i < sizeof EDITS / sizeof EDITS[0]; i++) {
    const struct plan_edit e = {"f", EDITS[i].find, "", 1};
    struct udiff_run run = {1, 0, EDITS[i].line, EDITS[i].line};
    const struct udiff_file f = {.run = &run, .nruns = 1};
    if (in_diff_edit(&e, bytes_of(TEXT), &f) != EDITS[i].in)
      fail_msg("%s: %s", EDITS[i].id, EDITS[i].why);
  }
}

#define PLAN                                                                   \
  "{\"version\": 1, \"suite\": {\"command\": [\"s\"], \"client\": [\"c\"]}, "  \
  "\"mutants\": ["                                                             \
  "{\"id\": \"cmd\", \"cmd\": \"x\", \"touches\": [\"a.c\"], \"red\": "        \
  "[\"*\"]}, "                                                                 \
  "{\"id\": \"env\", \"env\": {\"A\": \"1\"}, \"red\": [\"*\"]}, "             \
  "{\"id\": \"gone\", \"edits\": [{\"file\": \"no/such.c\", \"find\": \"x\", " \
  "\"with\": \"\"}], \"red\": [\"*\"]}]}"

static const struct {
  const char *id, *why, *diff;
  int mutant;
  bool in;
} MUTANTS[] = {
    {"command", "whatever it changes in the file",
     "--- a/a.c\n+++ b/a.c\n@@ -9 +9 @@\n-a\n+b\n", 0, true},
    {"command, other file", "", "--- a/b.c\n+++ b/b.c\n@@ -9 +9 @@\n-a\n+b\n",
     0, false},
    {"file gone", "there are no lines left",
     "--- a/a.c\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n", 0, false},
    {"variable", "it stands in no line",
     "--- a/a.c\n+++ b/a.c\n@@ -9 +9 @@\n-a\n+b\n", 1, false},
    {"unreadable", "better tried than forgotten",
     "--- a/no/such.c\n+++ b/no/such.c\n@@ -9 +9 @@\n-a\n+b\n", 2, true},
};

static void a_mutant_counts_when_its_lines_changed(void **state)
{
  (void)state;
  struct plan p;
  struct diag diag = {0};
  assert_int_equal(gate_plan_parse(&p, "p", BYTES(PLAN), false, &diag), 0);
  for (size_t i = 0; i < sizeof MUTANTS / sizeof MUTANTS[0]; i++) {
    struct udiff d;
    assert_int_equal(udiff_parse(&d, "d", bytes_of(MUTANTS[i].diff), &diag), 0);
    if (in_diff("/nowhere", &p.mutants[MUTANTS[i].mutant], &d) != MUTANTS[i].in)
      fail_msg("%s: %s", MUTANTS[i].id, MUTANTS[i].why);
    udiff_release(&d);
  }
  gate_plan_release(&p);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_agree_from_the_end),
      cmocka_unit_test(an_edit_is_in_the_lines_it_replaces),
      cmocka_unit_test(a_mutant_counts_when_its_lines_changed)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
