#include "mutants/gate.h"

#include "base/file.h"
#include "mutants/suite.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *gate_plan_folder(const struct gate_options *o)
{
  const char *slash = strrchr(o->plan, '/');
  return slash
             ? bytes_dup((struct bytes){o->plan, (size_t)(slash - o->plan) + 1})
             : mem_strdup("./");
}

static int find_tree(struct gate *g, struct diag *diag)
{
  const struct gate_options *o = g->options;
  char *folder = gate_plan_folder(o);
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

int gate_init_plan(struct gate *g, const struct gate_options *o,
                   struct diag *diag)
{
  *g = (struct gate){.options = o, .lock = -1};
  if (gate_plan_load(&g->plan, o->plan, o->record, diag) < 0)
    return -1;
  if (find_tree(g, diag) == 0 && gate_read_patches(g, diag) == 0 &&
      gate_select(g, diag) == 0)
    return 0;
  gate_release(g);
  return -1;
}

int gate_init(struct gate *g, const struct gate_options *o, struct diag *diag)
{
  if (gate_init_plan(g, o, diag) < 0)
    return -1;
  if (o->quick && !suite_can_pick(&g->plan.suite))
    diag_set(diag, "--quick needs a suite that can be told which tests to "
                   "run: faultwire, or a command with 'only'");
  if (!diag->set && find_program(g, diag) == 0)
    return 0;
  gate_release(g);
  return -1;
}

void gate_release(struct gate *g)
{
  texts_release(&g->skip.globs);
  texts_release_owned(&g->skip.absolute);
  tree_list_release(&g->list);
  texts_release(&g->pins);
  texts_release(&g->tests);
  texts_release_owned(&g->noisy);
  verdicts_release(&g->base);
  free(g->selected);
  free(g->program);
  free(g->tree);
  free(g->out);
  free(g->work);
  gate_plan_release(&g->plan);
  if (g->lock >= 0)
    close(g->lock);
  *g = (struct gate){0};
}
