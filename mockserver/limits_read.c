#include "mockserver/limits.h"

#include "mockserver/step_check.h"

#include <stdio.h>
#include <string.h>

static const char *const of_words[] = {[LIMIT_REQUESTS] = "requests",
                                       [LIMIT_INPUT_TOKENS] = "input_tokens",
                                       [LIMIT_OUTPUT_TOKENS] = "output_tokens",
                                       [LIMIT_TOKENS] = "tokens",
                                       [LIMIT_OFS] = NULL};
static const char *const per_words[] = {[LIMIT_SECOND] = "second",
                                        [LIMIT_MINUTE] = "minute",
                                        [LIMIT_HOUR] = "hour",
                                        [LIMIT_DAY] = "day",
                                        [LIMIT_DAY + 1] = NULL};
static const int64_t per_us[] = {[LIMIT_SECOND] = 1000000,
                                 [LIMIT_MINUTE] = INT64_C(60000000),
                                 [LIMIT_HOUR] = INT64_C(3600000000),
                                 [LIMIT_DAY] = INT64_C(86400000000)};
static const char *const window_words[] = {
    [LIMITER_CONTINUOUS] = "continuous", [LIMITER_FIXED] = "fixed",
    [LIMITER_SLIDING] = "sliding",       [LIMITER_DAY] = "calendar_day",
    [LIMITER_GROWTH] = "growth",         [LIMITER_GROWTH + 1] = NULL};
static const char *const scope_words[] = {[LIMIT_ORGANIZATION] = "organization",
                                          [LIMIT_WORKSPACE] = "workspace",
                                          [LIMIT_PROJECT] = "project",
                                          [LIMIT_KEY] = "key",
                                          [LIMIT_MODEL] = "model",
                                          [LIMIT_SCOPES] = NULL};
static const char *const pool_words[] = {[LIMIT_CALLS] = "calls",
                                         [LIMIT_BATCH] = "batch",
                                         [LIMIT_COUNT] = "count_tokens",
                                         [LIMIT_EMBEDDINGS] = "embeddings",
                                         [LIMIT_EMBEDDINGS + 1] = NULL};
static const char *const zone_words[] = {[MIDNIGHT_UTC] = "utc",
                                         [MIDNIGHT_PACIFIC] = "pacific",
                                         [MIDNIGHT_PACIFIC + 1] = NULL};
static const char *const output_words[] = {"produced", "max_tokens", NULL};

/* Ceilings: with a day of microseconds the product stays below
 * LIMITER_MAX_SCALED. */
#define MAX_LIMIT 10000000000.0
#define MAX_PER_S 86400

const struct param limit_bucket_params[] = {
    {.name = "of",
     .type = PARAM_WORD,
     .words = of_words,
     .required = true,
     .summary = "what it counts"},
    {.name = "limit",
     .type = PARAM_INT,
     .min = 0,
     .max = MAX_LIMIT,
     .required = true,
     .summary = "how many a period; 0: a tier without any"},
    {.name = "per",
     .type = PARAM_WORD,
     .words = per_words,
     .summary = "the period, default minute"},
    {.name = "per_s",
     .type = PARAM_INT,
     .min = 1,
     .max = MAX_PER_S,
     .summary = "seconds of the period, when it is another than `per` says"},
    {.name = "window",
     .type = PARAM_WORD,
     .words = window_words,
     .summary = "continuous refill (default), a fixed or sliding window, "
                "from midnight to midnight, or growth over the window before"},
    {.name = "burst",
     .type = PARAM_INT,
     .min = 0,
     .max = MAX_LIMIT,
     .summary = "continuous: the most that can be saved up, default the "
                "limit"},
    {.name = "smooth",
     .type = PARAM_BOOL,
     .summary = "continuous: save up one second's worth at most, so that 60 "
                "per minute is 1 per second"},
    {.name = "scope",
     .type = PARAM_WORD,
     .words = scope_words,
     .summary = "who shares a bucket, default organization"},
    {.name = "per_model",
     .type = PARAM_BOOL,
     .summary = "a bucket for each model within the scope"},
    {.name = "model",
     .type = PARAM_STRING,
     .summary = "pattern (* ? []): only calls of such models"},
    {.name = "pool",
     .type = PARAM_WORD,
     .words = pool_words,
     .summary = "which requests it counts: generation calls (default), "
                "batches, token counts or embeddings"},
    {.name = "growth_percent",
     .type = PARAM_INT,
     .min = 100,
     .max = 10000,
     .summary = "growth: at most this much of the window before, default "
                "150"},
    {.name = "resets",
     .type = PARAM_WORD,
     .words = zone_words,
     .summary = "calendar_day: whose midnight; default pacific for gemini, "
                "utc for the others"},
    {.name = "name",
     .type = PARAM_STRING,
     .summary = "what journal and x-faultwire call it"},
    {.name = NULL}};

