#include "mutants/change/change.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

const struct change *const CHANGES[CHANGE_COUNT] = {
#define CHANGE(name, key, summary) &change_##name,
#include "mutants/change/changes.def"
#undef CHANGE
};

void change_files(const struct plan_mutant *m, struct texts *ret)
{
  struct texts all = {0};
  for (int i = 0; i < CHANGE_COUNT; i++)
    if (CHANGES[i]->files && CHANGES[i]->is_in(m))
      CHANGES[i]->files(m, &all);
  for (int i = 0; i < all.n; i++)
    if (!texts_has(ret, all.item[i]))
      texts_add(ret, all.item[i]);
  texts_release(&all);
}

bool change_is_none(const struct plan_mutant *m)
{
  for (int i = 0; i < CHANGE_COUNT; i++)
    if (CHANGES[i]->is_in(m))
      return false;
  return true;
}

bool change_is_unseen(const struct plan_mutant *m)
{
  for (int i = 0; i < CHANGE_COUNT; i++)
    if (CHANGES[i]->files && CHANGES[i]->is_in(m))
      return false;
  return true;
}

static bool is_below(const struct worker *w, const char *path)
{
  size_t n = strlen(w->folder);
  char *real = realpath(path, NULL);
  bool below = real && strncmp(real, w->folder, n) == 0 &&
               (real[n] == '/' || real[n] == '\0');
  free(real);
  return below;
}

/* Of a file that is yet to be made: the nearest folder that is there. */
static bool has_place(const struct worker *w, const char *path)
{
  char *folder = mem_strdup(path);
  char *slash = strrchr(folder, '/');
  struct stat st;
  do {
    *slash = '\0';
    slash = strrchr(folder, '/');
  } while (slash && lstat(folder, &st) < 0);
  bool below = is_below(w, folder);
  free(folder);
  return below;
}

bool change_is_ours(const struct worker *w, const char *path)
{
  struct stat st;
  if (lstat(path, &st) < 0)
    return has_place(w, path);
  return S_ISREG(st.st_mode) && is_below(w, path);
}

void change_stamp(const char *path)
{
  struct timespec times[2];
  clock_gettime(CLOCK_REALTIME, &times[0]);
  times[1] = times[0];
  utimensat(AT_FDCWD, path, times, 0);
}
