/*
 * The patches of a plan, read before anything is copied: a patch that cannot
 * be read, or that would leave the tree, is a mistake in the plan; one that
 * does not fit is an outcome of its mutant.
 */
#include "mutants/gate.h"

#include "base/file.h"
#include "mutants/udiff.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool leaves_tree(const char *path)
{
  size_t n = strlen(path);
  return path[0] == '/' || strcmp(path, "..") == 0 ||
         strncmp(path, "../", 3) == 0 || strstr(path, "/../") ||
         (n >= 3 && strcmp(path + n - 3, "/..") == 0);
}

/* Git's words for a new name or bytes say nothing about where the old ones
 * have to be put back. */
static int check(const struct udiff *d, const char *path, struct diag *diag)
{
  if (d->n == 0)
    return diag_set(diag, "%s: no unified diff in it", path);
  if (d->renames)
    return diag_set(diag,
                    "%s: a patch of a mutant may not rename files, change "
                    "modes or hold binary files",
                    path);
  for (int i = 0; i < d->n; i++)
    if (leaves_tree(d->file[i].path))
      return diag_set(diag, "%s: '%s' leaves the tree", path, d->file[i].path);
  return 0;
}

static int read_patch(const struct gate_options *o, struct plan_mutant *m,
                      struct diag *diag)
{
  struct buf text;
  char *folder = gate_plan_folder(o);
  char *path = *m->patch == '/' ? mem_strdup(m->patch)
                                : mem_format("%s%s", folder, m->patch);
  buf_init(&text, UDIFF_MAX_BYTES);
  m->patch_diff = mem_zalloc(sizeof *m->patch_diff);
  int rc = file_read(path, &text, diag);
  if (rc == 0)
    rc = udiff_parse(m->patch_diff, path, buf_bytes(&text), diag);
  if (rc == 0)
    rc = check(m->patch_diff, path, diag);
  if (rc == 0) {
    m->patch_path = realpath(path, NULL);
    if (!m->patch_path)
      rc = diag_set(diag, "cannot find '%s'", path);
  }
  buf_release(&text);
  free(path);
  free(folder);
  return rc;
}

int gate_read_patches(struct gate *g, struct diag *diag)
{
  for (int i = 0; i < g->plan.nmutants; i++)
    if (g->plan.mutants[i].patch &&
        read_patch(g->options, &g->plan.mutants[i], diag) < 0)
      return -1;
  return 0;
}
