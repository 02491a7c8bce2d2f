#include "harness/sweep.h"

#include "harness/report/report.h"

#include <string.h>

void sweep_point_init(struct sweep_point *ret, const struct sweep *s,
                      const char *of, size_t i)
{
  *ret = (struct sweep_point){.of = mem_strdup(of),
                              .path = mem_strdup(s->path),
                              .value = mem_strdup(s->values[i]),
                              .number = i + 1,
                              .points = s->n,
                              .until_missed = s->until_missed};
}

void sweep_point_release(struct sweep_point *p)
{
  free(p->of);
  free(p->path);
  free(p->value);
  memset(p, 0, sizeof *p);
}

void sweep_point_json(const struct sweep_point *p, cJSON *result)
{
  if (!p->of)
    return;
  cJSON *o = cJSON_AddObjectToObject(result, "sweep");
  cJSON_AddStringToObject(o, "of", p->of);
  cJSON_AddStringToObject(o, "path", p->path);
  cJSON_AddItemToObject(o, "value", cJSON_Parse(p->value));
  cJSON_AddNumberToObject(o, "point", (double)p->number);
  cJSON_AddNumberToObject(o, "points", (double)p->points);
  cJSON_AddBoolToObject(o, "until_not_delivered", p->until_missed);
}

/* --- after the run ------------------------------------------------------- */

static const cJSON *sweep_of(const struct result *r)
{
  return param_node(r->json, "sweep");
}

static const char *text_of(const cJSON *sweep, const char *key)
{
  const char *text = "";
  param_string(sweep, key, &text);
  return text;
}

static void set_text(cJSON *object, const char *key, const char *text)
{
  cJSON_DeleteItemFromObject(object, key);
  cJSON_AddStringToObject(object, key, text);
}

static void make_skip(struct result *r, const char *why)
{
  r->verdict = VERDICT_SKIP;
  r->kind = KIND_NONE;
  free(r->reason);
  r->reason = mem_strdup(why);
  set_text(r->json, "verdict", verdict_name(r->verdict));
  set_text(r->json, "kind", kind_name(r->kind));
  set_text(r->json, "reason", why);
}

static bool found_nothing(const struct result *r)
{
  return r->verdict == VERDICT_INCONCLUSIVE && r->kind == KIND_NOT_DELIVERED;
}

/* Only behind a point whose fault was sent: a sweep that harms nothing at all
 * proves nothing. */
static void end_sweep(struct result *r, size_t n)
{
  bool until = false, ended = false;
  param_bool(sweep_of(r), "until_not_delivered", &until);
  for (size_t i = 1; until && i < n; i++) {
    ended |= found_nothing(&r[i]) && !found_nothing(&r[i - 1]);
    if (ended && found_nothing(&r[i]))
      make_skip(&r[i], "the sweep has ended: the fault finds nothing to harm");
  }
}

static bool is_bad(const struct result *r)
{
  return r->verdict == VERDICT_FAIL || r->verdict == VERDICT_INCONCLUSIVE;
}

static void note(struct result *r, char *text)
{
  cJSON *notes = cJSON_GetObjectItem(r->json, "notes");
  if (!notes)
    notes = cJSON_AddArrayToObject(r->json, "notes");
  cJSON_AddItemToArray(notes, cJSON_CreateString(text));
  free(text);
}

/* In the order of the sweep the first is the smallest. */
static void mark_first_bad(struct result *r, size_t n)
{
  size_t bad = 0, first = n;
  for (size_t i = n; i-- > 0;) {
    if (!is_bad(&r[i]))
      continue;
    bad++;
    first = i;
  }
  if (first == n)
    return;
  const cJSON *sweep = sweep_of(&r[first]);
  char *value = cJSON_PrintUnformatted(param_node(sweep, "value"));
  cJSON_AddBoolToObject(cJSON_GetObjectItem(r[first].json, "sweep"),
                        "first_bad", true);
  note(&r[first],
       mem_format("first bad point of %s: %s = %s (%zu of %zu points are bad)",
                  text_of(sweep, "of"), text_of(sweep, "path"), value, bad, n));
  cJSON_free(value);
}

void sweep_settle(struct run_report *run)
{
  for (size_t i = 0, n = 0; i < run->n; i += n) {
    const char *of = text_of(sweep_of(&run->results[i]), "of");
    n = 1;
    while (*of && i + n < run->n &&
           strcmp(text_of(sweep_of(&run->results[i + n]), "of"), of) == 0)
      n++;
    if (!*of)
      continue;
    end_sweep(&run->results[i], n);
    mark_first_bad(&run->results[i], n);
  }
}
