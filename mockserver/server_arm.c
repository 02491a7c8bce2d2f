#include "mockserver/server_priv.h"

#include "mockserver/admin.h"
#include "mockserver/upstream/pass.h"

#include <string.h>

struct server *server_new(const struct server_options *o)
{
  struct server *s = mem_zalloc(sizeof *s);
  s->o = *o;
  s->settings = (struct server_settings){.no_faults = o->no_faults,
                                         .allow_force = o->allow_force,
                                         .seed = o->seed};
  s->act = act_new(o->scenario, o->clock, o->seed);
  s->act->number = s->armed = 1;
  s->none = fault_find("none");
  ids_init(&s->ids, o->seed);
  s->force = force_new(o->clock);
  error_queue_init(&s->errors);
  s->retry_tests = retry_tests_new();
  if (o->admin) {
    s->metrics = metrics_new();
    metrics_arm(s->metrics, o->scenario);
  }
  return s;
}

void server_free(struct server *s)
{
  if (!s)
    return;
  while (s->retired) {
    struct act *a = s->retired;
    s->retired = a->next;
    act_free(a);
  }
  act_free(s->act);
  force_free(s->force);
  error_queue_release(&s->errors);
  retry_tests_free(s->retry_tests);
  metrics_free(s->metrics);
  free(s);
}

void server_set_engine(struct server *s, struct engine *e)
{
  s->engine = e;
}

const struct scenario *server_scenario(const struct server *s)
{
  return s->act->scenario;
}

uint64_t server_step_uses(const struct server *s, size_t i)
{
  return script_uses(s->act->script, i);
}

struct script *server_script(struct server *s)
{
  return s->act->script;
}

struct barriers *server_barriers(struct server *s)
{
  return s->act->barriers;
}

bool server_no_faults(const struct server *s)
{
  return s->settings.no_faults;
}

const struct tls_fault *server_tls_fault(void *arg)
{
  struct server *s = arg;
  const struct scenario *scenario = s->act->scenario;
  s->handshakes++;
  if (!scenario || s->settings.no_faults)
    return NULL;
  return tls_config_fault(&scenario->tls, s->handshakes);
}

void server_rewind(struct server *s)
{
  s->handshakes = 0;
  act_rewind(s->act, clock_now_ns(s->o.clock));
}

/* ---- another scenario ---- */

void server_sweep(struct server *s)
{
  for (struct act **at = &s->retired; *at;) {
    struct act *a = *at;
    if (a->open) {
      at = &a->next;
      continue;
    }
    *at = a->next;
    act_free(a);
  }
}

static void reseed(struct server *s, uint64_t seed)
{
  s->settings.seed = seed;
  ids_init(&s->ids, seed);
  script_seed(s->act->script, seed);
}

void server_arm(struct server *s, struct scenario *scenario)
{
  if (s->o.provider)
    scenario->provider = s->o.provider;
  if (s->o.upstream)
    pass_adopt(scenario);
  uint64_t seed = s->o.keeps_seed ? s->settings.seed : scenario->seed;
  struct act *a = act_new_owning(scenario, s->o.clock, seed);
  a->number = ++s->armed;
  s->handshakes = 0;
  s->act->next = s->retired;
  s->retired = s->act;
  s->act = a;
  reseed(s, seed);
  if (s->metrics)
    metrics_arm(s->metrics, a->scenario);
  if (s->o.armed)
    s->o.armed(s->o.armed_arg, a->scenario);
}

void server_count_load(struct server *s, bool well)
{
  metrics_loaded(s->metrics, well);
}

struct act *server_hold(struct server *s)
{
  s->act->open++;
  return s->act;
}

void server_let_go(struct server *s, struct act *a)
{
  (void)s; /* swept with the next request */
  a->open--;
}

/* NULL: swept already, which no open call lets happen. */
static struct act *act_of(struct server *s, uint64_t number)
{
  if (s->act->number == number)
    return s->act;
  for (struct act *a = s->retired; a; a = a->next)
    if (a->number == number)
      return a;
  return NULL;
}

void server_ended(void *arg, const struct attempt *a)
{
  struct server *s = arg;
  struct act *act = act_of(s, a->script);
  if (act) {
    act->open--;
    limit_gate_ended(act->limits, a);
  }
  retry_tests_ended(s->retry_tests, a);
  if (s->metrics)
    metrics_ended(s->metrics, a, clock_now_ns(s->o.clock));
}

void server_count_start(struct server *s, const struct attempt *a)
{
  if (s->metrics)
    metrics_ended(s->metrics, a, clock_now_ns(s->o.clock));
}

/* ---- the admin's view ---- */

static void set_all(void *arg, const struct server_settings *wanted)
{
  struct server *s = arg;
  bool other = wanted->seed != s->settings.seed;
  s->settings = *wanted;
  if (!other)
    return;
  s->o.keeps_seed = true;
  reseed(s, wanted->seed);
}

static void arm(void *arg, struct scenario *scenario)
{
  server_arm(arg, scenario);
}

void server_answer_admin(struct server *s, struct exchange *x)
{
  struct admin a = {.journal = s->o.journal,
                    .act = s->act,
                    .settings = &s->settings,
                    .set = set_all,
                    .arm = arm,
                    .server = s,
                    .engine = s->engine,
                    .metrics = s->metrics,
                    .force = s->force,
                    .errors = &s->errors,
                    .retry_tests = s->retry_tests,
                    .token = s->o.admin_token,
                    .now_ns = clock_now_ns(s->o.clock)};
  admin_answer(x, &a);
}