const struct param limits_params[] = {
    {.name = "count_refused",
     .type = PARAM_BOOL,
     .summary = "a refused request counts as a request; default: openai "
                "yes, the others no"},
    {.name = "count_cache_reads",
     .type = PARAM_BOOL,
     .summary = "tokens read from the cache count; default: anthropic no, "
                "the others yes"},
    {.name = "output",
     .type = PARAM_WORD,
     .words = output_words,
     .summary = "output tokens count as they are produced, or as max_tokens "
                "at the start and put right at the end; default: openai "
                "max_tokens, the others produced"},
    {.name = NULL}};

static const char *const limits_others[] = {"buckets", NULL};

static int read_window(struct limit_rule *ret, const struct jval *v,
                       bool pacific, struct diag *diag)
{
  int64_t per_s = 0;
  const cJSON *o = v->node;
  struct limiter_rule *r = &ret->rule;
  ret->per = (enum limit_per)param_word(o, "per", per_words, LIMIT_MINUTE);
  r->window = (enum limiter_window)param_word(o, "window", window_words,
                                              LIMITER_CONTINUOUS);
  r->zone = (enum midnight_zone)param_word(
      o, "resets", zone_words, pacific ? MIDNIGHT_PACIFIC : MIDNIGHT_UTC);
  if (r->window == LIMITER_DAY) {
    if (param_has(o, "per_s") || (param_has(o, "per") && ret->per != LIMIT_DAY))
      return jval_error(v, diag, "a calendar_day is a day: leave out 'per'");
    ret->per = LIMIT_DAY;
  }
  r->period_us = per_us[ret->per];
  if (param_int(o, "per_s", &per_s)) {
    if (param_has(o, "per"))
      return jval_error(v, diag, "takes 'per' or 'per_s', not both");
    r->period_us = per_s * 1000000;
  }
  return 0;
}

/* A key that the window has no use for is a mistake. */
static int check_window_keys(const struct limit_rule *rule,
                             const struct jval *v, struct diag *diag)
{
  static const struct {
    const char *key;
    enum limiter_window window;
  } of_window[] = {{"burst", LIMITER_CONTINUOUS},
                   {"smooth", LIMITER_CONTINUOUS},
                   {"growth_percent", LIMITER_GROWTH},
                   {"resets", LIMITER_DAY}};
  struct jval member;
  for (size_t i = 0; i < sizeof of_window / sizeof *of_window; i++)
    if (jval_member(v, of_window[i].key, &member) &&
        rule->rule.window != of_window[i].window)
      return jval_key_error(&member, diag, "is only for \"window\": \"%s\"",
                            window_words[of_window[i].window]);
  if (param_has(v->node, "burst") && param_has(v->node, "smooth"))
    return jval_error(v, diag, "takes 'burst' or 'smooth', not both");
  return 0;
}

static int read_amounts(struct limit_rule *ret, const struct jval *v,
                        struct diag *diag)
{
  bool smooth = false;
  struct limiter_rule *r = &ret->rule;
  param_int(v->node, "limit", &r->limit);
  r->burst = r->limit;
  r->percent = 150; /* OpenAI's rule of thumb: at most half as much again */
  param_int(v->node, "burst", &r->burst);
  param_int(v->node, "growth_percent", &r->percent);
  if (param_bool(v->node, "smooth", &smooth) && smooth && r->limit > 0) {
    r->burst = r->limit * 1000000 / r->period_us;
    r->burst = r->burst > 0 ? r->burst : 1;
  }
  if (limiter_rule_fits(r))
    return 0;
  return jval_error(v, diag, "limit and period are too large together");
}

