#include "mockserver/limits_priv.h"

#include "mockserver/journal.h"

struct limit_open *limits_open_add(struct limits *l, struct limiter_time now)
{
  if (l->nopen == l->open_cap) {
    l->open_cap = l->open_cap ? 2 * l->open_cap : 16;
    l->open = mem_realloc(l->open, l->open_cap * sizeof *l->open);
  }
  struct limit_open *o = &l->open[l->nopen++];
  *o = (struct limit_open){.ticket = ++l->tickets, .then = now};
  return o;
}

void limits_answer(struct limits *l, uint64_t ticket, const struct attempt *a,
                   int64_t output_tokens, uint64_t text_events)
{
  for (size_t i = 0; i < l->nopen; i++) {
    if (l->open[i].ticket != ticket)
      continue;
    l->open[i].attempt = a;
    l->open[i].total = output_tokens;
    l->open[i].text_events = text_events;
  }
}

/* In proportion to the events that are out; an answer in one piece has been
 * produced when its head is sent. */
static int64_t produced(const struct limit_open *o)
{
  const struct attempt *a = o->attempt;
  if (!a)
    return 0;
  if (o->text_events == 0)
    return a->status ? o->total : 0;
  if (a->events_sent >= o->text_events)
    return o->total;
  /* at most 10^9 tokens and 10^7 events: the product fits */
  return o->total * (int64_t)a->events_sent / (int64_t)o->text_events;
}

static void count_more(struct limits *l, struct limit_open *o,
                       struct limiter_time now)
{
  int64_t more = produced(o) - o->counted;
  if (more <= 0)
    return;
  for (size_t i = 0; i < o->ninstances; i++) {
    struct limit_instance *in = &l->list[o->instance[i]];
    limiter_charge(&in->bucket, &in->rule->rule, now, more);
  }
  o->counted += more;
}

void limits_settle(struct limits *l, struct limiter_time now)
{
  for (size_t i = 0; i < l->nopen; i++)
    count_more(l, &l->open[i], now);
}

static void give_back(struct limits *l, const struct limit_open *o,
                      struct limiter_time now)
{
  int64_t less = o->counted - produced(o);
  for (size_t i = 0; less > 0 && i < o->ninstances; i++) {
    struct limit_instance *in = &l->list[o->instance[i]];
    limiter_refund(&in->bucket, &in->rule->rule, now, o->then, less);
  }
}

void limits_ended(struct limits *l, const struct attempt *a,
                  struct limiter_time now)
{
  for (size_t i = 0; i < l->nopen; i++) {
    if (l->open[i].attempt != a)
      continue;
    count_more(l, &l->open[i], now);
    give_back(l, &l->open[i], now);
    l->open[i] = l->open[--l->nopen];
    return;
  }
}
