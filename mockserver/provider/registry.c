#include "mockserver/provider/provider.h"

#include <string.h>

#define PROVIDER(name) extern const struct provider provider_##name;
#include "mockserver/providers.def"
#undef PROVIDER

const struct provider *const providers[] = {
#define PROVIDER(name) &provider_##name,
#include "mockserver/providers.def"
#undef PROVIDER
    NULL};

const struct provider *provider_find(const char *name)
{
  for (const struct provider *const *p = providers; *p; p++)
    if (strcmp((*p)->name, name) == 0)
      return *p;
  return NULL;
}

static bool is_also(const char *also, const char *name)
{
  size_t n = strlen(name);
  for (const char *word = also; word && *word;) {
    size_t len = strcspn(word, " ");
    if (len == n && strncmp(word, name, n) == 0)
      return true;
    word += len + (word[len] == ' ');
  }
  return false;
}

const struct provider_error *provider_error_find(const struct provider *p,
                                                 const char *name)
{
  const struct provider_error *e = p->errors;
  for (; e->name; e++)
    if (strcmp(e->name, name) == 0 || is_also(e->also, name))
      return e;
  return NULL;
}