static void name_rule(struct limit_rule *ret, const cJSON *o)
{
  if (param_string(o, "name", &ret->name))
    return;
  snprintf(ret->made_name, sizeof ret->made_name, "%s%s%s per %s",
           ret->pool == LIMIT_CALLS ? "" : pool_words[ret->pool],
           ret->pool == LIMIT_CALLS ? "" : " ", of_words[ret->of],
           per_words[ret->per]);
  ret->name = ret->made_name;
}

static int read_rule(struct limit_rule *ret, const struct jval *v, bool pacific,
                     struct diag *diag)
{
  static const struct param *const tables[] = {limit_bucket_params};
  const cJSON *o = v->node;
  struct jval name;
  if (jval_object(v, diag) < 0 || param_check(v, tables, 1, NULL, diag) < 0 ||
      read_window(ret, v, pacific, diag) < 0 ||
      check_window_keys(ret, v, diag) < 0 || read_amounts(ret, v, diag) < 0)
    return -1;
  ret->of = (enum limit_of)param_word(o, "of", of_words, LIMIT_REQUESTS);
  ret->scope =
      (enum limit_scope)param_word(o, "scope", scope_words, LIMIT_ORGANIZATION);
  ret->pool = (enum limit_pool)param_word(o, "pool", pool_words, LIMIT_CALLS);
  param_bool(o, "per_model", &ret->per_model);
  param_string(o, "model", &ret->model);
  name_rule(ret, o);
  return jval_member(v, "name", &name) ? step_check_header_text(&name, diag)
                                       : 0;
}

static int read_rules(struct limits_config *c, const struct jval *limits,
                      struct diag *diag)
{
  struct jval list, provider, root = json_root(limits->doc);
  bool pacific = jval_member(&root, "provider", &provider) &&
                 cJSON_IsString(provider.node) &&
                 strcmp(provider.node->valuestring, "gemini") == 0;
  if (!jval_member(limits, "buckets", &list))
    return jval_error(limits, diag, "the key 'buckets' is missing");
  if (jval_array(&list, diag) < 0)
    return -1;
  c->nrules = (size_t)jval_count(&list);
  if (c->nrules == 0)
    return jval_error(&list, diag, "needs at least one bucket");
  if (c->nrules > LIMITS_MAX_RULES)
    return jval_error(&list, diag, "has more than %d buckets",
                      LIMITS_MAX_RULES);
  c->rules = mem_zalloc(c->nrules * sizeof *c->rules);
  for (size_t i = 0; i < c->nrules; i++) {
    struct jval item = jval_item(&list, (int)i);
    if (read_rule(&c->rules[i], &item, pacific, diag) < 0)
      return -1;
  }
  return 0;
}

static int read_switch(const cJSON *o, const char *key)
{
  bool on = false;
  return param_bool(o, key, &on) ? on : -1;
}

int limits_config_read(struct limits_config **ret, const struct jval *root,
                       struct diag *diag)
{
  static const struct param *const tables[] = {limits_params};
  struct jval v;
  if (!jval_member(root, "limits", &v))
    return 0;
  if (jval_object(&v, diag) < 0 ||
      param_check(&v, tables, 1, limits_others, diag) < 0)
    return -1;
  struct limits_config *c = mem_zalloc(sizeof *c);
  c->count_refused = read_switch(v.node, "count_refused");
  c->count_cache_reads = read_switch(v.node, "count_cache_reads");
  c->by_max_tokens = param_word(v.node, "output", output_words, -1);
  if (read_rules(c, &v, diag) < 0) {
    limits_config_free(c);
    return -1;
  }
  *ret = c;
  return 0;
}

void limits_config_free(struct limits_config *c)
{
  if (!c)
    return;
  free(c->rules);
  free(c);
}
