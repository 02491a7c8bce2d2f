#include "mockserver/limit_gate.h"

#include "mockserver/provider/limits.h"

#include <inttypes.h>
#include <string.h>

/* Ceiling of the headers and of each text of a refusal. */
enum { MAX_TEXT = 64 << 10 };

struct limit_gate {
  const struct limits_config *config;
  struct limits *limits;
  struct clock *clock;
  struct buf headers; /* of the answer that is being written */
  struct limit_cost cost;
  uint64_t ticket; /* 0: the request in hand met no limiter */
  bool spared;     /* ... was refused in a run without faults */
};

struct limit_gate *limit_gate_new(const struct limits_config *config,
                                  struct clock *clock)
{
  if (!config)
    return NULL;
  struct limit_gate *g = mem_zalloc(sizeof *g);
  g->config = config;
  g->limits = limits_new(config);
  g->clock = clock;
  buf_init(&g->headers, MAX_TEXT);
  return g;
}

void limit_gate_free(struct limit_gate *g)
{
  if (!g)
    return;
  limits_free(g->limits);
  buf_release(&g->headers);
  free(g);
}

void limit_gate_rewind(struct limit_gate *g)
{
  if (g)
    limits_rewind(g->limits);
}

bool limit_gate_has(const struct limit_gate *g, enum limit_pool pool)
{
  for (size_t i = 0; g && i < g->config->nrules; i++)
    if (g->config->rules[i].pool == pool)
      return true;
  return false;
}

static struct limiter_time time_of(struct clock *c)
{
  return (struct limiter_time){.mono_us = clock_now_ns(c) / 1000,
                               .wall_us = clock_wall_ns(c) / 1000};
}

/* What the journal says of it: "requests per minute of acme: 0 of 5 left". */
static void note(struct exchange *x, const struct limit_refusal *r)
{
  snprintf(x->attempt->limits, sizeof x->attempt->limits,
           "%.40s%s%.40s: %" PRId64 " of %" PRId64 " left, %" PRId64 " wanted",
           r->bucket, r->whom[0] ? " of " : "", r->whom, r->limit - r->used,
           r->limit, r->requested);
}

static void note_levels(struct exchange *x, const struct limit_view *v)
{
  static const char *const names[LIMIT_OFS] = {"requests", "input", "output",
                                               "tokens"};
  struct buf text;
  buf_init(&text, sizeof x->attempt->limits - 1);
  for (int of = 0; of < LIMIT_OFS; of++)
    if (v->row[of].there)
      buf_addf(&text, "%s%s %" PRId64 "/%" PRId64, text.n ? ", " : "",
               names[of], v->row[of].remaining, v->row[of].limit);
  memcpy(x->attempt->limits, buf_str(&text), text.n + 1);
  buf_release(&text);
}

static void write_refusal(struct limit_gate *g, struct exchange *x,
                          const struct limit_refusal *r)
{
  struct limit_answer a;
  memset(&a, 0, sizeof a);
  buf_init(&a.message, MAX_TEXT);
  buf_init(&a.details, MAX_TEXT);
  buf_init(&a.headers, MAX_TEXT);
  x->provider->limits->refuse(r, &a);
  buf_addb(&a.headers, buf_bytes(&g->headers));
  buf_addf(&a.headers, "x-faultwire: limits; bucket=%s\r\n", r->bucket);
  if (a.retry_after[0]) {
    memcpy(x->attempt->retry_after, a.retry_after, sizeof a.retry_after);
    x->attempt->has_retry_after = true;
  }
  exchange_refuse(x, &a.error, buf_bytes(&a.headers));
  buf_release(&a.message);
  buf_release(&a.details);
  buf_release(&a.headers);
}

/* Meant, whether it is then sent or not. */
static void mark_refused(struct attempt *a, const char *rule)
{
  snprintf(a->rule, sizeof a->rule, "%s", rule);
  snprintf(a->fault, sizeof a->fault, "limits");
  a->injected = true;
}

static bool refused(struct limit_gate *g, struct exchange *x,
                    const struct limit_refusal *r, bool no_faults)
{
  note(x, r);
  g->spared = no_faults;
  if (no_faults)
    return false;
  mark_refused(x->attempt, "limits");
  x->attempt->step = -1; /* a refused call takes none */
  write_refusal(g, x, r);
  return true;
}

bool limit_gate_refuses(struct limit_gate *g, struct exchange *x,
                        enum limit_pool pool, int64_t requests, bool no_faults)
{
  struct limit_who who;
  struct limit_view view;
  struct limit_refusal refusal;
  if (!g)
    return false;
  limit_who_read(&who, x->call, x->request);
  who.pool = pool;
  limit_cost_read(&g->cost, x->request);
  g->cost.requests = requests;
  g->ticket = 0;
  g->spared = false;
  struct limit_ask q = {.provider = x->provider->limits,
                        .who = &who,
                        .cost = &g->cost,
                        .now = time_of(g->clock)};
  bool no = limits_ask(g->limits, &q, &view, &refusal, &g->ticket);
  buf_reset(&g->headers);
  q.provider->headers(&view, x->wall_ns, &g->headers);
  x->limit_headers = buf_bytes(&g->headers);
  if (no)
    return refused(g, x, &refusal, no_faults);
  note_levels(x, &view);
  return false;
}

void limit_gate_answered(struct limit_gate *g, struct exchange *x)
{
  if (g && g->spared)
    mark_refused(x->attempt, "no_faults");
  if (!g || !g->ticket)
    return;
  int64_t tokens = g->cost.output;
  if (tokens < 0)
    tokens = x->has_reply ? (int64_t)reply_output_tokens(&x->reply) : 0;
  uint64_t events = x->is_stream ? exchange_events(x) : 0;
  limits_answer(g->limits, g->ticket, x->attempt, tokens, events);
  g->ticket = 0;
}

void limit_gate_ended(struct limit_gate *g, const struct attempt *a)
{
  if (g)
    limits_ended(g->limits, a, time_of(g->clock));
}

void limit_gate_json(struct limit_gate *g, struct buf *ret)
{
  if (g)
    limits_json(g->limits, time_of(g->clock), ret);
  else
    buf_adds(ret, "[]");
}
