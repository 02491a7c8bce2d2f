#include "mutants/render_files.h"

#include "base/file.h"
#include "mutants/render_change.h"

#include <stdlib.h>
#include <string.h>

/* The text of a file, or NULL. */
static char *read_text(const char *path, size_t max)
{
  struct buf text;
  struct diag ignored = {0};
  buf_init(&text, max);
  char *copy =
      file_read(path, &text, &ignored) == 0 ? mem_strdup(buf_str(&text)) : NULL;
  buf_release(&text);
  return copy;
}

static void load(const char *folder, const char *kind, const char *id,
                 const char *end, char **ret)
{
  char *path = mem_format("%s/%s/%s%s", folder, kind, id, end);
  char *text = read_text(path, 2 * JSON_MAX_BYTES);
  free(*ret);
  *ret = text ? text : mem_strdup("");
  free(path);
}

/* An id is a file's name, never a way: outcomes.json may be forged. */
static bool is_file_name(const char *id)
{
  return *id && *id != '.' && !strchr(id, '/');
}

void render_files_load(struct records *r, const char *folder)
{
  for (int i = 0; i < r->n; i++)
    if (is_file_name(r->item[i].id)) {
      load(folder, "diff", r->item[i].id, ".diff", &r->item[i].diff);
      load(folder, "log", r->item[i].id, ".log", &r->item[i].log);
    }
}

static bool known(const struct records *r, const char *file)
{
  for (int i = 0; i < r->nsources; i++)
    if (strcmp(r->source[i].path, file) == 0)
      return true;
  return false;
}

static bool inside(const char *file)
{
  return *file && *file != '/' && strncmp(file, "../", 3) != 0 &&
         !strstr(file, "/../");
}

void render_files_sources(struct records *r, const char *tree)
{
  r->source = mem_zalloc((size_t)(r->n + 1) * sizeof *r->source);
  for (int i = 0; i < r->n; i++) {
    struct change c;
    change_of(&r->item[i], &c);
    char *path = c.file && inside(c.file) && !known(r, c.file)
                     ? mem_format("%s/%s", tree, c.file)
                     : NULL;
    char *text = path ? read_text(path, JSON_MAX_BYTES) : NULL;
    if (text)
      r->source[r->nsources++] = (struct source_text){mem_strdup(c.file), text};
    free(path);
    change_release(&c);
  }
}
