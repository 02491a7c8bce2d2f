/*
 * The folders a run writes to. Both are marked, and nothing is ever moved or
 * removed that does not carry the mark: `--out src` must not cost anybody
 * their sources.
 */
#include "mutants/gate.h"

#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MARK ".faultwire-mutate"

static char *absolute(const char *path)
{
  if (*path == '/')
    return mem_strdup(path);
  char *here = getcwd(NULL, 0);
  char *all = mem_format("%s/%s", here ? here : "", path);
  free(here);
  return all;
}

static bool is_empty(const char *folder)
{
  int n = 0;
  DIR *dir = opendir(folder);
  while (dir && readdir(dir))
    n++;
  if (dir)
    closedir(dir);
  return dir && n <= 2; /* "." and ".." */
}

static int must_be_ours(const char *folder, struct diag *diag)
{
  char *mark = mem_format("%s/%s", folder, MARK);
  bool ours = !file_exists(folder) || file_exists(mark) || is_empty(folder);
  free(mark);
  return ours ? 0
              : diag_set(diag,
                         "'%s' is there and was not made by faultwire "
                         "mutate; choose another --out",
                         folder);
}

/* By its real name, so that the walk through the tree knows it when it
 * meets it. */
static int make_folder(const char *path, char **ret, struct diag *diag)
{
  char *mark = mem_format("%s/%s", path, MARK);
  int rc = file_mkdirs(path, diag);
  if (rc == 0)
    rc = file_write(mark, BYTES("folder of faultwire mutate\n"), diag);
  if (rc == 0) {
    *ret = realpath(path, NULL);
    if (!*ret)
      rc = diag_set(diag, "cannot find folder '%s': %s", path, strerror(errno));
  }
  free(mark);
  return rc;
}

static int replace(const char *out, const char *old, const char *work,
                   struct diag *diag)
{
  if (must_be_ours(out, diag) < 0 || must_be_ours(old, diag) < 0 ||
      must_be_ours(work, diag) < 0 || gate_lock_check(out, diag) < 0)
    return -1;
  file_remove_tree(work);
  if (!file_exists(out))
    return 0;
  file_remove_tree(old);
  return rename(out, old) == 0 ? 0
                               : diag_set(diag, "cannot move '%s' to '%s': %s",
                                          out, old, strerror(errno));
}

static void skip_own_folders(struct gate *g)
{
  static const char *const ENDS[] = {"", ".work", ".old"};
  texts_add_all(&g->skip.globs, &g->plan.skip);
  if (g->plan.suite.report) /* written by the suite, and removed before it */
    texts_add(&g->skip.globs, g->plan.suite.report);
  for (size_t i = 0; i < sizeof ENDS / sizeof ENDS[0]; i++)
    texts_add(&g->skip.absolute, mem_format("%s%s", g->out, ENDS[i]));
}

int gate_folders(struct gate *g, struct diag *diag)
{
  char *out = absolute(g->options->out);
  while (strlen(out) > 1 && out[strlen(out) - 1] == '/')
    out[strlen(out) - 1] = '\0';
  char *work = mem_format("%s.work", out);
  char *old = mem_format("%s.old", out);
  int rc = replace(out, old, work, diag);
  if (rc == 0)
    rc = make_folder(out, &g->out, diag);
  if (rc == 0)
    rc = make_folder(work, &g->work, diag);
  if (rc == 0)
    rc = gate_lock_take(g, diag);
  if (rc == 0)
    skip_own_folders(g);
  free(old);
  free(work);
  free(out);
  return rc;
}
