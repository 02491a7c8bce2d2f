#include "harness/project/project.h"

#include "base/file.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

/* From the program's folder: installed, then built somewhere in the tree. */
static const char *const places[] = {
    "../share/faultwire/scenarios", "../harness/scenarios",
    "../../harness/scenarios", "../../../harness/scenarios"};

static char *program_folder(void)
{
  char path[PATH_MAX];
  ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
  if (n <= 0)
    return NULL;
  path[n] = '\0';
  char *slash = strrchr(path, '/');
  if (!slash)
    return NULL;
  *slash = '\0';
  return mem_strdup(path);
}

char *project_shipped(void)
{
  const char *said = getenv("FAULTWIRE_SCENARIOS");
  if (said && *said)
    return file_is_folder(said) ? realpath(said, NULL) : NULL;
  char *folder = program_folder(), *found = NULL;
  for (size_t i = 0; folder && !found && i < sizeof places / sizeof *places;
       i++) {
    char *path = mem_format("%s/%s", folder, places[i]);
    if (file_is_folder(path))
      found = realpath(path, NULL);
    free(path);
  }
  free(folder);
  return found;
}
