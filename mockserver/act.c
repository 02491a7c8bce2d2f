#include "mockserver/act.h"

#include "mockserver/fault.h"
#include "mockserver/provider/provider.h"

#include <string.h>

bool act_step_is_early(const struct step *step)
{
  bool early = false;
  param_bool(step->node, "early", &early);
  return early ||
         (step->fault->step_is_early && step->fault->step_is_early(step->node));
}

/* What is asked of every call, so that it is asked of the script only when
 * some step wants to know. */
static void look_at_steps(struct act *a)
{
  const struct scenario *s = a->scenario;
  for (size_t i = 0; s && i < s->nsteps; i++) {
    a->any_early |= act_step_is_early(&s->steps[i]);
    a->any_talk |= s->steps[i].match.messages != NULL;
  }
}

static void begin(struct act *a, struct clock *clock, uint64_t seed)
{
  static const struct endpoint_config plain = {.batch_polls = 1, .nresults = 1};
  const struct scenario *s = a->scenario;
  a->script = script_new(s);
  script_seed(a->script, seed);
  a->barriers = barriers_new();
  a->store = endpoint_store_new(s ? &s->endpoints : &plain);
  a->limits = limit_gate_new(s ? s->limits : NULL, clock);
  a->fallback = s && s->provider ? s->provider : providers[0];
  a->ncaches = s ? s->nsteps : 0;
  a->caches = mem_zalloc((a->ncaches + 1) * sizeof *a->caches);
  for (size_t i = 0; i < a->ncaches; i++)
    answer_cache_init(&a->caches[i]);
  look_at_steps(a);
}

struct act *act_new(const struct scenario *scenario, struct clock *clock,
                    uint64_t seed)
{
  struct act *a = mem_zalloc(sizeof *a);
  a->scenario = scenario;
  begin(a, clock, seed);
  return a;
}

struct act *act_new_owning(struct scenario *scenario, struct clock *clock,
                           uint64_t seed)
{
  struct act *a = mem_zalloc(sizeof *a);
  a->owned = *scenario;
  a->owns = true;
  memset(scenario, 0, sizeof *scenario);
  a->scenario = &a->owned;
  begin(a, clock, seed);
  return a;
}

void act_free(struct act *a)
{
  if (!a)
    return;
  for (size_t i = 0; i < a->ncaches; i++)
    answer_cache_release(&a->caches[i]);
  free(a->caches);
  barriers_free(a->barriers);
  limit_gate_free(a->limits);
  endpoint_store_free(a->store);
  script_free(a->script);
  if (a->owns)
    scenario_release(&a->owned);
  free(a);
}

void act_rewind(struct act *a, int64_t now_ns)
{
  barriers_rewind(a->barriers, now_ns);
  limit_gate_rewind(a->limits);
  endpoint_store_clear(a->store);
  a->calls = 0;
  script_rewind(a->script);
}
