#include "mutants/worker.h"

#include "mutants/change/change.h"
#include "mutants/program.h"

#include <stdlib.h>
#include <string.h>

static int put_in(struct worker *w, const struct plan_mutant *m,
                  struct buf *why, struct diag *diag)
{
  int rc = 0;
  for (int i = 0; rc == 0 && why->n == 0 && i < CHANGE_COUNT; i++)
    if (CHANGES[i]->before_build && CHANGES[i]->is_in(m))
      rc = CHANGES[i]->before_build(w, m, why, diag);
  return rc;
}

static void check_changes(const struct worker *w, const struct plan_mutant *m,
                          const struct texts *changes, struct buf *why)
{
  bool by_bytes = !change_is_unseen(m);
  if (by_bytes && changes->n == 0)
    buf_adds(why, "the tree did not change");
  for (int i = 0; i < changes->n; i++)
    if (!texts_has(&w->touched, changes->item[i]))
      buf_addf(why, "%s%s changed and is not named in 'touches'",
               why->n ? "; " : "", changes->item[i]);
}

int worker_apply(struct worker *w, const struct plan_mutant *m, bool *ret_in,
                 struct buf *why, struct diag *diag)
{
  struct tree_list before, after = {0};
  struct texts changes = {0};
  if (tree_list(w->folder, &w->gate->skip, &before, diag) < 0)
    return -1;
  int rc = put_in(w, m, why, diag);
  if (rc == 0 && why->n == 0)
    rc = tree_list(w->folder, &w->gate->skip, &after, diag);
  if (rc == 0 && why->n == 0) {
    tree_changes(&before, &after, &changes);
    check_changes(w, m, &changes, why);
  }
  /* What a command or a patch changed beside its declared files is not put
   * back by name; only a new copy is clean again. */
  if ((m->cmd || m->patch) && why->n)
    w->fresh_next = true;
  *ret_in = why->n == 0;
  texts_release(&changes);
  tree_list_release(&before);
  tree_list_release(&after);
  return rc;
}

static int diff_file(struct worker *w, const char *file, struct buf *ret,
                     struct diag *diag)
{
  char *old_label = mem_format("a/%s", file);
  char *new_label = mem_format("b/%s", file);
  char *old = mem_format("%s/%s", w->gate->tree, file);
  char *new = mem_format("%s/%s", w->folder, file);
  const char *argv[] = {"diff",    "-uN", "--label", old_label, "--label",
                        new_label, old,   new,       NULL};
  struct program c = {argv, w->folder, NULL, 0, 60000};
  struct program_end end;
  int rc = program_run(&c, &end, diag);
  if (rc == 0) {
    buf_addb(ret, buf_bytes(&end.out));
    program_end_release(&end);
  }
  free(old_label);
  free(new_label);
  free(old);
  free(new);
  return rc;
}

int worker_diff(struct worker *w, const struct plan_mutant *m, struct buf *ret,
                struct diag *diag)
{
  for (int i = 0; i < w->touched.n; i++) {
    bool again = false;
    for (int k = 0; k < i; k++)
      again |= strcmp(w->touched.item[k], w->touched.item[i]) == 0;
    if (!again && diff_file(w, w->touched.item[i], ret, diag) < 0)
      return -1;
  }
  for (int i = 0; i < CHANGE_COUNT; i++)
    if (CHANGES[i]->tell && CHANGES[i]->is_in(m))
      CHANGES[i]->tell(m, ret);
  return 0;
}
