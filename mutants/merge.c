#include "mutants/merge.h"

#include <stdlib.h>
#include <string.h>

static int check_tests(const struct records *all, const struct records *more,
                       const char *name, struct diag *diag)
{
  for (int i = 0; i < more->tests.n; i++)
    if (!verdicts_find(&all->tests, more->tests.item[i].name))
      return diag_set(diag, "%s: the test '%s' is not in the results before",
                      name, more->tests.item[i].name);
  for (int i = 0; i < all->tests.n; i++)
    if (!verdicts_find(&more->tests, all->tests.item[i].name))
      return diag_set(diag, "%s: the test '%s' is missing", name,
                      all->tests.item[i].name);
  return 0;
}

static bool has_id(const struct records *r, const char *id)
{
  for (int i = 0; i < r->n; i++)
    if (strcmp(r->item[i].id, id) == 0)
      return true;
  return false;
}

static int check(const struct records *all, const struct records *more,
                 const char *name, struct diag *diag)
{
  if (strcmp(all->plan, more->plan) != 0)
    return diag_set(diag, "%s: from another plan than the results before",
                    name);
  for (int i = 0; i < more->n; i++)
    if (has_id(all, more->item[i].id))
      return diag_set(diag, "%s: the mutant '%s' is in the results before",
                      name, more->item[i].id);
  return check_tests(all, more, name, diag);
}

static void add_problem(struct records *all, const char *text)
{
  char *joined = *all->problem ? mem_format("%s; %s", all->problem, text)
                               : mem_strdup(text);
  free(all->problem);
  all->problem = joined;
}

/* A test that flickers in one shard is doubtful in all. */
static void take_noise(struct records *all, const struct records *more)
{
  for (int i = 0; i < all->tests.n; i++) {
    struct test *t = &all->tests.item[i];
    const struct test *m = verdicts_find(&more->tests, t->name);
    if (!m || !m->noisy || t->noisy)
      continue;
    t->noisy = true;
    free(t->why);
    t->why = mem_strdup(m->why);
  }
}

int merge_add(struct records *all, struct records *more, const char *name,
              struct diag *diag)
{
  if (!all->problem) { /* the first */
    *all = *more;
    *more = (struct records){0};
    return 0;
  }
  if (check(all, more, name, diag) < 0)
    return -1;
  size_t n = (size_t)(all->n + more->n + 1);
  all->item = mem_realloc(all->item, n * sizeof *all->item);
  for (int i = 0; i < more->n; i++)
    all->item[all->n++] = more->item[i];
  more->n = 0;
  if (*more->problem) {
    char *text = mem_format("%s: %s", name, more->problem);
    add_problem(all, text);
    free(text);
  }
  take_noise(all, more);
  all->ms = all->ms > more->ms ? all->ms : more->ms;
  return 0;
}

void merge_finish(struct records *all)
{
  char *text = NULL;
  if (all->plan_mutants > all->n)
    text = mem_format("the plan holds %lld mutants, the results %d",
                      (long long)all->plan_mutants, all->n);
  else if (all->plan_mutants && all->plan_mutants < all->n)
    text = mem_format("the plan holds %lld mutants only, the results %d",
                      (long long)all->plan_mutants, all->n);
  if (text)
    add_problem(all, text);
  free(text);
}
