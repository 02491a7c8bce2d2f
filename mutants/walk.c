#include "mutants/walk.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

struct walk {
  const char *root;
  const struct tree_skip *skip;
  walk_visit_fn *visit;
  void *ctx;
};

static bool skipped(const struct tree_skip *skip, const char *path,
                    const char *absolute)
{
  const char *slash = strrchr(path, '/');
  const char *name = slash ? slash + 1 : path;
  if (texts_has(&skip->absolute, absolute))
    return true;
  for (int i = 0; i < skip->globs.n; i++) {
    const char *glob = skip->globs.item[i];
    if (fnmatch(glob, strchr(glob, '/') ? path : name, FNM_PATHNAME) == 0)
      return true;
  }
  return false;
}

static int walk_folder(const struct walk *w, const char *folder,
                       struct diag *diag);

static int walk_entry(const struct walk *w, const char *path, struct diag *diag)
{
  struct stat st;
  int rc = 0;
  char *absolute = mem_format("%s/%s", w->root, path);
  if (!skipped(w->skip, path, absolute)) {
    if (lstat(absolute, &st) < 0)
      rc = diag_set(diag, "cannot look at '%s': %s", absolute, strerror(errno));
    if (rc == 0)
      rc = w->visit(w->ctx, path, &st, diag);
    if (rc == 0 && S_ISDIR(st.st_mode))
      rc = walk_folder(w, path, diag);
  }
  free(absolute);
  return rc;
}

static bool is_dots(const char *name)
{
  return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

/* `folder` is "" for the root. */
static int walk_folder(const struct walk *w, const char *folder,
                       struct diag *diag)
{
  struct dirent **entry;
  char *absolute = mem_format("%s/%s", w->root, folder);
  int rc = 0, n = scandir(absolute, &entry, NULL, alphasort);
  if (n < 0)
    rc = diag_set(diag, "cannot read folder '%s': %s", absolute,
                  strerror(errno));
  for (int i = 0; i < n; i++) {
    char *path =
        mem_format("%s%s%s", folder, *folder ? "/" : "", entry[i]->d_name);
    if (rc == 0 && !is_dots(entry[i]->d_name))
      rc = walk_entry(w, path, diag);
    free(path);
    free(entry[i]);
  }
  if (n >= 0)
    free(entry);
  free(absolute);
  return rc;
}

int walk_tree(const char *root, const struct tree_skip *skip,
              walk_visit_fn *visit, void *ctx, struct diag *diag)
{
  struct walk w = {root, skip, visit, ctx};
  return walk_folder(&w, "", diag);
}
