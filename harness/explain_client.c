#include "harness/explain_part.h"

#include "base/clock.h"
#include "base/number.h"
#include "base/words.h"
#include "harness/check/check.h"
#include "harness/expr.h"
#include "harness/report/escape.h"

#include <string.h>

#define MAX_NOTES_BYTES ((size_t)4096)

static bool number_of(const cJSON *node, double *ret)
{
  if (cJSON_IsNumber(node)) {
    *ret = node->valuedouble;
    return true;
  }
  return cJSON_IsString(node) &&
         number_decimal(bytes_of(node->valuestring), 0, 1e9, ret) == NUMBER_OK;
}

/* retry_after stands for the first step that says it in seconds; the run
 * takes the one of the answer before the gap. */
static struct expr_vars vars_of(const struct scenario *s,
                                const struct policy *policy)
{
  struct expr_vars vars = {.policy = policy, .step = -1, .attempt = 1};
  for (size_t i = 0; i < s->nsteps && !vars.has_retry_after; i++) {
    const cJSON *node = param_node(s->steps[i].node, "retry_after");
    if (!number_of(node, &vars.retry_after_s))
      continue;
    vars.has_retry_after = true;
    vars.step = (int)i;
    vars.retry_after_text = cJSON_IsString(node) ? node->valuestring : NULL;
  }
  return vars;
}

/* A bare name has nothing to add: "policy.attempts = 4" is all. */
static bool says_more(const struct buf *notes, const cJSON *node)
{
  struct bytes name = bytes_of(node->valuestring);
  return notes->n > 0 && !bytes_starts(buf_bytes(notes), name);
}

/* " = 6 (steps[0].retry_after = "2", policy.slack = 4 s)" */
static void add_value(const cJSON *node, const struct expr_vars *vars,
                      struct buf *out)
{
  struct buf notes;
  char why[256] = "";
  double value = 0;
  buf_init(&notes, MAX_NOTES_BYTES);
  if (expr_eval_node(node, vars, &notes, &value, why, sizeof why) == EXPR_OK)
    buf_addf(out, " = %g", value);
  else
    buf_addf(out, " (%s)", why);
  if (!why[0] && says_more(&notes, node)) {
    buf_adds(out, " (");
    escape_line(out, buf_str(&notes));
    buf_addc(out, ')');
  }
  buf_release(&notes);
}

static void add_expression(const cJSON *node, const struct param *p,
                           const struct expr_vars *vars, struct buf *out)
{
  buf_addf(out, "       %s ", node->string);
  escape_line(out, node->valuestring);
  add_value(node, vars, out);
  buf_addf(out, "   (%s)\n", p->summary);
}

static void add_keys(const struct expect *x, const struct expr_vars *vars,
                     struct buf *out)
{
  static const char *const said[] = {"check", "lane", "level",
                                     "needs", "why",  NULL};
  const struct param *tables[] = {x->check->params};
  const cJSON *node = NULL;
  cJSON_ArrayForEach(node, x->node)
  {
    const struct param *p = explain_find(tables, 1, node->string);
    if (words_has(said, node->string))
      continue;
    if (p && p->type == PARAM_EXPR && cJSON_IsString(node))
      add_expression(node, p, vars, out);
    else
      explain_key(node, p, out);
  }
}

/* Names the policy lacks make the check a skip. */
static void add_needs(const struct expect *x, const struct policy *policy,
                      struct buf *out)
{
  const cJSON *item = NULL;
  cJSON_ArrayForEach(item, param_node(x->node, "needs"))
  {
    buf_addf(out, "       only with a policy that has %s%s\n",
             item->valuestring,
             policy_has(policy, item->valuestring) ? " (yours has)"
             : policy->file                        ? " (yours has not: skipped)"
                                                   : "");
  }
}

static void add_expect(const struct expect *x, const struct expr_vars *vars,
                       struct buf *out)
{
  const char *why = NULL;
  buf_addf(out, "  - %s", x->check->name);
  if (x->lane) {
    buf_adds(out, ", lane ");
    escape_line(out, x->lane);
  }
  buf_addf(out, "%s: %s\n", x->should ? " (should: a miss is a warning)" : "",
           x->check->summary);
  if (param_string(x->node, "why", &why)) {
    buf_adds(out, "       ");
    escape_line(out, why);
    buf_addc(out, '\n');
  }
  add_keys(x, vars, out);
  add_needs(x, vars->policy, out);
}

static void add_lanes(const struct spec *spec, struct buf *out)
{
  if (spec->nlanes == 1 && spec->lanes[0][0] == '\0')
    return;
  buf_addf(out, "  %zu copies run in parallel, one per lane:", spec->nlanes);
  for (size_t i = 0; i < spec->nlanes; i++) {
    buf_adds(out, i ? ", " : " ");
    escape_line(out, spec->lanes[i]);
  }
  buf_addc(out, '\n');
}

static void add_extras(const cJSON *client, struct buf *out)
{
  static const char *const keys[] = {"env", "files", "args", NULL};
  for (size_t i = 0; keys[i]; i++)
    if (param_has(client, keys[i]))
      explain_key(param_node(client, keys[i]),
                  explain_find((const struct param *const[]){client_params}, 1,
                               keys[i]),
                  out);
}

static void add_time(const struct spec *spec, struct buf *out)
{
  static const char *const words[] = {
      [TIME_REAL] = "  never in virtual time\n",
      [TIME_VIRTUAL] = "  in virtual time, and skipped where there is none\n",
      [TIME_SCALED] = "  in real time, with long waits told shorter\n",
      [TIME_AUTO] = "  in virtual time where there is one, else scaled\n",
      [TIME_UNSAID] = ""};
  char date[21];
  buf_adds(out, words[spec->time]);
  if (!spec->at.said)
    return;
  clock_rfc3339(spec->at.ns / NS_PER_S, date);
  buf_addf(out, "  the wall clock begins at %s, in virtual time\n", date);
}

void explain_client(const struct scenario *s, const struct spec *spec,
                    const struct policy *policy, struct buf *out)
{
  struct expr_vars vars = vars_of(s, policy);
  buf_addf(out, "\nthe client\n  is started %s",
           spec->starts == 1 ? "once" : "again and again: ");
  if (spec->starts > 1)
    buf_addf(out, "%d times, with the same HOME", spec->starts);
  buf_addf(out,
           ", should make a %s call, and is ended\n  %g s after its first "
           "request if it still runs\n",
           spec->stream ? "streamed" : "plain", spec->limit_s);
  add_time(spec, out);
  add_lanes(spec, out);
  add_extras(param_node(s->doc.root, "client"), out);
  buf_adds(out, spec->nexpects ? "\na right client\n"
                               : "\nnothing is asked of the client\n");
  for (size_t i = 0; i < spec->nexpects; i++)
    add_expect(&spec->expects[i], &vars, out);
}
