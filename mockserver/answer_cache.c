#include "mockserver/answer_cache.h"

#include "base/clock.h"

#include <string.h>

/* Larger answers are made anew each time. */
enum { MAX_KEPT = 64 << 10 };

void answer_cache_init(struct answer_cache *c)
{
  memset(c, 0, sizeof *c);
  buf_init(&c->bytes, MAX_KEPT);
}

void answer_cache_release(struct answer_cache *c)
{
  buf_release(&c->bytes);
  answer_cache_init(c);
}

static int64_t sending_epoch_s(const struct exchange *x)
{
  return (x->wall_ns + x->plan->elapsed_ns) / NS_PER_S;
}

static void take_id(struct exchange *x, struct buf *id)
{
  buf_init(id, sizeof x->request_id - 1);
  x->provider->request_id(x->ids, id);
}

bool answer_cache_use(const struct answer_cache *c, struct exchange *x)
{
  if (c->provider != x->provider || c->epoch_s != sending_epoch_s(x) ||
      c->close != x->call->close || c->http_1_0 != x->call->http_1_0 ||
      strcmp(c->model, x->call->model) != 0)
    return false;
  struct buf id;
  size_t base = x->plan->bytes.n;
  take_id(x, &id);
  plan_send(x->plan, buf_bytes(&c->bytes));
  for (size_t i = 0; i < c->nids; i++)
    memcpy(x->plan->bytes.p + base + c->id_at[i], id.p, c->id_bytes);
  buf_release(&id);
  x->attempt->status = c->status;
  x->attempt->has_retry_after = c->has_retry_after;
  memcpy(x->attempt->what, c->what, sizeof c->what);
  memcpy(x->attempt->retry_after, c->retry_after, sizeof c->retry_after);
  exchange_end_whole(x, true);
  return true;
}

/* All places of the id; false when there are more than are kept. */
static bool find_ids(struct answer_cache *c, struct bytes id)
{
  struct bytes rest = buf_bytes(&c->bytes);
  ptrdiff_t at = 0;
  c->nids = 0;
  c->id_bytes = id.n;
  while (id.n && (at = bytes_find(rest, id)) >= 0) {
    if (c->nids == sizeof c->id_at / sizeof *c->id_at)
      return false;
    size_t place = (size_t)(rest.p - c->bytes.p) + (size_t)at;
    c->id_at[c->nids++] = place;
    rest = (struct bytes){c->bytes.p + place + id.n, c->bytes.n - place - id.n};
  }
  return true;
}

void answer_cache_keep(struct answer_cache *c, struct exchange *x)
{
  c->provider = NULL;
  buf_reset(&c->bytes);
  buf_addb(&c->bytes, buf_bytes(&x->head));
  buf_addb(&c->bytes, buf_bytes(&x->body));
  if (c->bytes.full || !find_ids(c, bytes_of(x->request_id))) {
    answer_cache_release(c);
    return;
  }
  c->epoch_s = sending_epoch_s(x);
  c->close = x->call->close;
  c->http_1_0 = x->call->http_1_0;
  memcpy(c->model, x->call->model, sizeof c->model);
  c->status = x->attempt->status;
  c->has_retry_after = x->attempt->has_retry_after;
  memcpy(c->what, x->attempt->what, sizeof c->what);
  memcpy(c->retry_after, x->attempt->retry_after, sizeof c->retry_after);
  c->provider = x->provider;
}

static bool mentions(const cJSON *node, const char *text)
{
  const cJSON *child;
  if (cJSON_IsString(node) && strstr(node->valuestring, text))
    return true;
  cJSON_ArrayForEach(child, node)
  {
    if (mentions(child, text))
      return true;
  }
  return false;
}

bool answer_cache_fits(const struct step *step)
{
  /* a coded body depends on the request, and hides its id */
  return !mentions(step->node, "{{epoch_ms") &&
         !mentions(step->node, "remaining") &&
         !param_has(step->node, "encoding");
}
