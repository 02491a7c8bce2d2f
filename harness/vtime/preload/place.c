/* Where the shared object is, and the environment that makes programs load
 * it. */
#include "harness/vtime/preload/preload.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { MAX_PATH = 4096 };

/* Beside the program, in a build folder as where it was installed. */
char *preload_object(struct diag *diag)
{
  char room[MAX_PATH];
  ssize_t n = readlink("/proc/self/exe", room, sizeof room - 1);
  room[n > 0 ? n : 0] = '\0';
  char *slash = strrchr(room, '/');
  char *path =
      mem_format("%.*s/" BOARD_OBJECT, slash ? (int)(slash - room) : 0, room);
  if (access(path, R_OK) != 0)
    diag_set(diag, "%s: %s", path, strerror(errno));
  else if (strpbrk(path, " :\t\n")) /* what LD_PRELOAD is split at, ld.so(8) */
    diag_set(diag, "%s: LD_PRELOAD cannot have a blank or ':'", path);
  else
    return path;
  free(path);
  return NULL;
}

static const char *value_of(const char *entry, const char *name)
{
  size_t n = strlen(name);
  return strncmp(entry, name, n) == 0 && entry[n] == '=' ? entry + n + 1 : NULL;
}

/* What somebody else loads stays, behind ours. */
static char *variables(const char *object, const char *place, char *const *envp,
                       size_t *ret_n)
{
  const char *theirs = NULL;
  for (*ret_n = 0; envp[*ret_n]; (*ret_n)++)
    if (!theirs)
      theirs = value_of(envp[*ret_n], "LD_PRELOAD");
  return mem_format("LD_PRELOAD=%s%s%s%c" BOARD_VARIABLE "=%s", object,
                    theirs && theirs[0] ? ":" : "", theirs ? theirs : "", '\n',
                    place);
}

char **preload_environment(const char *object, const char *place,
                           char *const *envp)
{
  size_t n, k = 0;
  char *text = variables(object, place, envp, &n);
  size_t list = (n + 3) * sizeof(char *), size = strlen(text) + 1;
  char **ret = mem_zalloc(list + size);
  char *copy = (char *)ret + list;
  memcpy(copy, text, size);
  free(text);
  for (size_t i = 0; i < n; i++)
    if (!value_of(envp[i], "LD_PRELOAD") && !value_of(envp[i], BOARD_VARIABLE))
      ret[k++] = envp[i];
  char *second = strrchr(copy, '\n');
  *second = '\0';
  ret[k++] = copy;
  ret[k] = second + 1;
  return ret;
}
