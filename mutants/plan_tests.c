/*
 * The part of a plan's check that needs the names of the tests. An error is
 * placed by walking the document again, since the plan itself keeps no
 * positions.
 */
#include "mutants/plan.h"

#include "base/words.h"

static bool any_test(const char *glob, const struct texts *tests)
{
  for (int i = 0; i < tests->n; i++)
    if (glob_matches(glob, tests->item[i]))
      return true;
  return false;
}

static int no_such_test(const struct jval *v, const char *glob,
                        const struct texts *tests, struct diag *diag)
{
  struct texts words = {0};
  texts_add_all(&words, tests);
  texts_add(&words, NULL);
  const char *near = words_nearest(glob, words.item);
  if (near)
    jval_error(v, diag, "no test is called '%s'; did you mean '%s'?", glob,
               near);
  else
    jval_error(v, diag, "no test is called '%s' (the suite has %d tests)", glob,
               tests->n);
  texts_release(&words);
  return -1;
}

static int check_globs(const struct jval *v, const char *key,
                       const struct texts *tests, struct diag *diag)
{
  struct jval list;
  if (!jval_member(v, key, &list))
    return 0;
  int n = jval_count(&list);
  for (int i = 0; i < n; i++) {
    struct jval item = jval_item(&list, i);
    const char *glob;
    if (jval_string(&item, &glob, diag) < 0)
      return -1;
    if (!any_test(glob, tests))
      return no_such_test(&item, glob, tests, diag);
  }
  return 0;
}

static int check_mutants(const struct jval *root, const struct texts *tests,
                         struct diag *diag)
{
  struct jval list;
  if (!jval_member(root, "mutants", &list))
    return 0;
  int n = jval_count(&list);
  for (int i = 0; i < n; i++) {
    struct jval item = jval_item(&list, i);
    if (check_globs(&item, "red", tests, diag) < 0 ||
        check_globs(&item, "green", tests, diag) < 0)
      return -1;
  }
  return 0;
}

static int check_number(const struct plan *p, const struct jval *root,
                        const struct texts *tests, struct diag *diag)
{
  struct jval expect, at;
  if (p->expect_tests < 0 || p->expect_tests == tests->n ||
      !jval_member(root, "expect", &expect) ||
      !jval_member(&expect, "tests", &at))
    return 0;
  return jval_error(&at, diag, "%lld tests are expected, the suite has %d",
                    (long long)p->expect_tests, tests->n);
}

int gate_plan_check_tests(const struct plan *p, const struct texts *tests,
                          struct diag *diag)
{
  struct jval root = json_root(&p->doc), controls;
  if (check_number(p, &root, tests, diag) < 0 ||
      check_globs(&root, "canary", tests, diag) < 0)
    return -1;
  if (jval_member(&root, "controls", &controls) &&
      (check_globs(&controls, "no_faults_green", tests, diag) < 0 ||
       check_globs(&controls, "dead_client_green", tests, diag) < 0))
    return -1;
  return check_mutants(&root, tests, diag);
}
