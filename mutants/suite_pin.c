/*
 * What of a suite's command line is the suite itself: scenario folders, the
 * policy, the script. It must be the same at the last mutant as at the
 * baseline.
 */
#include "mutants/suite.h"

#include "base/file.h"
#include "mutants/change/change.h"

#include <stdlib.h>
#include <string.h>

static bool is_inside(const char *path, const char *folder)
{
  size_t n = strlen(folder);
  while (n && folder[n - 1] == '/')
    n--;
  return strncmp(path, folder, n) == 0 && (path[n] == '/' || path[n] == '\0');
}

/* What a mutant of the plan changes is the subject, not the suite. */
static bool is_subject(const struct plan *p, const char *word)
{
  bool found = false;
  for (int i = 0; !found && i < p->nmutants; i++) {
    struct texts files = {0};
    change_files(&p->mutants[i], &files);
    for (int k = 0; k < files.n; k++)
      found |= is_inside(files.item[k], word);
    texts_release(&files);
  }
  return found;
}

static char *resolve(const char *folder, const char *word)
{
  return *word == '/' ? mem_strdup(word) : mem_format("%s/%s", folder, word);
}

static bool is_pin(const struct gate *g, const char *folder, const char *word)
{
  if (*word == '\0' || strcmp(word, ".") == 0 || strcmp(word, "./") == 0 ||
      strcmp(word, "/") == 0 || is_subject(&g->plan, word))
    return false;
  char *path = resolve(folder, word);
  bool there = file_exists(path);
  free(path);
  return there;
}

void suite_find_pins(const struct gate *g, const char *folder,
                     struct texts *ret)
{
  const struct texts *words = &g->plan.suite.words;
  for (int i = 0; i < words->n; i++) {
    const char *equals = strchr(words->item[i], '=');
    if (is_pin(g, folder, words->item[i]))
      texts_add(ret, words->item[i]);
    else if (equals && is_pin(g, folder, equals + 1))
      texts_add(ret, equals + 1);
  }
  if (g->program)
    texts_add(ret, g->program);
}

uint64_t suite_pin_hash(const struct gate *g, const char *folder)
{
  struct buf all;
  buf_init(&all, SIZE_MAX / 2);
  for (int i = 0; i < g->pins.n; i++) {
    char *path = resolve(folder, g->pins.item[i]);
    buf_addf(&all, "%016llx\n", (unsigned long long)tree_fingerprint(path));
    free(path);
  }
  uint64_t hash = bytes_hash(buf_bytes(&all));
  buf_release(&all);
  return hash;
}
