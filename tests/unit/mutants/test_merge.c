#include "mutants/merge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

/* One letter a mutant and a test. */
static void fill(struct records *r, const char *plan, int64_t mutants,
                 const char *ids, const char *tests)
{
  *r = (struct records){.plan = mem_strdup(plan),
                        .plan_mutants = mutants,
                        .problem = mem_strdup(""),
                        .ms = (int64_t)strlen(ids) * 1000};
  r->item = mem_zalloc((strlen(ids) + 1) * sizeof *r->item);
  for (; ids[r->n]; r->n++)
    r->item[r->n].id = mem_format("%c", ids[r->n]);
  for (int i = 0; tests[i]; i++) {
    char name[2] = {tests[i], '\0'};
    verdicts_add(&r->tests, name, "");
  }
}

static const struct {
  const char *id, *why;
  const char *plan, *ids, *tests; /* of the second results */
  const char *error;              /* NULL: taken */
  const char *problem;            /* then: what is missing */
} PAIRS[] = {
    {"whole", "", "p", "cd", "xy", NULL, ""},
    {"order", "of the tests does not matter", "p", "cd", "yx", NULL, ""},
    {"one missing", "a shard was lost", "p", "c", "xy", NULL,
     "the plan holds 4 mutants, the results 3"},
    {"other plan", "", "q", "cd", "xy", "another plan", NULL},
    {"twice", "the same shard again", "p", "bc", "xy", "'b' is in the results",
     NULL},
    {"more tests", "", "p", "cd", "xyz", "'z' is not in", NULL},
    {"fewer tests", "", "p", "cd", "x", "'y' is missing", NULL},
    {"too many", "", "p", "cde", "xy", NULL, "4 mutants only, the results 5"},
};

static void shards_must_fit_together(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof PAIRS / sizeof PAIRS[0]; i++) {
    struct records all = {0}, more;
    struct diag diag = {0};
    fill(&more, "p", 4, "ab", "xy");
    assert_int_equal(merge_add(&all, &more, "one", &diag), 0);
    records_release(&more);
    fill(&more, PAIRS[i].plan, 4, PAIRS[i].ids, PAIRS[i].tests);
    int rc = merge_add(&all, &more, "two", &diag);
    merge_finish(&all);
    if (PAIRS[i].error && (rc == 0 || !strstr(diag.text, PAIRS[i].error)))
      fail_msg("%s: %s: %s", PAIRS[i].id, PAIRS[i].why, diag.text);
    if (!PAIRS[i].error && (rc < 0 || !strstr(all.problem, PAIRS[i].problem)))
      fail_msg("%s: %s: %s%s", PAIRS[i].id, PAIRS[i].why, diag.text,
               all.problem);
    if (!PAIRS[i].error && *PAIRS[i].problem == '\0')
      assert_string_equal(all.problem, "");
    records_release(&more);
    records_release(&all);
  }
}

static void problems_and_noise_of_a_shard_are_of_the_whole(void **state)
{
  (void)state;
  struct records all = {0}, more;
  struct diag diag = {0};
  fill(&more, "p", 3, "a", "xy");
  assert_int_equal(merge_add(&all, &more, "one", &diag), 0);
  records_release(&more);
  fill(&more, "p", 3, "bc", "xy");
  more.tests.item[1].noisy = true;
  free(more.problem);
  more.problem = mem_strdup("copies differ");
  assert_int_equal(merge_add(&all, &more, "two", &diag), 0);
  assert_string_equal(all.problem, "two: copies differ");
  assert_true(all.tests.item[1].noisy);
  assert_int_equal(all.ms, 2000); /* they ran at the same time */
  records_release(&more);
  records_release(&all);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(shards_must_fit_together),
      cmocka_unit_test(problems_and_noise_of_a_shard_are_of_the_whole)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
