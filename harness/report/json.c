/*
 * The JSON report (docs/report.schema.json): everything that is known, for
 * programs; the mutation gate reads it. It is printed by hand and not by
 * cJSON, which copies bytes that are no UTF-8 into the text as they are.
 */
#include "harness/report/report.h"

#include <math.h>

static void add_string(struct buf *out, const char *s)
{
  buf_add_json(out, bytes_of(s ? s : ""));
}

static void add_number(struct buf *out, double d)
{
  if (!isfinite(d))
    buf_adds(out, "null");
  else if (fabs(d) < 9007199254740992.0 && d == floor(d)) /* 2^53 */
    buf_addf(out, "%.0f", d);
  else
    buf_addf(out, "%.17g", d);
}

static void add_node(struct buf *out, const cJSON *node);

static void add_children(struct buf *out, const cJSON *node)
{
  bool object = cJSON_IsObject(node);
  const cJSON *child = NULL;
  buf_addc(out, object ? '{' : '[');
  cJSON_ArrayForEach(child, node)
  {
    if (child != node->child)
      buf_addc(out, ',');
    if (object) {
      add_string(out, child->string);
      buf_addc(out, ':');
    }
    add_node(out, child);
  }
  buf_addc(out, object ? '}' : ']');
}

/* As deep as the parser went at most: CJSON_NESTING_LIMIT. */
static void add_node(struct buf *out, const cJSON *node)
{
  if (cJSON_IsObject(node) || cJSON_IsArray(node))
    add_children(out, node);
  else if (cJSON_IsString(node))
    add_string(out, node->valuestring);
  else if (cJSON_IsNumber(node))
    add_number(out, node->valuedouble);
  else if (cJSON_IsRaw(node)) /* JSON that was printed before */
    buf_adds(out, node->valuestring);
  else if (cJSON_IsBool(node))
    buf_adds(out, cJSON_IsTrue(node) ? "true" : "false");
  else
    buf_adds(out, "null");
}

static void add_list(const char *const *words, struct buf *out)
{
  buf_addc(out, '[');
  for (size_t i = 0; words && words[i]; i++) {
    if (i)
      buf_addc(out, ',');
    add_string(out, words[i]);
  }
  buf_addc(out, ']');
}

static void add_counts(const struct run_report *run, struct buf *out)
{
  buf_addc(out, '{');
  for (int v = 0; v < NVERDICTS; v++)
    buf_addf(out, "%s\"%s\":%zu", v ? "," : "", verdict_name((enum verdict)v),
             run_count(run, (enum verdict)v));
  buf_addc(out, '}');
}

static void print(const struct run_report *run, struct buf *out)
{
  buf_adds(out, "{\"faultwire\":");
  add_string(out, run_version(run));
  buf_adds(out, ",\n\"client\":");
  add_list(run->client, out);
  buf_addf(out, ",\n\"seed\":%llu,\n\"seconds\":%.3f,\n\"scenarios\":[",
           (unsigned long long)run->seed, run->seconds);
  for (size_t i = 0; i < run->n; i++) {
    buf_adds(out, i ? ",\n" : "\n");
    add_node(out, run->results[i].json);
  }
  buf_adds(out, "],\n\"counts\":");
  add_counts(run, out);
  if (run->notes && run->notes[0]) {
    buf_adds(out, ",\n\"notes\":");
    add_list(run->notes, out);
  }
  buf_addf(out, ",\n\"exit\":%d}\n", run->exit_code);
}

const struct report report_json = {
    .name = "json",
    .summary = "everything that is known: checks, attempts, starts, "
               "transcript (docs/report.schema.json)",
    .print = print};
