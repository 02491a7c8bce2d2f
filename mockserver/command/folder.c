#include "mockserver/command/folder.h"

#include "base/file.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The program is below 1 MiB; with sanitizers some more. */
#define MAX_PROGRAM ((size_t)64 << 20)

char *folder_program(struct diag *diag)
{
  const char *named = getenv("FAULTWIRE_SHIM");
  char self[4096];
  ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
  self[n > 0 ? n : 0] = '\0';
  char *slash = strrchr(self, '/');
  if (slash)
    *slash = '\0';
  char *path = named && *named ? mem_strdup(named)
                               : mem_format("%s/faultwire-shim", self);
  if (access(path, X_OK) == 0)
    return path;
  diag_set(diag,
           "the program of the stand-ins is not there: %s: %s "
           "(FAULTWIRE_SHIM names another)",
           path, strerror(errno));
  free(path);
  return NULL;
}

enum place { PLACE_FREE, PLACE_OURS, PLACE_TAKEN };

/* A file in the folder that is no copy of the stand-in is the user's. */
static enum place look(const char *path, struct bytes program)
{
  struct buf there;
  struct diag ignored = {0};
  if (!file_exists(path))
    return PLACE_FREE;
  buf_init(&there, MAX_PROGRAM);
  bool same = file_read(path, &there, &ignored) == 0 &&
              bytes_equal(buf_bytes(&there), program);
  buf_release(&there);
  return same && access(path, X_OK) == 0 ? PLACE_OURS : PLACE_TAKEN;
}

/* By another name and a rename: a file that is being written cannot be
 * started (ETXTBSY). */
static int write_program(const char *path, struct bytes program,
                         struct diag *diag)
{
  char *fresh = mem_format("%s.new", path);
  int rc = file_write(fresh, program, diag);
  if (rc == 0 && (chmod(fresh, 0755) < 0 || rename(fresh, path) < 0))
    rc = diag_set(diag, "cannot make '%s': %s", path, strerror(errno));
  if (rc < 0)
    unlink(fresh);
  free(fresh);
  return rc;
}

static int put(const char *path, struct bytes program, struct diag *diag)
{
  switch (look(path, program)) {
  case PLACE_FREE:
    return write_program(path, program, diag);
  case PLACE_OURS:
    return 0;
  default:
    return diag_set(diag,
                    "'%s' is there and is no stand-in of this version; remove "
                    "it first",
                    path);
  }
}

int folder_put(const char *folder, const char *name, struct diag *diag)
{
  struct buf program;
  char *from = folder_program(diag);
  if (!from)
    return -1;
  char *path = mem_format("%s/%s", folder, name);
  buf_init(&program, MAX_PROGRAM);
  int rc = file_mkdirs(folder, diag);
  if (rc == 0)
    rc = file_read(from, &program, diag);
  if (rc == 0)
    rc = put(path, buf_bytes(&program), diag);
  buf_release(&program);
  free(path);
  free(from);
  return rc;
}

void folder_take(const char *folder, const char *name)
{
  char *path = mem_format("%s/%s", folder, name);
  unlink(path);
  free(path);
}
