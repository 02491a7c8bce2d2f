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

const struct case_name case_names[] = {
#define CASE_NAME(name, check, keys) {#name, #check, keys},
#include "harness/check/case_names.def"
#undef CASE_NAME
    {NULL, NULL, NULL}};

const struct case_name *case_name_find(const char *name)
{
  for (const struct case_name *c = case_names; c->name; c++)
    if (strcmp(c->name, name) == 0)
      return c;
  return NULL;
}
