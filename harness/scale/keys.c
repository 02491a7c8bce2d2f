#include "harness/scale/keys.h"

#include <stddef.h>
#include <string.h>

#define KEY(place, key, kind, child) {place, key, SCALE_##kind, child},
const struct scale_key scale_keys[] = {
#include "harness/scale/keys.def"
    {NULL, NULL, SCALE_UNKNOWN, NULL}};
#undef KEY

static const struct scale_key *find(const char *place, const char *key)
{
  for (const struct scale_key *k = scale_keys; k->key; k++)
    if (strcmp(k->place, place) == 0 && strcmp(k->key, key) == 0)
      return k;
  return NULL;
}

const struct scale_key *scale_key_find(const char *place, const char *key)
{
  const struct scale_key *own = find(place, key);
  return own || strncmp(place, "expect/", 7) != 0 ? own : find("expect", key);
}

bool scale_kind_says(enum scale_kind kind)
{
  return kind == SCALE_SAYS_S || kind == SCALE_SAYS || kind == SCALE_SAYS_MS ||
         kind == SCALE_SAYS_WORDS || kind == SCALE_HEADERS ||
         kind == SCALE_TEXT;
}

bool scale_kind_is_time(enum scale_kind kind)
{
  switch (kind) {
  case SCALE_WAIT_S:
  case SCALE_WAIT_MS:
  case SCALE_REST_S:
  case SCALE_FROM_S:
  case SCALE_SAYS_S:
  case SCALE_SAYS:
  case SCALE_SAYS_MS:
  case SCALE_SAYS_WORDS:
  case SCALE_PER:
  case SCALE_PER_S:
  case SCALE_RATE:
  case SCALE_LIMIT_S:
  case SCALE_LOW:
  case SCALE_HIGH:
  case SCALE_BOUND_S:
  case SCALE_SLACK:
  case SCALE_OWN:
  case SCALE_BLOCKS:
    return true;
  default:
    return false;
  }
}
