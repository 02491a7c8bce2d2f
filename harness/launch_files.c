#include "harness/launch.h"

#include "base/file.h"

#include <string.h>
#include <sys/stat.h>

static int write_one(const char *home, const char *name, const char *content,
                     struct diag *diag)
{
  char *path = mem_format("%s/%s", home, name);
  char *slash = strrchr(path, '/');
  *slash = '\0';
  int rc = file_mkdirs(path, diag);
  *slash = '/';
  if (rc == 0)
    rc = file_write(path, bytes_of(content), diag);
  /* A script among the files is meant to be run. */
  if (rc == 0 && strncmp(content, "#!", 2) == 0)
    chmod(path, 0755);
  free(path);
  return rc;
}

int launch_files(const struct spec *spec, const struct launch_words *w,
                 struct diag *diag)
{
  const cJSON *item = NULL;
  if (file_mkdirs(w->home, diag) < 0 || file_mkdirs(w->tmp, diag) < 0 ||
      file_mkdirs(w->shared, diag) < 0)
    return -1;
  cJSON_ArrayForEach(item, spec->files)
  {
    char *content = launch_replace(item->valuestring, w);
    int rc = write_one(w->home, item->string, content, diag);
    free(content);
    if (rc < 0)
      return -1;
  }
  return 0;
}
