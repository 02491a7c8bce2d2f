#include "mockserver/exchange_open.h"

#include "base/clock.h"
#include "mockserver/reply_step.h"

#include <string.h>

/* Up to here the events of a stream are stored in the plan; a longer stream
 * is made piece by piece while it is sent. */
enum { MAX_STORED_EVENTS = 64 };

/* Ceiling of one event: the last one of Responses repeats the whole text. */
enum { MAX_EVENT = 48 << 20 };

const struct reply *exchange_make_reply(struct exchange *x)
{
  if (x->has_reply)
    return &x->reply;
  const char *model = x->call->model[0] ? x->call->model : "unknown";
  reply_init(&x->reply, bytes_of(model));
  reply_from_step(&x->reply, exchange_step(x), x->call->stream);
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
  return cue_total(x->provider, &x->reply);
}

uint64_t exchange_text_events(const struct exchange *x)
{
  return cue_text(x->provider, &x->reply);
}

bool exchange_is_chunked(const struct exchange *x)
{
  return !x->call->http_1_0 && !x->until_close;
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

/* `missing`: so many more bytes are announced than come. */
static void send_chunk(struct exchange *x, struct bytes b, size_t missing)
{
  if (x->out.active) {
    stream_out_body(&x->out, b, missing);
    return;
  }
  buf_reset(&x->head);
  add_chunk(&x->head, b, b.n + missing, exchange_is_chunked(x));
  plan_send(x->plan, buf_bytes(&x->head));
}

static void mark(struct exchange *x, enum plan_mark m, enum event_kind kind)
{
  if (x->out.cut)
    return; /* a limit of the scenario has left it out */
  if (x->has_out)
    stream_out_mark(&x->out, m, kind);
  else if (m == MARK_EVENT)
    plan_mark_event(x->plan, kind);
  else
    plan_mark(x->plan, m);
}

void exchange_send_event_bytes(struct exchange *x, struct bytes event,
                               enum event_kind kind)
{
  struct buf lines;
  if (x->out.eol == EOL_OWN) {
    send_chunk(x, event, 0);
  } else {
    buf_init(&lines, MAX_EVENT);
    stream_out_lines(&x->out, event, &lines);
    send_chunk(x, buf_bytes(&lines), 0);
    buf_release(&lines);
  }
  mark(x, MARK_EVENT, kind);
}

void exchange_send_raw(struct exchange *x, struct bytes b)
{
  if (b.n)
    send_chunk(x, b, 0);
}

void exchange_wait(struct exchange *x, int64_t ns)
{
  if (ns <= 0)
    return;
  if (x->has_out)
    stream_out_flush(&x->out);
  plan_delay(x->plan, ns);
}

static void render(struct exchange *x, uint64_t i)
{
  struct cue c = cue_at(x->provider, &x->reply, i);
  buf_reset(&x->body);
  x->provider->event(&x->reply, &c, i, &x->body);
}

static void send_event(struct exchange *x, uint64_t i)
{
  render(x, i);
  exchange_send_event_bytes(x, buf_bytes(&x->body), EVENT_CONTENT);
}

void exchange_mark_terminal(struct exchange *x)
{
  mark(x, MARK_TERMINAL, EVENT_TERMINAL);
  x->ended |= !x->out.cut;
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
  struct cue c = cue_at(s->provider, &s->reply, s->from + i);
  s->provider->event(&s->reply, &c, s->from + i, &event);
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
  s->chunked = exchange_is_chunked(x);
  plan_generate(x->plan, next_event, s, free_source, exchange_gap_ns(x),
                EVENT_CONTENT);
  /* the plan cannot know how many pieces there will be; it is done with
   * them one period behind the last */
  x->plan->elapsed_ns += (int64_t)(to - from) * exchange_gap_ns(x);
}

/* A generator knows neither line ends, pieces, coding nor a pace. */
static bool is_generated(struct exchange *x, uint64_t n)
{
  return n > MAX_STORED_EVENTS && !x->out.active && !exchange_is_paced(x) &&
         x->out.eol == EOL_OWN;
}

static void send_each(struct exchange *x, uint64_t from, uint64_t to)
{
  for (uint64_t i = from; i < to; i++) {
    struct cue c = cue_at(x->provider, &x->reply, i);
    exchange_wait(x, exchange_pause_ns(x, &c, i == from));
    send_event(x, i);
  }
}

void exchange_send_events(struct exchange *x, uint64_t from, uint64_t to)
{
  uint64_t last = exchange_events(x);
  if (from >= to)
    return;
  if (is_generated(x, to - from)) {
    generate(x, from, to - 1);
    send_event(x, to - 1);
  } else {
    send_each(x, from, to);
  }
  if (to == last)
    exchange_mark_terminal(x);
}

/* The first n bytes of event i; all of them make an event. */
static void send_part(struct exchange *x, uint64_t i, size_t n,
                      bool whole_chunk)
{
  render(x, i);
  if (n > 0)
    send_chunk(x, (struct bytes){x->body.p, n},
               whole_chunk ? 0 : x->body.n - n);
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
  x->seq = i;
  exchange_error_event_bytes(x, name);
  exchange_send_event_bytes(x, buf_bytes(&x->body), EVENT_ERROR);
}

void exchange_error_event_bytes(struct exchange *x, const char *name)
{
  const struct provider_error *e = provider_error_find(x->provider, name);
  struct value_scope s = exchange_scope(x);
  if (!e)
    e = x->provider->errors; /* the loader has checked the name */
  buf_reset(&x->body);
  x->provider->error_event(e, &x->reply, x->seq, &s, &x->body);
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

/* In one JSON array nothing but white space is no content. */
static const char *ping_of(const struct exchange *x)
{
  return x->call->as_array ? "\r\n" : x->provider->ping;
}

void exchange_send_ping(struct exchange *x)
{
  exchange_send_event_bytes(x, bytes_of(ping_of(x)), EVENT_PING);
}

void exchange_send_pings(struct exchange *x, int64_t period_ns, int64_t for_ns)
{
  uint64_t n = for_ns < 0 ? UINT64_MAX : (uint64_t)(for_ns / period_ns);
  if (n == 0) {
    exchange_wait(x, for_ns);
    return;
  }
  struct ping_source *s = mem_zalloc(sizeof *s);
  *s = (struct ping_source){ping_of(x), n - 1, exchange_is_chunked(x)};
  exchange_wait(x, period_ns);
  plan_generate(x->plan, next_ping, s, free, period_ns, EVENT_PING);
  if (for_ns < 0)
    return;
  x->plan->elapsed_ns += (int64_t)(n - 1) * period_ns;
  exchange_send_ping(x);
  exchange_wait(x, for_ns - (int64_t)n * period_ns);
}

void exchange_delay(struct exchange *x, int64_t ns)
{
  exchange_wait(x, ns);
}

void exchange_mark_fault(struct exchange *x)
{
  plan_mark(x->plan, MARK_FAULT);
}

/* What is held back goes out before the connection's end. */
static void flush(struct exchange *x)
{
  if (x->has_out)
    stream_out_flush(&x->out);
}

void exchange_end_coding(struct exchange *x)
{
  stream_out_finish(&x->out);
  flush(x);
}

void exchange_end_stream(struct exchange *x, bool complete)
{
  exchange_end_coding(x);
  if (exchange_is_chunked(x))
    plan_send(x->plan, BYTES("0\r\n\r\n"));
  if (complete)
    plan_mark(x->plan, MARK_COMPLETE);
  if (x->until_close)
    plan_fin(x->plan);
  else
    exchange_keep(x);
}

void exchange_send_last_chunk_line(struct exchange *x)
{
  exchange_end_coding(x);
  if (exchange_is_chunked(x))
    plan_send(x->plan, BYTES("0\r\n"));
}

void exchange_fin(struct exchange *x)
{
  flush(x);
  plan_fin(x->plan);
}

void exchange_rst(struct exchange *x)
{
  flush(x);
  plan_rst(x->plan);
}

void exchange_stall(struct exchange *x)
{
  flush(x);
  plan_stall(x->plan);
}

void exchange_what(struct exchange *x, const char *text)
{
  snprintf(x->attempt->what, sizeof x->attempt->what, "%s", text);
}
