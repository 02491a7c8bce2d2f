#include "harness/scale/apply.h"

#include <string.h>

void scale_item(struct suite_item *item, const struct scale_options *o)
{
  struct diag diag = {0};
  struct scaled *s = &item->scaled;
  char text[1000];
  scale_scenario(s, &item->scenario, &item->spec, o);
  if (s->skip || !s->text)
    return;
  if (suite_reload(item, s->text, &diag) == 0)
    return;
  diag_format(&diag, text, sizeof text);
  s->skip = mem_format("cannot be scaled: %s", text);
}

static void set(cJSON *object, const char *key, const char *text)
{
  cJSON_ReplaceItemInObjectCaseSensitive(object, key, cJSON_CreateString(text));
}

cJSON *scale_skipped(const struct scaled *s, const struct judge_names *names,
                     const char *why)
{
  cJSON *result = judge_harness_error(names, why, s->skip);
  set(result, "verdict", verdict_name(VERDICT_SKIP));
  set(result, "kind", kind_name(KIND_NONE));
  scaled_add(s, result);
  return result;
}
