#include "mockserver/import/format.h"

#include <string.h>

#define FORMAT(name) extern const struct format format_##name;
#include "mockserver/import/formats.def"
#undef FORMAT

const struct format *const formats[] = {
#define FORMAT(name) &format_##name,
#include "mockserver/import/formats.def"
#undef FORMAT
    NULL};

static const char *const names[] = {
#define FORMAT(name) #name,
#include "mockserver/import/formats.def"
#undef FORMAT
    "auto", NULL};

const struct format *format_find(const char *name)
{
  for (const struct format *const *f = formats; *f; f++)
    if (strcmp((*f)->name, name) == 0)
      return *f;
  return NULL;
}

const char *const *format_names(void)
{
  return names;
}

const struct format *format_guess(struct bytes text)
{
  for (const struct format *const *f = formats; *f; f++)
    if ((*f)->fits(text))
      return *f;
  return NULL;
}
