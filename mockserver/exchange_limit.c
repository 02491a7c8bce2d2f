#include "mockserver/exchange_open.h"

void exchange_refuse(struct exchange *x, const struct provider_error *e,
                     struct bytes headers)
{
  struct value_scope s = exchange_scope(x);
  buf_reset(&x->body);
  x->provider->error_body(e, &s, &x->body);
  exchange_open_head(x, e->status, e->reason, x->provider->json_type);
  if (e->headers)
    value_expand(bytes_of(e->headers), &s, &x->head);
  buf_addb(&x->head, headers);
  snprintf(x->attempt->what, sizeof x->attempt->what, "%d %s", e->status,
           e->name);
  exchange_close_head(x, (int64_t)x->body.n);
  plan_send(x->plan, buf_bytes(&x->head));
  plan_send(x->plan, buf_bytes(&x->body));
  exchange_end_whole(x, true);
}
