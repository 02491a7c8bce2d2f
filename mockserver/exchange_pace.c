/*
 * The pauses between the events of a stream, and the one a plain answer
 * takes to be made: gap_ms, first_token_ms, tokens_per_s, jitter.
 */
#include "mockserver/exchange_open.h"

#include "base/clock.h"

static const struct pace *pace_of(struct exchange *x)
{
  struct pace *p = &x->pace;
  const cJSON *step = exchange_step(x);
  int64_t ms = 0;
  if (p->is_read)
    return p;
  p->is_read = true;
  if (param_int(step, "gap_ms", &ms))
    p->gap_ns = ms * NS_PER_MS;
  if (param_int(step, "first_token_ms", &ms))
    p->first_ns = ms * NS_PER_MS;
  param_number(step, "tokens_per_s", &p->tokens_per_s);
  param_number(step, "jitter", &p->jitter);
  /* a copy: a jitter draws no id away */
  p->noise = *x->ids;
  return p;
}

bool exchange_is_paced(struct exchange *x)
{
  const struct pace *p = pace_of(x);
  return p->first_ns || p->tokens_per_s > 0 || p->jitter > 0;
}

static int64_t jittered(struct pace *p, double ns)
{
  if (p->jitter > 0)
    ns *= 1 + p->jitter * (2 * ids_fraction(&p->noise) - 1);
  return (int64_t)ns;
}

static uint64_t tokens_in(const struct reply *r, const struct cue *c)
{
  const struct block *b = r->blocks[c->block];
  return block_tokens(b, c->i + 1) - block_tokens(b, c->i);
}

/* How long so many tokens take. */
static double token_ns(const struct pace *p, uint64_t tokens)
{
  return p->tokens_per_s > 0
             ? (double)tokens / p->tokens_per_s * (double)NS_PER_S
             : (double)p->gap_ns;
}

int64_t exchange_pause_ns(struct exchange *x, const struct cue *c, bool first)
{
  struct pace *p = &x->pace;
  pace_of(x);
  if (c->kind != CUE_DELTA)
    return first ? 0 : jittered(p, (double)p->gap_ns);
  if (!p->begun) {
    p->begun = true;
    if (p->first_ns)
      return jittered(p, (double)p->first_ns);
    return first || p->tokens_per_s > 0 ? 0 : jittered(p, (double)p->gap_ns);
  }
  if (first && p->tokens_per_s <= 0)
    return 0;
  return jittered(p, token_ns(p, tokens_in(&x->reply, c)));
}

int64_t exchange_gap_ns(struct exchange *x)
{
  return pace_of(x)->gap_ns;
}

int64_t exchange_making_ns(struct exchange *x)
{
  struct pace *p = &x->pace;
  pace_of(x);
  if (p->tokens_per_s <= 0)
    return p->first_ns ? jittered(p, (double)p->first_ns) : 0;
  return jittered(p, (double)p->first_ns +
                         token_ns(p, reply_output_tokens(&x->reply)));
}
