#include "mockserver/fault.h"

#include <string.h>

#define FAULT(name) extern const struct fault fault_##name;
#include "mockserver/faults.def"
#undef FAULT

const struct fault *const faults[] = {
#define FAULT(name) &fault_##name,
#include "mockserver/faults.def"
#undef FAULT
    NULL};

const struct fault *fault_find(const char *name)
{
  for (const struct fault *const *f = faults; *f; f++)
    if (strcmp((*f)->name, name) == 0)
      return *f;
  return NULL;
}

bool fault_needs_stream(const struct fault *f, const cJSON *step)
{
  return f->step_needs_stream ? f->step_needs_stream(step) : f->needs_stream;
}
