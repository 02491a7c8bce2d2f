/*
 * Another executable in the place of the one that was built: an older version,
 * a client of somebody else, a build that cannot be made here.
 */
#include "mutants/change/change.h"

#include "base/file.h"

#include <stdlib.h>

static int read(const struct jval *v, const struct plan *p,
                struct plan_mutant *m, struct diag *diag)
{
  struct jval at;
  if (gate_plan_read_text(v, "artifact", &m->artifact, diag) < 0)
    return -1;
  if (!m->artifact || !jval_member(v, "artifact", &at))
    return 0;
  if (!p->artifact)
    return jval_key_error(&at, diag,
                          "the plan names no 'artifact' to be replaced");
  return *m->artifact == '/' ? 0
                             : gate_plan_inside_tree(&at, m->artifact, diag);
}

static bool is_in(const struct plan_mutant *m)
{
  return m->artifact != NULL;
}

static int after_build(struct worker *w, const struct plan_mutant *m,
                       struct buf *why, struct diag *diag)
{
  struct diag reason = {0};
  bool whole = *m->artifact == '/';
  char *from = mem_format("%s%s%s", whole ? "" : w->folder, whole ? "" : "/",
                          m->artifact);
  char *to = mem_format("%s/%s", w->folder, w->gate->plan.artifact);
  (void)diag;
  if (!file_exists(from) || file_is_folder(from))
    buf_addf(why, "there is no executable '%s'", m->artifact);
  else if (tree_copy_file(from, to, false, &reason) < 0)
    buf_adds(why, reason.text);
  free(from);
  free(to);
  return 0;
}

static void tell(const struct plan_mutant *m, struct buf *ret)
{
  buf_addf(ret, "artifact %s\n", m->artifact);
}

const struct change change_artifact = {
    .read = read, .is_in = is_in, .after_build = after_build, .tell = tell};
