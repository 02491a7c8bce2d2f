#include "harness/check/all.h"

#include <string.h>

const struct check *const checks[] = {
#define CHECK(name) &check_##name,
#include "harness/checks.def"
#undef CHECK
    NULL};

const struct check *check_find(const char *name)
{
  for (size_t i = 0; checks[i]; i++)
    if (strcmp(checks[i]->name, name) == 0)
      return checks[i];
  return NULL;
}
