#include "mockserver/scenario.h"

#include "base/param.h"
#include "base/words.h"
#include "mockserver/fault.h"
#include "mockserver/limits.h"
#include "mockserver/port.h"
#include "mockserver/provider/provider.h"
#include "mockserver/scenario_step.h"
#include "mockserver/shape.h"
#include "mockserver/step_when.h"

#include <string.h>

static const char *const after_words[] = {"repeat_last", "reply", "error",
                                          "pass", NULL};

/* 2^53: every whole number up to it is exact in JSON's doubles. */
#define MAX_SEED 9007199254740992.0

static const struct param top_params[] = {
    {.name = "$schema",
     .type = PARAM_STRING,
     .summary = "address of the schema, for editors"},
    {.name = "name",
     .type = PARAM_STRING,
     .required = true,
     .summary = "what the scenario is called"},
    {.name = "why",
     .type = PARAM_STRING,
     .required = true,
     .summary = "what goes wrong in a client that fails it"},
    {.name = "provider",
     .type = PARAM_STRING,
     .summary = "whose API it is about; any (default): that of the request"},
    {.name = "after_script",
     .type = PARAM_WORD,
     .words = after_words,
     .summary = "what calls beyond the script get; default repeat_last"},
    {.name = "port",
     .type = PARAM_VALUE,
     .summary = "what new connections meet for a while: state, after_calls "
                "or from_s, for_s"},
    {.name = "tls",
     .type = PARAM_VALUE,
     .summary = "HTTPS: true, or an object with names and faults"},
    {.name = "seed",
     .type = PARAM_INT,
     .min = 0,
     .max = MAX_SEED,
     .summary = "start of everything random"},
    {.name = NULL}};

/* `steps` is checked here by hand; the others are the harness's. */
static const char *const top_others[] = {
    "steps", "limits", "endpoints", "client", "expect", "sweep", "tags", NULL};

/* Keys of `client` that are looked for at the top. */
static const char *const of_client[] = {"time",  "at",     "limit_s", "copies",
                                        "lanes", "starts", "pause_s", "env",
                                        "files", "args",   "channel", NULL};

static int check_misplaced(const struct jval *root, struct diag *diag)
{
  struct jval v;
  for (const char *const *key = of_client; *key; key++)
    if (jval_member(root, *key, &v))
      return jval_key_error(&v, diag, "'%s' belongs into 'client'", *key);
  return 0;
}

static int check_not_empty(const struct jval *root, const char *key,
                           struct diag *diag)
{
  struct jval v;
  if (!jval_member(root, key, &v) || *v.node->valuestring)
    return 0;
  return jval_error(&v, diag, "must not be empty");
}

static int read_provider(struct scenario *s, const struct jval *root,
                         struct diag *diag)
{
  struct jval v;
  const char *known[32];
  char hint[512];
  size_t n = 0;
  if (!jval_member(root, "provider", &v) ||
      strcmp(v.node->valuestring, "any") == 0)
    return 0;
  s->provider = provider_find(v.node->valuestring);
  if (s->provider)
    return 0;
  known[n++] = "any";
  for (const struct provider *const *p = providers; *p && n < 31; p++)
    known[n++] = (*p)->name;
  known[n] = NULL;
  words_hint(v.node->valuestring, known, hint, sizeof hint);
  return jval_error(&v, diag, "unknown provider '%s'%s", v.node->valuestring,
                    hint);
}

/* No call gets past a step that takes all of them. */
static bool takes_all(const struct step *s)
{
  const struct match *m = &s->match;
  return s->times == INT64_MAX && s->chance <= 0 && !s->command && !s->lane &&
         !m->path && !m->model && m->stream < 0 && m->reused < 0 &&
         !m->header_name && !m->body && !m->endpoint && !m->messages &&
         when_takes_all(&s->when) && !fault_needs_stream(s->fault, s->node);
}

static int read_each_step(struct scenario *s, const struct jval *v,
                          struct diag *diag)
{
  /* along the list: an item by its number is a walk from the front */
  const cJSON *node = v->node->child;
  for (size_t i = 0; i < s->nsteps; i++, node = node->next) {
    struct jval item = {v->doc, node, v, NULL, (int)i};
    if (scenario_step_read(&s->steps[i], &item, (int)i, diag) < 0)
      return -1;
    if (i > 0 && takes_all(&s->steps[i - 1]))
      return jval_error(&item, diag,
                        "is never reached: the step before it is for all "
                        "calls, always");
  }
  return 0;
}

static int read_steps(struct scenario *s, const struct jval *root,
                      struct diag *diag)
{
  struct jval v;
  if (!jval_member(root, "steps", &v) && s->limits)
    return 0;
  if (!jval_member(root, "steps", &v))
    return jval_error(root, diag,
                      "the key 'steps' is missing: what the server does, "
                      "step by step; or 'limits'");
  if (jval_array(&v, diag) < 0)
    return -1;
  s->nsteps = (size_t)jval_count(&v);
  if (s->nsteps == 0 && s->after != AFTER_REPLY && s->after != AFTER_PASS)
    return jval_error(&v, diag,
                      "may be empty only with \"after_script\": \"reply\" "
                      "or \"pass\"");
  s->steps = mem_zalloc((s->nsteps + 1) * sizeof *s->steps);
  return read_each_step(s, &v, diag);
}

static int read_top(struct scenario *s, struct diag *diag)
{
  static const struct param *const tables[] = {top_params};
  struct jval root = json_root(&s->doc);
  int64_t seed = 0;
  if (jval_object(&root, diag) < 0 || check_misplaced(&root, diag) < 0 ||
      param_check(&root, tables, 1, top_others, diag) < 0 ||
      check_not_empty(&root, "name", diag) < 0 ||
      check_not_empty(&root, "why", diag) < 0 ||
      read_provider(s, &root, diag) < 0 ||
      port_read(&root, &s->port, &s->nport, diag) < 0 ||
      tls_config_read(&s->tls, &root, diag) < 0)
    return -1;
  param_string(root.node, "name", &s->name);
  param_string(root.node, "why", &s->why);
  if (param_int(root.node, "seed", &seed))
    s->seed = (uint64_t)seed;
  if (limits_config_read(&s->limits, &root, diag) < 0 ||
      endpoint_config_read(&s->endpoints, &root, diag) < 0)
    return -1;
  s->after = (enum after_script)param_word(
      root.node, "after_script", after_words,
      s->limits ? AFTER_REPLY : AFTER_REPEAT_LAST);
  return read_steps(s, &root, diag);
}

static int finish(struct scenario *ret, struct diag *diag)
{
  if (read_top(ret, diag) == 0)
    return 0;
  diag_in_file(diag, ret->doc.name);
  scenario_release(ret);
  return -1;
}

int scenario_load(struct scenario *ret, const char *path, struct diag *diag)
{
  memset(ret, 0, sizeof *ret);
  if (json_load(&ret->doc, path, diag) < 0)
    return -1;
  return finish(ret, diag);
}

int scenario_parse(struct scenario *ret, const char *name, struct bytes text,
                   struct diag *diag)
{
  memset(ret, 0, sizeof *ret);
  if (json_parse(&ret->doc, name, text, diag) < 0)
    return -1;
  return finish(ret, diag);
}

void scenario_release(struct scenario *s)
{
  for (size_t i = 0; s->steps && i < s->nsteps; i++) {
    shape_free(s->steps[i].shape);
    buf_release(&s->steps[i].file);
  }
  free(s->steps);
  free(s->port);
  limits_config_free(s->limits);
  tls_config_release(&s->tls);
  json_release(&s->doc);
  memset(s, 0, sizeof *s);
}
