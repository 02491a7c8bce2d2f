#include "harness/kept/find.h"

#include "harness/kept/folder.h"

#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>

/* Folders within folders, as in suite.c; DIR/AREA/NAME has three. */
enum { MAX_DEPTH = 16 };

static int is_listed(const struct dirent *entry)
{
  return entry->d_name[0] != '.';
}

static int walk(struct kept_paths *list, const char *path, int depth,
                struct diag *diag)
{
  struct dirent **entries = NULL;
  if (kept_is_folder(path)) {
    list->path = mem_realloc(list->path, (list->n + 1) * sizeof *list->path);
    list->path[list->n++] = mem_strdup(path);
    return 0;
  }
  if (depth > MAX_DEPTH)
    return diag_set(diag, "'%s': too many folders within folders", path);
  int n = scandir(path, &entries, is_listed, alphasort), rc = 0;
  if (n < 0)
    return diag_set(diag, "cannot read folder '%s': %s", path, strerror(errno));
  for (int i = 0; i < n; i++) {
    size_t end = strlen(path);
    char *child =
        mem_format("%s%s%s", path, end && path[end - 1] == '/' ? "" : "/",
                   entries[i]->d_name);
    if (rc == 0 && file_is_folder(child))
      rc = walk(list, child, depth + 1, diag);
    free(child);
    free(entries[i]);
  }
  free(entries);
  return rc;
}

int kept_find(struct kept_paths *list, const char *path, struct diag *diag)
{
  size_t before = list->n;
  if (walk(list, path, 0, diag) < 0)
    return -1;
  return list->n > before
             ? 0
             : diag_set(diag,
                        "'%s' holds no evidence of a run: no run.json in it or "
                        "below (faultwire test --evidence DIR)",
                        path);
}

void kept_paths_release(struct kept_paths *list)
{
  for (size_t i = 0; i < list->n; i++)
    free(list->path[i]);
  free(list->path);
  memset(list, 0, sizeof *list);
}
