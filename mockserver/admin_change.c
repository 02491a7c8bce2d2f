#include "mockserver/admin_priv.h"

#include "base/json.h"
#include "base/param.h"

/* A day, as of a step's own delay. */
#define MAX_DELAY_MS 86400000
/* 2^53: every whole number up to it is exact in JSON's doubles. */
#define MAX_SEED 9007199254740992.0

int admin_bad_json(struct buf *ret, const struct diag *diag)
{
  char text[2048];
  diag_format(diag, text, sizeof text);
  admin_error(ret, 400, text);
  ret->n--; /* the brace: there is more to tell */
  if (diag->line)
    buf_addf(ret, ",\"line\":%d,\"column\":%d", diag->line, diag->column);
  if (diag->path[0]) {
    buf_adds(ret, ",\"path\":");
    buf_add_json(ret, bytes_of(diag->path));
  }
  buf_addc(ret, '}');
  return 400;
}

/* ---- settings ---- */

static const struct param setting_params[] = {
    {.name = "no_faults",
     .type = PARAM_BOOL,
     .summary = "every fault is replaced by a plain reply"},
    {.name = "delay_ms",
     .type = PARAM_INT,
     .min = 0,
     .max = MAX_DELAY_MS,
     .summary = "milliseconds before every answer, besides a step's own"},
    {.name = "allow_force",
     .type = PARAM_BOOL,
     .summary = "requests may ask for a fault by themselves"},
    {.name = "seed",
     .type = PARAM_INT,
     .min = 0,
     .max = MAX_SEED,
     .summary = "start of everything random"},
    {.name = NULL}};

/* All of the object is read before anything is set. */
static int read_settings(const struct json_doc *doc,
                         struct server_settings *ret, struct diag *diag)
{
  static const struct param *const tables[] = {setting_params};
  struct jval root = json_root(doc);
  int64_t seed = 0;
  if (jval_object(&root, diag) < 0 ||
      param_check(&root, tables, 1, NULL, diag) < 0)
    return -1;
  param_bool(root.node, "no_faults", &ret->no_faults);
  param_int(root.node, "delay_ms", &ret->delay_ms);
  param_bool(root.node, "allow_force", &ret->allow_force);
  if (param_int(root.node, "seed", &seed))
    ret->seed = (uint64_t)seed;
  return 0;
}

int admin_post_settings(const struct admin *a, const struct exchange *x,
                        struct buf *ret)
{
  struct json_doc doc;
  struct diag diag = {0};
  struct server_settings wanted = *a->settings;
  int failed = json_parse(&doc, "settings", x->request->body, &diag);
  if (!failed) {
    failed = read_settings(&doc, &wanted, &diag);
    json_release(&doc);
  }
  if (failed)
    return admin_bad_json(ret, &diag);
  a->set(a->server, &wanted);
  return admin_get_settings(a, x, ret);
}

/* ---- the script ---- */

/* Read and checked whole before the old one goes. */
int admin_post_scenarios(const struct admin *a, const struct exchange *x,
                         struct buf *ret)
{
  struct scenario s;
  struct diag diag = {0};
  int failed = scenario_parse(&s, "scenario", x->request->body, &diag);
  metrics_loaded(a->metrics, !failed);
  if (failed)
    return admin_bad_json(ret, &diag);
  buf_adds(ret, "{\"armed\":");
  buf_add_json(ret, bytes_of(s.name));
  buf_addf(ret, ",\"steps\":%zu}", s.nsteps);
  a->arm(a->server, &s);
  return 200;
}

int admin_post_rewind(const struct admin *a, const struct exchange *x,
                      struct buf *ret)
{
  (void)x;
  act_rewind(a->act, a->now_ns);
  buf_adds(ret, "{}");
  return 200;
}

/* ---- the journal ---- */

/* LLMock and aimock say so. */
static const char *reset_word(const struct exchange *x)
{
  return bytes_starts(x->call->path, BYTES("/__admin/")) ? "{}"
                                                         : "{\"reset\":true}";
}

int admin_clear_requests(const struct admin *a, const struct exchange *x,
                         struct buf *ret)
{
  journal_clear(a->journal);
  buf_adds(ret, reset_word(x));
  return 200;
}

int admin_post_reset(const struct admin *a, const struct exchange *x,
                     struct buf *ret)
{
  if (a->metrics)
    metrics_clear(a->metrics);
  if (a->engine)
    engine_clear_counts(a->engine);
  error_queue_release(a->errors);
  return admin_clear_requests(a, x, ret);
}
