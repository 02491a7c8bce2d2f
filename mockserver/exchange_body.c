/*
 * What a step makes of a body: coded, and cut.
 */
#include "mockserver/exchange_open.h"

#include "mockserver/step_body.h"

static void swap_body(struct exchange *x, struct buf *other)
{
  struct buf old = x->body;
  x->body = *other;
  *other = old;
}

static void code(struct exchange *x, enum encoding kind)
{
  struct buf coded;
  struct encoder *e = encoder_new(kind);
  buf_init(&coded, PLAN_MAX_BYTES);
  encoder_add(e, buf_bytes(&x->body), &coded);
  encoder_finish(e, &coded);
  encoder_free(e);
  swap_body(x, &coded);
  buf_release(&coded);
}

void exchange_tell_coding(struct exchange *x)
{
  struct coding c = step_coding(exchange_step(x), x->request);
  if (c.told)
    buf_addf(&x->head, "content-encoding: %s\r\n", encoding_name(c.kind));
}

void exchange_code_body(struct exchange *x)
{
  int64_t n = 0;
  struct coding c = step_coding(exchange_step(x), x->request);
  if (c.done)
    code(x, c.kind);
  if (param_int(exchange_step(x), "body_bytes", &n) && (size_t)n < x->body.n) {
    x->body.n = (size_t)n;
    x->body.p[n] = '\0';
  }
}

void exchange_plain_text(struct exchange *x, struct buf *ret)
{
  x->provider->plain(exchange_make_reply(x), ret);
}

const char *exchange_reason(int status)
{
  return reason_phrase(status);
}

void exchange_add_type(struct exchange *x, const char *type)
{
  const cJSON *node = param_node(exchange_step(x), "content_type");
  char text[64];
  struct value_scope s;
  if (!node) {
    if (type)
      buf_addf(&x->head, "content-type: %s\r\n", type);
    return;
  }
  if (cJSON_IsNull(node))
    return;
  s = exchange_scope(x);
  snprintf(text, sizeof text, "%.15g", node->valuedouble);
  buf_adds(&x->head, "content-type: ");
  value_expand(bytes_of(cJSON_IsString(node) ? node->valuestring : text), &s,
               &x->head);
  buf_adds(&x->head, "\r\n");
}

void exchange_open_out(struct exchange *x)
{
  int64_t n = 0;
  struct coding c = step_coding(exchange_step(x), x->request);
  struct stream_out *o = &x->out;
  stream_out_init(o, x->plan, exchange_is_chunked(x));
  x->has_out = true;
  if (c.done)
    o->encoder = encoder_new(c.kind);
  if (param_int(exchange_step(x), "body_bytes", &n))
    o->coded_left = (uint64_t)n;
  o->active = o->encoder || o->coded_left != UINT64_MAX;
}
