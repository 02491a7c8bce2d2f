/*
 * Which mutants of the plan a run takes.
 */
#include "mutants/gate.h"

#include "mutants/in_diff.h"

static bool is_named(const struct gate_options *o, const char *id)
{
  for (int i = 0; i < o->only.n; i++)
    if (glob_matches(o->only.item[i], id))
      return true;
  return o->only.n == 0;
}

static void select_all(struct gate *g, const struct udiff *diff)
{
  const struct gate_options *o = g->options;
  int n = 0;
  for (int i = 0; i < g->plan.nmutants; i++) {
    const struct plan_mutant *m = &g->plan.mutants[i];
    if (!is_named(o, m->id) || (diff && !in_diff(g->tree, m, diff)))
      continue;
    if (o->shard_n < 2 || n % o->shard_n == o->shard_k)
      g->selected[g->nselected++] = m;
    n++;
  }
}

int gate_select(struct gate *g, struct diag *diag)
{
  const struct gate_options *o = g->options;
  size_t n = (size_t)g->plan.nmutants + 1;
  struct udiff diff = {0};
  if (o->in_diff && in_diff_load(&diff, o->in_diff, diag) < 0)
    return -1;
  g->selected = mem_zalloc(n * sizeof(const struct plan_mutant *));
  g->nselected = 0;
  select_all(g, o->in_diff ? &diff : NULL);
  udiff_release(&diff);
  return 0;
}
