#include "mutants/generate/language.h"

#include "base/words.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

const struct language LANGUAGES[LANGUAGE_COUNT] = {
#define LANGUAGE(id, name, endings, syntax, no, yes, nothing)                  \
  {LANGUAGE_##id, name, endings, syntax, no, yes, nothing},
#include "mutants/generate/languages.def"
#undef LANGUAGE
};

static const char *const NAMES[] = {
#define LANGUAGE(id, name, endings, syntax, no, yes, nothing) name,
#include "mutants/generate/languages.def"
#undef LANGUAGE
    NULL};

static const char ENDINGS[] =
#define LANGUAGE(id, name, endings, syntax, no, yes, nothing) " " endings
#include "mutants/generate/languages.def"
#undef LANGUAGE
    ;

const struct language *language_named(const char *name, struct diag *diag)
{
  char hint[256];
  for (int i = 0; i < LANGUAGE_COUNT; i++)
    if (strcmp(LANGUAGES[i].name, name) == 0)
      return &LANGUAGES[i];
  words_hint(name, NAMES, hint, sizeof hint);
  diag_set(diag, "unknown language '%s'%s", name, hint);
  return NULL;
}

/* True when `word` is one of the words of `list`. */
static bool listed(const char *list, const char *word)
{
  size_t n = strlen(word);
  for (const char *p = list; *p; p += strcspn(p, " "), p += strspn(p, " "))
    if (n > 0 && strcspn(p, " ") == n && memcmp(p, word, n) == 0)
      return true;
  return false;
}

const struct language *language_of_file(const char *path, struct diag *diag)
{
  const char *name = strrchr(path, '/');
  const char *dot = strrchr(name ? name : path, '.');
  for (int i = 0; dot && i < LANGUAGE_COUNT; i++)
    if (listed(LANGUAGES[i].endings, dot + 1))
      return &LANGUAGES[i];
  diag_set(diag,
           "%s: its ending tells no language; give --language, or a file "
           "ending in one of:%s",
           path, ENDINGS);
  return NULL;
}
