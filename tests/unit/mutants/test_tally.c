#include "mutants/tally.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

/* One row a mutant: its outcome and the tests that killed it, as letters. */
struct row {
  enum outcome outcome;
  const char *killed_by;
};

static const char *const TESTS[] = {"a", "b", "c", "d"};

static void add_test(struct verdicts *v, const char *name, bool red)
{
  struct test *t = verdicts_add(v, name, "");
  t->verdict = red ? VERDICT_RED : VERDICT_GREEN;
  t->kind = red ? KIND_ASSERT : KIND_NONE;
}

static void fill(struct records *r, const struct row *rows, int n)
{
  *r = (struct records){.n = n, .problem = mem_strdup("")};
  r->item = mem_zalloc((size_t)(n + 1) * sizeof *r->item);
  for (int t = 0; t < 4; t++)
    add_test(&r->tests, TESTS[t], false);
  texts_add(&r->canary, r->tests.item[3].name);
  for (int m = 0; m < n; m++) {
    r->item[m] = (struct record){.id = mem_format("m%d", m),
                                 .outcome = rows[m].outcome,
                                 .kinds = (int)KIND_BIT(KIND_ASSERT)};
    for (int t = 0; t < 4; t++)
      add_test(&r->item[m].tests, TESTS[t],
               strchr(rows[m].killed_by, *TESTS[t]) != NULL);
  }
}

static char *joined(const struct texts *t)
{
  struct buf b;
  buf_init(&b, 100);
  for (int i = 0; i < t->n; i++)
    buf_adds(&b, t->item[i]);
  buf_adds(&b, "");
  return buf_detach(&b);
}

static const struct {
  const char *id, *why;
  struct row rows[4];
  int n;
  const char *smallest, *idle;
} SETS[] = {
    {
        "one does it",
        "b kills what a and c kill together",
        {{OUTCOME_CAUGHT, "ab"}, {OUTCOME_CAUGHT, "bc"}},
        2,
        "b",
        "",
    },
    {"two needed",
     "no test kills both",
     {{OUTCOME_CAUGHT, "a"}, {OUTCOME_CAUGHT, "c"}},
     2,
     "ac",
     "b"},
    {"tie", "the test named first", {{OUTCOME_CAUGHT, "ac"}}, 1, "a", "b"},
    {"not judged",
     "an overkill kills nothing",
     {{OUTCOME_OVERKILL, "abc"}},
     1,
     "",
     "abc"},
    {"weak counts", "it was judged", {{OUTCOME_WEAK, "a"}}, 1, "a", "bc"},
    {"greedy",
     "the largest gain first",
     {{OUTCOME_CAUGHT, "a"}, {OUTCOME_CAUGHT, "bc"}, {OUTCOME_CAUGHT, "c"}},
     3,
     "ca",
     ""},
};

static void the_smallest_set_kills_the_same(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof SETS / sizeof SETS[0]; i++) {
    struct records r;
    struct texts smallest = {0}, idle = {0};
    fill(&r, SETS[i].rows, SETS[i].n);
    tally_minimal_set(&r, &smallest);
    tally_idle_tests(&r, &idle);
    char *set = joined(&smallest), *none = joined(&idle);
    if (strcmp(set, SETS[i].smallest) != 0)
      fail_msg("%s: %s: %s", SETS[i].id, SETS[i].why, set);
    if (strcmp(none, SETS[i].idle) != 0)
      fail_msg("%s: idle: %s", SETS[i].id, none);
    free(set);
    free(none);
    texts_release(&smallest);
    texts_release(&idle);
    records_release(&r);
  }
}

static void take_group(void *ctx, const struct texts *ids)
{
  struct buf *all = ctx;
  char *group = joined(ids);
  buf_addf(all, "[%s]", group);
  free(group);
}

static void mutants_that_no_test_tells_apart_are_grouped(void **state)
{
  (void)state;
  const struct row rows[] = {{OUTCOME_CAUGHT, "a"},
                             {OUTCOME_CAUGHT, "ab"},
                             {OUTCOME_CAUGHT, "a"},
                             {OUTCOME_WEAK, "a"}};
  struct records r;
  struct buf all;
  fill(&r, rows, 4);
  buf_init(&all, 100);
  tally_same_signature(&r, take_group, &all);
  assert_string_equal(buf_str(&all), "[m0m2]");
  buf_release(&all);
  records_release(&r);
}

static const struct {
  const char *id, *why;
  struct row rows[3];
  int n;
  const char *problem;
  bool strict;
  int code;
} EXITS[] = {
    {"none", "zero mutants prove nothing", {{0}}, 0, "", false, 6},
    {"caught", "", {{OUTCOME_CAUGHT, "abc"}}, 1, "", true, 0},
    {"undecided wins",
     "over a missed one",
     {{OUTCOME_MISSED, ""}, {OUTCOME_FLAKY, ""}},
     2,
     "",
     false,
     3},
    {"inapplicable wins",
     "over an undecided one",
     {{OUTCOME_FLAKY, ""}, {OUTCOME_UNVIABLE, ""}},
     2,
     "",
     false,
     6},
    {"missed wins",
     "over a fallen green",
     {{OUTCOME_OVERKILL, ""}, {OUTCOME_WEAK, ""}},
     2,
     "",
     false,
     2},
    {"problem",
     "the run itself is no proof",
     {{OUTCOME_CAUGHT, "abc"}},
     1,
     "copies differ",
     false,
     3},
    {"useless", "only when asked for", {{OUTCOME_CAUGHT, "a"}}, 1, "", true, 7},
    {"useless quiet",
     "not asked for",
     {{OUTCOME_CAUGHT, "a"}},
     1,
     "",
     false,
     0},
};

static void could_not_judge_wins_over_missed(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof EXITS / sizeof EXITS[0]; i++) {
    struct records r;
    fill(&r, EXITS[i].rows, EXITS[i].n);
    free(r.problem);
    r.problem = mem_strdup(EXITS[i].problem);
    int code = (int)tally_exit(&r, EXITS[i].strict);
    if (code != EXITS[i].code)
      fail_msg("%s: %s: exit %d", EXITS[i].id, EXITS[i].why, code);
    records_release(&r);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_smallest_set_kills_the_same),
      cmocka_unit_test(mutants_that_no_test_tells_apart_are_grouped),
      cmocka_unit_test(could_not_judge_wins_over_missed)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
