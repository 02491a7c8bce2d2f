#include "mockserver/exchange_open.h"

#include "base/clock.h"

#include <string.h>

/* Up to here the events of a stream are stored in the plan; a longer stream
 * is made piece by piece while it is sent. */
enum { MAX_STORED_EVENTS = 64 };

/* Ceiling of one event: the last one of Responses repeats the whole text. */
enum { MAX_EVENT = 48 << 20 };

static const char *step_text(const cJSON *step)
{
  const char *text = REPLY_TEXT;
  param_string(step, "text", &text);
  return text;
}

const struct reply *exchange_make_reply(struct exchange *x)
{
  int64_t chunks = 0;
  if (x->has_reply)
    return &x->reply;
  param_int(exchange_step(x), "chunks", &chunks);
  const char *model = x->call->model[0] ? x->call->model : "unknown";
  reply_init(&x->reply, bytes_of(model), step_text(exchange_step(x)),
             (uint64_t)chunks);
  x->provider->reply_ids(x->ids, &x->reply);
  x->reply.created_epoch_s = x->wall_ns / NS_PER_S;
  /* four bytes a token, the usual rule of thumb; never none */
  x->reply.input_tokens = x->request->body.n / 4 + 1;
  x->reply.with_usage = x->call->with_usage;
  x->reply.as_array = x->call->as_array;
  x->has_reply = true;
  return &x->reply;
}

uint64_t exchange_events(const struct exchange *x)
{
  return x->provider->events(&x->reply);
}

uint64_t exchange_text_events(const struct exchange *x)
{
  return x->provider->text_events(&x->reply);
}

static int64_t gap_ns(const struct exchange *x)
{
  int64_t ms = 0;
  param_int(exchange_step(x), "gap_ms", &ms);
  return ms * NS_PER_MS;
}

/* One chunk whose size line says `announced` and which holds `b`. */
static void add_chunk(struct buf *ret, struct bytes b, size_t announced,
                      bool chunked)
{
  if (chunked)
    buf_addf(ret, "%zx\r\n", announced);
  buf_addb(ret, b);
  if (chunked && announced == b.n)
    buf_adds(ret, "\r\n");
}

static void send_chunk(struct exchange *x, struct bytes b, size_t announced)
{
  buf_reset(&x->head);
  add_chunk(&x->head, b, announced, !x->call->http_1_0);
  plan_send(x->plan, buf_bytes(&x->head));
}

static void render(struct exchange *x, uint64_t i)
{
  buf_reset(&x->body);
  x->provider->event(&x->reply, i, &x->body);
}

static void send_event(struct exchange *x, uint64_t i)
{
  render(x, i);
  send_chunk(x, buf_bytes(&x->body), x->body.n);
  plan_mark(x->plan, MARK_EVENT);
}

/* The events of a long stream, made when they are due. */
struct event_source {
  const struct provider *provider;
  struct reply reply;
  uint64_t from, to;
  bool chunked;
};

static bool next_event(void *arg, uint64_t i, struct buf *out)
{
  const struct event_source *s = arg;
  struct buf event;
  if (s->from + i >= s->to)
    return false;
  buf_init(&event, MAX_EVENT);
  s->provider->event(&s->reply, s->from + i, &event);
  add_chunk(out, buf_bytes(&event), event.n, s->chunked);
  buf_release(&event);
  return true;
}

static void free_source(void *arg)
{
  struct event_source *s = arg;
  reply_release(&s->reply);
  free(s);
}

static void generate(struct exchange *x, uint64_t from, uint64_t to)
{
  struct event_source *s = mem_zalloc(sizeof *s);
  s->provider = x->provider;
  reply_copy(&s->reply, &x->reply);
  s->from = from;
  s->to = to;
  s->chunked = !x->call->http_1_0;
  plan_generate(x->plan, next_event, s, free_source, gap_ns(x));
  /* the plan cannot know how many pieces there will be; it is done with
   * them one period behind the last */
  x->plan->elapsed_ns += (int64_t)(to - from) * gap_ns(x);
}

