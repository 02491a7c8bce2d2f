#include "mockserver/limits_priv.h"

#include "mockserver/provider/limits.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <string.h>

/* A client that invents keys without end shares the last bucket. */
enum { MAX_INSTANCES = 4096 };

struct limits *limits_new(const struct limits_config *config)
{
  struct limits *l = mem_zalloc(sizeof *l);
  l->config = config;
  return l;
}

void limits_rewind(struct limits *l)
{
  for (size_t i = 0; i < l->n; i++)
    limiter_release(&l->list[i].bucket);
  l->n = 0;
  l->nopen = 0;
  memset(l->cached, 0, sizeof l->cached);
}

void limits_free(struct limits *l)
{
  if (!l)
    return;
  limits_rewind(l);
  free(l->list);
  free(l->open);
  free(l);
}

/* ---- which buckets a request meets ---- */

static bool rule_fits(const struct limit_rule *r, const struct limit_who *who)
{
  return r->pool == who->pool &&
         (!r->model || fnmatch(r->model, who->name[LIMIT_MODEL], 0) == 0);
}

static size_t find_instance(struct limits *l, const struct limit_rule *r,
                            const struct limit_ask *q)
{
  char whom[164];
  snprintf(whom, sizeof whom, "%s%s%s", q->who->name[r->scope],
           r->per_model ? "/" : "",
           r->per_model ? q->who->name[LIMIT_MODEL] : "");
  size_t last = SIZE_MAX;
  for (size_t i = 0; i < l->n; i++) {
    if (l->list[i].rule != r || l->list[i].provider != q->provider)
      continue;
    last = i;
    if (strcmp(l->list[i].whom, whom) == 0)
      return i;
  }
  if (l->n >= MAX_INSTANCES && last != SIZE_MAX)
    return last;
  if (l->n == l->cap) {
    l->cap = l->cap ? 2 * l->cap : 16;
    l->list = mem_realloc(l->list, l->cap * sizeof *l->list);
  }
  struct limit_instance *in = &l->list[l->n];
  memset(in, 0, sizeof *in);
  in->rule = r;
  in->provider = q->provider;
  memcpy(in->whom, whom, sizeof in->whom);
  limiter_init(&in->bucket, &r->rule, q->now);
  return l->n++;
}

/* ---- what it asks of each ---- */

struct met {
  size_t instance;
  int64_t need; /* must be there */
  int64_t take; /* is counted at once */
  int64_t wait_us;
};

struct decision {
  struct met met[LIMITS_MAX_RULES];
  size_t n;
  bool by_max; /* output counts as max_tokens at the start */
};

static bool either(int said, bool otherwise)
{
  return said < 0 ? otherwise : said > 0;
}

static void price(struct met *m, enum limit_of of, const struct limit_cost *c,
                  int64_t input, bool by_max)
{
  int64_t output = by_max && c->max_output > 0 ? c->max_output : 0;
  switch (of) {
  case LIMIT_REQUESTS:
    m->take = c->requests;
    break;
  case LIMIT_INPUT_TOKENS:
    m->take = input;
    break;
  case LIMIT_OUTPUT_TOKENS:
    m->take = output;
    break;
  default:
    m->take = input + output;
    break;
  }
  m->need = m->take;
  /* what is produced only later needs a bucket that does not owe */
  if ((of == LIMIT_OUTPUT_TOKENS || of == LIMIT_TOKENS) && m->need == 0)
    m->need = 1;
}

static void meet(struct limits *l, const struct limit_ask *q,
                 struct decision *d)
{
  const struct limits_config *c = l->config;
  int64_t input = q->cost->input;
  if (!either(c->count_cache_reads, q->provider->counts_cache_reads))
    input -= limits_cache_read(l, q);
  d->n = 0;
  d->by_max = either(c->by_max_tokens, q->provider->counts_max_tokens);
  for (size_t i = 0; i < c->nrules; i++) {
    if (!rule_fits(&c->rules[i], q->who))
      continue;
    struct met *m = &d->met[d->n++];
    m->instance = find_instance(l, &c->rules[i], q);
    price(m, c->rules[i].of, q->cost, input, d->by_max);
  }
}

/* The one with the longest wait, NULL: all have room. */
static const struct met *look(struct limits *l, struct decision *d,
                              struct limiter_time now)
{
  const struct met *worst = NULL;
  for (size_t i = 0; i < d->n; i++) {
    struct met *m = &d->met[i];
    struct limit_instance *in = &l->list[m->instance];
    m->wait_us = limiter_wait_us(&in->bucket, &in->rule->rule, now, m->need);
    if (m->wait_us > 0 && (!worst || m->wait_us > worst->wait_us))
      worst = m;
  }
  return worst;
}

/* ---- what comes of it ---- */

