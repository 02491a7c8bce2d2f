/*
 * A unified diff. The program patch applies it, without fuzz: a hunk whose
 * context is not there to the letter is refused, and with it the mutant. What
 * the diff may touch is read before (udiff.h).
 */
#include "mutants/change/change.h"

#include "mutants/program.h"
#include "mutants/udiff.h"

#include <stdlib.h>

static int read(const struct jval *v, const struct plan *p,
                struct plan_mutant *m, struct diag *diag)
{
  (void)p;
  return gate_plan_read_text(v, "patch", &m->patch, diag);
}

static bool is_in(const struct plan_mutant *m)
{
  return m->patch != NULL;
}

static void files(const struct plan_mutant *m, struct texts *ret)
{
  for (int i = 0; m->patch_diff && i < m->patch_diff->n; i++)
    texts_add(ret, m->patch_diff->file[i].path);
}

/* GNU patch: fuzz 0 is "context to the letter", an offset is told only. */
static int run_patch(const struct worker *w, const struct plan_mutant *m,
                     struct buf *why, struct diag *diag)
{
  const char *argv[] = {"patch",
                        m->patch_diff->prefixed ? "-p1" : "-p0",
                        "--unified",
                        "--fuzz=0",
                        "--batch",
                        "--forward",
                        "--no-backup-if-mismatch",
                        "--reject-file=-",
                        "-i",
                        m->patch_path,
                        NULL};
  struct program c = {argv, w->folder, NULL, 0, 60000};
  struct program_end end;
  if (program_run(&c, &end, diag) < 0)
    return -1;
  struct bytes said = buf_bytes(end.out.n ? &end.out : &end.err);
  if (said.n > 400)
    said.n = 400;
  if (end.timed_out)
    buf_adds(why, "patch took over 60 s");
  else if (end.code == 127)
    buf_adds(why, "the program patch is not installed");
  else if (end.code != 0)
    buf_addf(why, "%s does not apply without fuzz: %.*s", m->patch, (int)said.n,
             said.n ? said.p : "");
  program_end_release(&end);
  return 0;
}

static int before_build(struct worker *w, const struct plan_mutant *m,
                        struct buf *why, struct diag *diag)
{
  struct texts all = {0};
  int rc = 0;
  files(m, &all);
  for (int i = 0; i < all.n; i++) {
    char *path = mem_format("%s/%s", w->folder, all.item[i]);
    if (!change_is_ours(w, path))
      buf_addf(why, "%s: no such file in the tree", all.item[i]);
    free(path);
  }
  if (why->n == 0) {
    texts_add_all(&w->touched, &all);
    rc = run_patch(w, m, why, diag);
  }
  for (int i = 0; rc == 0 && why->n == 0 && i < all.n; i++) {
    char *path = mem_format("%s/%s", w->folder, all.item[i]);
    change_stamp(path);
    free(path);
  }
  texts_release(&all);
  return rc;
}

const struct change change_patch = {
    .read = read, .is_in = is_in, .files = files, .before_build = before_build};
