#include "mutants/texts.h"

#include "base/buf.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

void texts_add(struct texts *t, const char *text)
{
  t->item = mem_realloc(t->item, (size_t)(t->n + 1) * sizeof *t->item);
  t->item[t->n++] = text;
}

void texts_add_all(struct texts *t, const struct texts *more)
{
  for (int i = 0; i < more->n; i++)
    texts_add(t, more->item[i]);
}

void texts_release(struct texts *t)
{
  free(t->item);
  *t = (struct texts){0};
}

void texts_release_owned(struct texts *t)
{
  for (int i = 0; i < t->n; i++) {
    union {
      const char *text;
      void *memory;
    } item = {t->item[i]};
    free(item.memory);
  }
  texts_release(t);
}

bool texts_has(const struct texts *t, const char *text)
{
  for (int i = 0; i < t->n; i++)
    if (strcmp(t->item[i], text) == 0)
      return true;
  return false;
}

bool glob_matches(const char *glob, const char *name)
{
  return strcmp(glob, name) == 0 || fnmatch(glob, name, 0) == 0;
}

char *glob_of_name(const char *name)
{
  struct buf b;
  buf_init(&b, SIZE_MAX / 2);
  for (; *name; name++) {
    if (strchr("*?[\\", *name))
      buf_addc(&b, '\\');
    buf_addc(&b, *name);
  }
  buf_adds(&b, "");
  char *glob = mem_strdup(buf_str(&b));
  buf_release(&b);
  return glob;
}

bool globs_match(const struct texts *globs, const char *name)
{
  for (int i = 0; i < globs->n; i++)
    if (glob_matches(globs->item[i], name))
      return true;
  return false;
}
