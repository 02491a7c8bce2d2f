#include "mockserver/upstream/pass.h"

#include "mockserver/server_priv.h"
#include "mockserver/side.h"
#include "mockserver/upstream/upstream.h"

#include <string.h>

/* A day, as in every step. */
#define MAX_DELAY_MS 86400000

const struct param pass_params[] = {
    {.name = "pass",
     .type = PARAM_BOOL,
     .required = true,
     .summary = "true: the call goes on to the upstream"},
    {.name = "lane",
     .type = PARAM_STRING,
     .summary = "only calls of this lane"},
    {.name = "match",
     .type = PARAM_OBJECT,
     .summary = "only calls that fit: path, model, stream, header, body, "
                "messages"},
    {.name = "delay_ms",
     .type = PARAM_INT,
     .min = 0,
     .max = MAX_DELAY_MS,
     .summary = "milliseconds before the answer goes on"},
    {.name = NULL}};

bool pass_is_wanted(const struct scenario *s)
{
  for (size_t i = 0; i < s->nsteps; i++)
    if (s->steps[i].pass)
      return true;
  return s->after == AFTER_PASS;
}

void pass_adopt(struct scenario *s)
{
  if (!param_has(s->doc.root, "after_script"))
    s->after = AFTER_PASS;
}

static void pass(struct server *s, struct exchange *x)
{
  int64_t ms = 0;
  struct attempt *a = x->attempt;
  a->injected = false;
  snprintf(a->fault, sizeof a->fault, "pass");
  if (!s->o.upstream) {
    side_no_upstream(x);
    return;
  }
  if (x->step && x->step->pass && param_int(x->step->node, "delay_ms", &ms))
    exchange_delay(x, ms * NS_PER_MS);
  upstream_pass(s->o.upstream, x->call, x->request, x->plan, a);
}

bool pass_chosen(struct server *s, struct exchange *x,
                 const struct choice *choice)
{
  bool by_step = choice->step && choice->step->pass;
  if (!by_step && choice->rule != RULE_PASS)
    return false;
  x->step = choice->step;
  if (by_step)
    script_take(x->act->script, choice, x->call->lane);
  pass(s, x);
  return true;
}

bool pass_rest(struct server *s, struct exchange *x)
{
  if (!s->o.upstream)
    return false;
  pass(s, x);
  return true;
}
