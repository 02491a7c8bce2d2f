#include "mockserver/exchange_open.h"

#include "base/clock.h"
#include "mockserver/shape.h"

/* Ceiling of one head of 1xx. */
enum { MAX_INTERIM = 1 << 20 };

static void send_interim(struct exchange *x, const cJSON *item)
{
  struct buf head;
  struct value_scope s = exchange_scope(x);
  int64_t status = 100, pause_ms = 0;
  const cJSON *pair;
  buf_init(&head, MAX_INTERIM);
  param_int(item, "status", &status);
  param_int(item, "pause_ms", &pause_ms);
  buf_addf(&head, "HTTP/1.1 %d %s\r\n", (int)status,
           reason_phrase((int)status));
  cJSON_ArrayForEach(pair, param_node(item, "headers"))
  {
    buf_addf(&head, "%s: ", pair->child->valuestring);
    value_expand(bytes_of(pair->child->next->valuestring), &s, &head);
    buf_adds(&head, "\r\n");
  }
  buf_adds(&head, "\r\n");
  plan_segment(x->plan);
  plan_send(x->plan, buf_bytes(&head));
  plan_segment(x->plan);
  plan_delay(x->plan, pause_ms * NS_PER_MS);
  buf_release(&head);
}

void exchange_interim(struct exchange *x)
{
  const cJSON *item;
  cJSON_ArrayForEach(item, param_node(exchange_step(x), "interim"))
  {
    send_interim(x, item);
  }
}

bool exchange_is_until_close(const struct exchange *x)
{
  return x->step && x->step->shape && x->step->shape->until_close;
}

/* The length a head announces for a body of `n` bytes. */
int64_t exchange_length(const struct exchange *x, int64_t n)
{
  int64_t add = 0;
  param_int(exchange_step(x), "length_add", &add);
  return n + add > 0 ? n + add : 0;
}

void exchange_shape(struct exchange *x, size_t first)
{
  struct buf trailing;
  const char *text = NULL;
  struct value_scope s = exchange_scope(x);
  if (!x->step || !x->step->shape)
    return;
  buf_init(&trailing, PLAN_MAX_BYTES);
  if (param_string(exchange_step(x), "trailing", &text))
    value_expand(bytes_of(text), &s, &trailing);
  if (!shape_apply(x->step->shape, x->plan, first, buf_bytes(&trailing)))
    x->attempt->status = 0; /* cut away inside its head */
  buf_release(&trailing);
}

void exchange_expand(struct exchange *x, struct bytes text, struct buf *ret)
{
  struct value_scope s = exchange_scope(x);
  value_expand(text, &s, ret);
}

struct bytes exchange_file(const struct exchange *x)
{
  return x->step ? buf_bytes(&x->step->file) : BYTES("");
}

/* Three digits behind "HTTP/1.x "; 0: no status line. */
static int status_of(struct bytes b)
{
  int status = 0;
  if (b.n < 12 || !bytes_starts(b, BYTES("HTTP/1.")))
    return 0;
  for (size_t i = 9; i < 12; i++) {
    if (b.p[i] < '0' || b.p[i] > '9')
      return 0;
    status = status * 10 + b.p[i] - '0';
  }
  return status;
}

void exchange_raw(struct exchange *x, struct bytes b)
{
  int status = status_of(b);
  plan_send(x->plan, b);
  plan_mark(x->plan, MARK_HEAD);
  plan_mark(x->plan, MARK_FAULT);
  plan_fin(x->plan);
  x->attempt->status = status;
  if (status)
    snprintf(x->attempt->what, sizeof x->attempt->what, "%d, raw bytes",
             status);
  else
    exchange_what(x, "raw bytes");
}