static void admit(struct limits *l, const struct limit_ask *q,
                  const struct decision *d, uint64_t *ret_ticket)
{
  struct limit_open *o = limits_open_add(l, q->now);
  for (size_t i = 0; i < d->n; i++) {
    const struct met *m = &d->met[i];
    struct limit_instance *in = &l->list[m->instance];
    limiter_charge(&in->bucket, &in->rule->rule, q->now, m->take);
    if (in->rule->of == LIMIT_OUTPUT_TOKENS || in->rule->of == LIMIT_TOKENS)
      o->instance[o->ninstances++] = m->instance;
  }
  if (d->by_max && q->cost->max_output > 0)
    o->counted = q->cost->max_output;
  limits_cache_keep(l, q);
  *ret_ticket = o->ticket;
}

static void charge_refused(struct limits *l, const struct limit_ask *q,
                           const struct decision *d)
{
  if (!either(l->config->count_refused, q->provider->counts_refused))
    return;
  for (size_t i = 0; i < d->n; i++) {
    struct limit_instance *in = &l->list[d->met[i].instance];
    if (in->rule->of == LIMIT_REQUESTS)
      limiter_charge_refused(&in->bucket, &in->rule->rule, q->now,
                             d->met[i].take);
  }
}

static void tell_refusal(struct limit_instance *in, const struct met *m,
                         struct limiter_time now, struct limit_refusal *ret)
{
  const struct limit_rule *r = in->rule;
  int64_t left = limiter_remaining(&in->bucket, &r->rule, now);
  memset(ret, 0, sizeof *ret);
  ret->bucket = r->name;
  snprintf(ret->whom, sizeof ret->whom, "%.79s", in->whom);
  ret->of = r->of;
  ret->per = r->per;
  ret->limit = r->rule.limit;
  ret->used = left < r->rule.limit ? r->rule.limit - left : 0;
  ret->requested = m->need;
  ret->too_large = m->wait_us == LIMITER_NEVER;
  ret->wait_us = ret->too_large ? 0 : m->wait_us;
  ret->growth = r->rule.window == LIMITER_GROWTH;
}

static void refuse(struct limits *l, const struct limit_ask *q,
                   struct decision *d, struct limit_refusal *ret)
{
  charge_refused(l, q, d);
  /* again: what the refusal itself has taken lengthens the wait */
  const struct met *worst = look(l, d, q->now);
  struct limit_instance *in = &l->list[worst->instance];
  in->refused++;
  tell_refusal(in, worst, q->now, ret);
}

static void see(struct limit_row *row, const struct limit_instance *in,
                int64_t remaining, int64_t reset_us)
{
  if (row->there && row->remaining <= remaining)
    return;
  *row = (struct limit_row){.there = true,
                            .scope = in->rule->scope,
                            .limit = in->rule->rule.limit,
                            .remaining = remaining,
                            .reset_us = reset_us};
}

static void view(struct limits *l, const struct decision *d,
                 struct limiter_time now, struct limit_view *ret)
{
  memset(ret, 0, sizeof *ret);
  for (size_t i = 0; i < d->n; i++) {
    struct limit_instance *in = &l->list[d->met[i].instance];
    const struct limiter_rule *r = &in->rule->rule;
    if (r->window == LIMITER_GROWTH)
      continue;
    int64_t left = limiter_remaining(&in->bucket, r, now);
    int64_t reset = limiter_reset_us(&in->bucket, r, now);
    see(&ret->row[in->rule->of], in, left, reset);
    if (in->rule->of == LIMIT_TOKENS && in->rule->scope == LIMIT_PROJECT)
      see(&ret->project_tokens, in, left, reset);
  }
}

bool limits_ask(struct limits *l, const struct limit_ask *q,
                struct limit_view *ret_view, struct limit_refusal *ret,
                uint64_t *ret_ticket)
{
  struct decision d;
  limits_settle(l, q->now);
  meet(l, q, &d);
  bool refused = look(l, &d, q->now) != NULL;
  if (refused)
    refuse(l, q, &d, ret);
  else
    admit(l, q, &d, ret_ticket);
  view(l, &d, q->now, ret_view);
  return refused;
}

void limits_json(struct limits *l, struct limiter_time now, struct buf *ret)
{
  limits_settle(l, now);
  buf_addc(ret, '[');
  for (size_t i = 0; i < l->n; i++) {
    struct limit_instance *in = &l->list[i];
    const struct limiter_rule *r = &in->rule->rule;
    buf_adds(ret, i ? ",{\"bucket\":" : "{\"bucket\":");
    buf_add_json(ret, bytes_of(in->rule->name));
    buf_adds(ret, ",\"whom\":");
    buf_add_json(ret, bytes_of(in->whom));
    buf_addf(ret,
             ",\"limit\":%" PRId64 ",\"remaining\":%" PRId64
             ",\"reset_ms\":%" PRId64 ",\"refused\":%" PRIu64 "}",
             r->limit, limiter_remaining(&in->bucket, r, now),
             (limiter_reset_us(&in->bucket, r, now) + 999) / 1000, in->refused);
  }
  buf_addc(ret, ']');
}
