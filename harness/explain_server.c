#include "harness/explain_part.h"

#include "base/words.h"
#include "harness/report/escape.h"
#include "mockserver/fault.h"
#include "mockserver/provider/provider.h"
#include "mockserver/scenario_step.h"

#include <inttypes.h>
#include <string.h>

const struct param *explain_find(const struct param *const *tables, int ntables,
                                 const char *key)
{
  for (int t = 0; t < ntables; t++)
    for (const struct param *p = tables[t]; p && p->name; p++)
      if (strcmp(p->name, key) == 0)
        return p;
  return NULL;
}

void explain_key(const cJSON *node, const struct param *p, struct buf *out)
{
  char *value = cJSON_PrintUnformatted(node);
  buf_addf(out, "       %s = ", node->string);
  escape_line(out, value);
  if (p)
    buf_addf(out, "   (%s)", p->summary);
  buf_addc(out, '\n');
  cJSON_free(value);
}

/* Calls are numbered only while each step takes whatever comes next. */
static bool is_plain_row(const struct scenario *s)
{
  for (size_t i = 0; i < s->nsteps; i++)
    if (s->steps[i].lane || param_has(s->steps[i].node, "match"))
      return false;
  return true;
}

static void add_numbered(const struct step *step, int64_t first,
                         struct buf *out)
{
  if (step->times == INT64_MAX)
    buf_addf(out, "call %" PRId64 " and every call after it", first);
  else if (step->times == 1)
    buf_addf(out, "call %" PRId64, first);
  else
    buf_addf(out, "calls %" PRId64 " to %" PRId64, first,
             first + step->times - 1);
}

static void add_chosen(const struct step *step, struct buf *out)
{
  const cJSON *match = param_node(step->node, "match");
  if (step->times == INT64_MAX)
    buf_adds(out, "every call");
  else
    buf_addf(out, "the next %" PRId64 " call%s", step->times,
             step->times == 1 ? "" : "s");
  if (step->lane) {
    buf_adds(out, " of lane ");
    escape_line(out, step->lane);
  }
  if (match) {
    char *text = cJSON_PrintUnformatted(match);
    buf_adds(out, " that fit ");
    escape_line(out, text);
    cJSON_free(text);
  }
}

static void add_keys(const struct step *step, struct buf *out)
{
  static const char *const said[] = {"fault", "reply", "times",
                                     "lane",  "match", NULL};
  const struct param *tables[] = {step->fault->params, reply_params,
                                  step_params};
  const cJSON *node = NULL;
  cJSON_ArrayForEach(node, step->node)
  {
    if (!words_has(said, node->string))
      explain_key(node, explain_find(tables, 3, node->string), out);
  }
}

/* Moves *next behind the calls the step takes. */
static void add_step(const struct step *step, bool numbered, int64_t *next,
                     struct buf *out)
{
  buf_addf(out, "  %d. ", step->index + 1);
  if (numbered)
    add_numbered(step, *next, out);
  else
    add_chosen(step, out);
  if (step->times != INT64_MAX)
    *next += step->times;
  if (param_has(step->node, "reply"))
    buf_adds(out, ": the provider's plain answer\n");
  else
    buf_addf(out, ": %s\n       %s\n", step->fault->name, step->fault->summary);
  add_keys(step, out);
}

/* Nothing is left for it when a step takes every call. */
static bool never_ends(const struct scenario *s, bool numbered)
{
  for (size_t i = 0; i < s->nsteps; i++)
    if (s->steps[i].times == INT64_MAX && numbered)
      return true;
  return false;
}

static const char *after_sentence(const struct scenario *s)
{
  switch (s->after) {
  case AFTER_REPEAT_LAST:
    return s->nsteps ? "the last step that fits again"
                     : "the provider's plain answer";
  case AFTER_REPLY:
    return "the provider's plain answer";
  case AFTER_ERROR:
    return "an error that says the script is over";
  }
  return "";
}

void explain_server(const struct scenario *s, struct buf *out)
{
  bool numbered = is_plain_row(s);
  int64_t next = 1;
  if (s->provider)
    buf_addf(out, "the server (%s; calls of another provider get its 404)\n",
             s->provider->name);
  else
    buf_adds(out, "the server (as the provider whose path is called)\n");
  for (size_t i = 0; i < s->nsteps; i++)
    add_step(&s->steps[i], numbered, &next, out);
  if (!never_ends(s, numbered))
    buf_addf(out, "  then, for calls beyond the script: %s\n",
             after_sentence(s));
  buf_adds(out, "  Each lane walks the script on its own; requests that are "
                "no calls (token\n  counts, lists of models) take no step.\n");
}
