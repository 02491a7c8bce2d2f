#include "harness/explain_part.h"

#include "harness/report/escape.h"
#include "mockserver/limits.h"

static void add_bucket(const struct limit_rule *rule, const cJSON *node,
                       struct buf *out)
{
  const struct param *tables[] = {limit_bucket_params};
  const cJSON *key = NULL;
  buf_adds(out, "     ");
  escape_line(out, rule->name);
  buf_addc(out, '\n');
  cJSON_ArrayForEach(key, node)
  {
    explain_key(key, explain_find(tables, 1, key->string), out);
  }
}

void explain_limits(const struct scenario *s, struct buf *out)
{
  const struct param *tables[] = {limits_params};
  const cJSON *node = param_node(s->doc.root, "limits");
  const cJSON *key = NULL, *bucket = param_node(node, "buckets");
  if (!s->limits)
    return;
  buf_adds(out, "  the limiter, which every call meets that no fault "
                "answers:\n");
  for (size_t i = 0; i < s->limits->nrules; i++)
    add_bucket(&s->limits->rules[i], cJSON_GetArrayItem(bucket, (int)i), out);
  cJSON_ArrayForEach(key, node)
  {
    if (key != bucket)
      explain_key(key, explain_find(tables, 1, key->string), out);
  }
}
