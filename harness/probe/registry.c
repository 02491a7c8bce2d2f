#include "harness/probe/probe.h"

#include <string.h>

#define PROBE(name) extern const struct probe probe_##name;
#include "harness/probe/probes.def"
#undef PROBE

#define PROBE(name) &probe_##name,
const struct probe *const probes[] = {
#include "harness/probe/probes.def"
    NULL};
#undef PROBE

const struct probe *probe_find(const char *name)
{
  for (size_t i = 0; probes[i]; i++)
    if (strcmp(probes[i]->name, name) == 0)
      return probes[i];
  return NULL;
}