void exchange_send_events(struct exchange *x, uint64_t from, uint64_t to)
{
  uint64_t last = exchange_events(x);
  if (from >= to)
    return;
  if (to - from > MAX_STORED_EVENTS) {
    generate(x, from, to - 1);
    send_event(x, to - 1);
  } else {
    for (uint64_t i = from; i < to; i++) {
      if (i > from)
        plan_delay(x->plan, gap_ns(x));
      send_event(x, i);
    }
  }
  if (to == last)
    plan_mark(x->plan, MARK_TERMINAL);
}

/* The first n bytes of event i; all of them make an event. */
static void send_part(struct exchange *x, uint64_t i, size_t n,
                      bool whole_chunk)
{
  render(x, i);
  if (n > 0)
    send_chunk(x, (struct bytes){x->body.p, n}, whole_chunk ? n : x->body.n);
}

void exchange_send_half(struct exchange *x, uint64_t i, bool whole_chunk)
{
  render(x, i);
  send_part(x, i, x->body.n / 2, whole_chunk);
}

void exchange_send_first_bytes(struct exchange *x, uint64_t n, bool whole_chunk)
{
  uint64_t events = exchange_events(x);
  for (uint64_t i = 0; i < events; i++) {
    render(x, i);
    if (n < x->body.n || i + 1 == events) {
      size_t part = n < x->body.n ? (size_t)n : x->body.n - 1;
      send_part(x, i, part, whole_chunk);
      return;
    }
    n -= x->body.n;
    send_event(x, i);
  }
}

void exchange_send_error_event(struct exchange *x, uint64_t i, const char *name)
{
  const struct provider_error *e = provider_error_find(x->provider, name);
  struct value_scope s = exchange_scope(x);
  if (!e)
    e = x->provider->errors; /* the loader has checked the name */
  buf_reset(&x->body);
  x->provider->error_event(e, &x->reply, i, &s, &x->body);
  send_chunk(x, buf_bytes(&x->body), x->body.n);
  plan_mark(x->plan, MARK_EVENT);
  snprintf(x->attempt->what, sizeof x->attempt->what, "200 message, then %s",
           e->name);
}

struct ping_source {
  const char *ping;
  uint64_t n; /* UINT64_MAX: without end */
  bool chunked;
};

static bool next_ping(void *arg, uint64_t i, struct buf *out)
{
  const struct ping_source *s = arg;
  if (i >= s->n)
    return false;
  add_chunk(out, bytes_of(s->ping), strlen(s->ping), s->chunked);
  return true;
}

static void send_ping(struct exchange *x)
{
  struct bytes ping = bytes_of(x->provider->ping);
  send_chunk(x, ping, ping.n);
  plan_mark(x->plan, MARK_EVENT);
}

void exchange_send_pings(struct exchange *x, int64_t period_ns, int64_t for_ns)
{
  uint64_t n = for_ns < 0 ? UINT64_MAX : (uint64_t)(for_ns / period_ns);
  if (n == 0) {
    plan_delay(x->plan, for_ns);
    return;
  }
  struct ping_source *s = mem_zalloc(sizeof *s);
  *s = (struct ping_source){x->provider->ping, n - 1, !x->call->http_1_0};
  plan_delay(x->plan, period_ns);
  plan_generate(x->plan, next_ping, s, free, period_ns);
  if (for_ns < 0)
    return;
  x->plan->elapsed_ns += (int64_t)(n - 1) * period_ns;
  send_ping(x);
  plan_delay(x->plan, for_ns - (int64_t)n * period_ns);
}

void exchange_delay(struct exchange *x, int64_t ns)
{
  plan_delay(x->plan, ns);
}

void exchange_mark_fault(struct exchange *x)
{
  plan_mark(x->plan, MARK_FAULT);
}

void exchange_end_stream(struct exchange *x, bool complete)
{
  if (!x->call->http_1_0)
    plan_send(x->plan, BYTES("0\r\n\r\n"));
  if (complete)
    plan_mark(x->plan, MARK_COMPLETE);
  exchange_keep(x);
}

void exchange_fin(struct exchange *x)
{
  plan_fin(x->plan);
}

void exchange_rst(struct exchange *x)
{
  plan_rst(x->plan);
}

void exchange_stall(struct exchange *x)
{
  plan_stall(x->plan);
}

void exchange_what(struct exchange *x, const char *text)
{
  snprintf(x->attempt->what, sizeof x->attempt->what, "%s", text);
}
