#include "mockserver/step_file.h"

#include "base/file.h"
#include "base/param.h"

#include <string.h>

/* Ceiling of one file. */
enum { MAX_FILE = 16 << 20 };

static char *path_of(const struct jval *v, const char *file)
{
  const char *slash = strrchr(v->doc->name, '/');
  if (*file == '/' || !slash)
    return mem_strdup(file);
  return mem_format("%.*s/%s", (int)(slash - v->doc->name), v->doc->name, file);
}

int step_file_read(struct step *ret, const struct jval *v, struct diag *diag)
{
  struct jval value;
  struct diag why = {0};
  const char *file = NULL;
  buf_init(&ret->file, MAX_FILE);
  if (!jval_member(v, "file", &value) || !param_string(v->node, "file", &file))
    return 0;
  char *path = path_of(v, file);
  int rc = file_read(path, &ret->file, &why);
  free(path);
  if (rc < 0)
    buf_release(&ret->file);
  return rc < 0 ? jval_error(&value, diag, "%s", why.text) : 0;
}
