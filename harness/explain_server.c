#include "harness/explain_part.h"

#include "base/words.h"
#include "harness/report/escape.h"
#include "mockserver/command/step.h"
#include "mockserver/fault.h"
#include "mockserver/provider/provider.h"
#include "mockserver/scenario_step.h"
#include "mockserver/step_body.h"
#include "mockserver/step_when.h"

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

static bool same_target(const struct step *a, const struct step *b)
{
  if (!a->command || !b->command)
    return a->command == b->command;
  return strcmp(a->command, b->command) == 0;
}

/* Calls are numbered only while each step takes whatever comes next. */
static bool is_plain_row(const struct scenario *s)
{
  for (size_t i = 0; i < s->nsteps; i++)
    if (s->steps[i].lane || !when_takes_all(&s->steps[i].when) ||
        s->steps[i].shared || s->steps[i].chance > 0 ||
        !same_target(&s->steps[i], &s->steps[0]) ||
        param_has(s->steps[i].node, "match"))
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

/* "from call 2 to 4", "from 1.5 s" and the like, each with a blank in front. */
static void add_when(const struct when *w, struct buf *out)
{
  if (w->first == w->last)
    buf_addf(out, " with the number %" PRId64, w->first);
  else if (w->last != INT64_MAX)
    buf_addf(out, " from number %" PRId64 " to %" PRId64, w->first, w->last);
  else if (w->first > 1)
    buf_addf(out, " from number %" PRId64 " on", w->first);
  if (w->from_ns)
    buf_addf(out, ", from %.15g s on", (double)w->from_ns / 1e9);
  if (w->until_ns != INT64_MAX)
    buf_addf(out, ", until %.15g s", (double)w->until_ns / 1e9);
}

static void add_chosen(const struct step *step, struct buf *out)
{
  const cJSON *match = param_node(step->node, "match");
  if (step->times == INT64_MAX && step->chance > 0)
    buf_addf(out, "%.15g of 100 calls", 100 * step->chance);
  else if (step->times == INT64_MAX)
    buf_adds(out, "every call");
  else
    buf_addf(out, "the next %" PRId64 " call%s", step->times,
             step->times == 1 ? "" : "s");
  add_when(&step->when, out);
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
  static const char *const said[] = {
      "fault",    "reply", "times",  "lane",    "match",  "command", "says",
      "attempts", "pass",  "from_s", "until_s", "chance", NULL};
  const struct param *tables[STEP_TABLES];
  int n = step_tables_of(step->fault, tables);
  static const struct param *const commands[] = {command_params, when_params};
  const cJSON *node = NULL;
  cJSON_ArrayForEach(node, step->node)
  {
    if (!words_has(said, node->string))
      explain_key(node,
                  step->command ? explain_find(commands, 2, node->string)
                                : explain_find(tables, n, node->string),
                  out);
  }
}

static void add_command(const struct step *step, struct buf *out)
{
  const char *says = NULL;
  buf_adds(out, ": the stand-in ");
  escape_line(out, step->command);
  if (param_string(step->node, "says", &says)) {
    buf_adds(out, " says ");
    escape_line(out, says);
    buf_addf(out, "\n       its text: faultwire explain command %s",
             step->command);
  } else if (!step->faulty) {
    buf_adds(out, " answers that all is well");
  } else {
    buf_adds(out, " does what follows");
  }
  buf_addc(out, '\n');
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
  if (step->command)
    add_command(step, out);
  else if (step->pass)
    buf_adds(out, ": goes on to the real API (serve --upstream)\n");
  else if (param_has(step->node, "reply"))
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
  case AFTER_PASS:
    return "what the real API answers (serve --upstream)";
  }
  return "";
}

static bool only_commands(const struct scenario *s)
{
  for (size_t i = 0; i < s->nsteps; i++)
    if (!s->steps[i].command)
      return false;
  return s->nsteps > 0;
}

void explain_server(const struct scenario *s, struct buf *out)
{
  bool numbered = is_plain_row(s);
  int64_t next = 1;
  if (only_commands(s))
    buf_adds(out, "the commands (stand-ins, first on PATH; each start is a "
                  "call)\n");
  else if (s->provider)
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
