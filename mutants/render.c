#include "mutants/render.h"

#include "base/words.h"

#include <string.h>

const struct render RENDERS[] = {
#define RENDER(name, function, summary) {name, summary, function},
#include "mutants/renders.def"
#undef RENDER
    {NULL, NULL, NULL}};

static const char *const NAMES[] = {
#define RENDER(name, function, summary) name,
#include "mutants/renders.def"
#undef RENDER
    NULL};

const struct render *render_find(const char *name, struct diag *diag)
{
  char hint[256];
  for (const struct render *r = RENDERS; r->name; r++)
    if (strcmp(r->name, name) == 0)
      return r;
  words_hint(name, NAMES, hint, sizeof hint);
  diag_set(diag, "unknown form '%s'%s", name, hint);
  return NULL;
}
