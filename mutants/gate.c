#include "mutants/gate.h"

#include "base/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *folder_of(const char *path)
{
  const char *slash = strrchr(path, '/');
  return slash ? bytes_dup((struct bytes){path, (size_t)(slash - path) + 1})
               : mem_strdup("./");
}

static int find_tree(struct gate *g, struct diag *diag)
{
  const struct gate_options *o = g->options;
  char *folder = folder_of(o->plan);
  const char *tree = o->tree ? o->tree : g->plan.tree;
  bool as_it_is = o->tree || *tree == '/';
  char *path = mem_format("%s%s", as_it_is ? "" : folder, tree);
  g->tree = realpath(path, NULL);
  int rc = 0;
  if (!g->tree || !file_is_folder(g->tree))
    rc = diag_set(diag, "the tree '%s' is no folder", path);
  free(path);
  free(folder);
  return rc;
}

static int find_program(struct gate *g, struct diag *diag)
{
  const char *program = g->plan.suite.program;
  if (g->plan.suite.kind != SUITE_FAULTWIRE)
    return 0;
  if (program && *program != '/') {
    g->program = mem_format("%s/%s", g->tree, program);
  } else if (program) {
    g->program = mem_strdup(program);
  } else {
    g->program = realpath("/proc/self/exe", NULL);
    if (!g->program)
      return diag_set(diag, "cannot find the running program: %s",
                      strerror(errno));
  }
  return access(g->program, X_OK) == 0
             ? 0
             : diag_set(diag, "cannot run the suite's program '%s': %s",
                        g->program, strerror(errno));
}

int gate_init(struct gate *g, const struct gate_options *o, struct diag *diag)
{
  *g = (struct gate){.options = o};
  if (gate_plan_load(&g->plan, o->plan, diag) < 0)
    return -1;
  if (o->quick && g->plan.suite.kind != SUITE_FAULTWIRE)
    diag_set(diag, "--quick needs a faultwire suite: a command cannot be "
                   "told which tests to run");
  if (diag->set || find_tree(g, diag) < 0 || find_program(g, diag) < 0) {
    gate_release(g);
    return -1;
  }
  gate_select(g);
  return 0;
}

void gate_release(struct gate *g)
{
  texts_release(&g->skip.globs);
  texts_release_owned(&g->skip.absolute);
  tree_list_release(&g->list);
  texts_release(&g->pins);
  texts_release(&g->tests);
  verdicts_release(&g->base);
  free(g->selected);
  free(g->program);
  free(g->tree);
  free(g->out);
  free(g->work);
  gate_plan_release(&g->plan);
  *g = (struct gate){0};
}

static bool is_named(const struct gate_options *o, const char *id)
{
  for (int i = 0; i < o->only.n; i++)
    if (glob_matches(o->only.item[i], id))
      return true;
  return o->only.n == 0;
}

void gate_select(struct gate *g)
{
  const struct gate_options *o = g->options;
  size_t n = (size_t)g->plan.nmutants + 1;
  g->selected = mem_zalloc(n * sizeof(const struct plan_mutant *));
  g->nselected = 0;
  for (int i = 0; i < g->plan.nmutants; i++) {
    const struct plan_mutant *m = &g->plan.mutants[i];
    bool ours = o->shard_n < 2 || i % o->shard_n == o->shard_k;
    if (ours && is_named(o, m->id))
      g->selected[g->nselected++] = m;
  }
}
