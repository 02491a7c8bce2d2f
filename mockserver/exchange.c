#include "mockserver/exchange_open.h"

#include "base/clock.h"
#include "base/number.h"
#include "mockserver/step_head.h"

#include <math.h>
#include <string.h>

/* Ceiling of one head and of one body. */
enum { MAX_HEAD = 4 << 20 };

/* What `wait` and `reset` stand for when the step names no number: short,
 * since a client may obey a hint in the body; the usual five-hour window of a
 * plan has three hours to go. */
#define DEFAULT_WAIT_MS INT64_C(1000)
#define DEFAULT_RESET_S INT64_C(10800)

void exchange_init(struct exchange *x)
{
  buf_init(&x->head, MAX_HEAD);
  buf_init(&x->body, PLAN_MAX_BYTES);
}

void exchange_release(struct exchange *x)
{
  buf_release(&x->head);
  buf_release(&x->body);
  if (x->has_reply)
    reply_release(&x->reply);
  if (x->has_out)
    stream_out_release(&x->out);
}

const cJSON *exchange_step(const struct exchange *x)
{
  return x->step ? x->step->node : NULL;
}

bool exchange_wants_stream(const struct exchange *x)
{
  return x->call->stream;
}

/* Up to ten years; what is larger would leave the calendar. */
#define MAX_WAIT_S 315360000.0

/* Seconds the step's retry_after asks for; below 0: it is no such number. */
static double retry_after_s(const cJSON *step)
{
  double s = -1;
  const cJSON *node = param_node(step, "retry_after");
  if (cJSON_IsNumber(node))
    return node->valuedouble;
  if (!cJSON_IsString(node) || number_decimal(bytes_of(node->valuestring), 0,
                                              MAX_WAIT_S, &s) != NUMBER_OK)
    return -1;
  return s;
}

static int64_t wait_ms(const struct exchange *x)
{
  double ms = 0, s = 0;
  const cJSON *step = exchange_step(x);
  if (!param_number(x->hints ? x->hints : step, "hint_s", &s))
    s = param_number(step, "retry_after_ms", &ms) ? ms / 1000
                                                  : retry_after_s(step);
  return s >= 0 && s <= MAX_WAIT_S ? (int64_t)llround(s * 1000)
                                   : DEFAULT_WAIT_MS;
}

static void make_request_id(struct exchange *x)
{
  struct buf id;
  buf_init(&id, sizeof x->request_id - 1);
  x->provider->request_id(x->ids, &id);
  memcpy(x->request_id, buf_str(&id), id.n + 1);
  buf_release(&id);
}

struct value_scope exchange_scope(struct exchange *x)
{
  int64_t reset_s = DEFAULT_RESET_S;
  param_int(exchange_step(x), "resets_in_s", &reset_s);
  if (!x->request_id[0])
    make_request_id(x);
  return (struct value_scope){
      .now_ns = x->wall_ns + x->plan->elapsed_ns,
      .request_id = bytes_of(x->request_id),
      .model = bytes_of(x->call->model[0] ? x->call->model : "unknown"),
      .skew_ms = step_head_skew_ms(exchange_step(x)),
      .remaining_ms = x->remaining_ms,
      .wait_ms = wait_ms(x),
      .reset_ms = reset_s * 1000};
}

static void add_header(struct exchange *x, const char *name, struct bytes value)
{
  struct value_scope s = exchange_scope(x);
  buf_adds(&x->head, name);
  buf_adds(&x->head, value.n ? ": " : ":");
  value_expand(value, &s, &x->head);
  buf_adds(&x->head, "\r\n");
}

/* A literal is sent as it stands; a number as people write it. */
static void add_literal(struct exchange *x, const char *name, const cJSON *node,
                        char *ret, size_t size)
{
  char text[64];
  struct buf value;
  struct value_scope s = exchange_scope(x);
  if (cJSON_IsString(node))
    ret[0] = '\0';
  else
    snprintf(text, sizeof text, "%.15g", node->valuedouble);
  buf_init(&value, MAX_HEAD);
  value_expand(bytes_of(cJSON_IsString(node) ? node->valuestring : text), &s,
               &value);
  buf_adds(&x->head, name);
  buf_adds(&x->head, ": ");
  buf_addb(&x->head, buf_bytes(&value));
  buf_adds(&x->head, "\r\n");
  snprintf(ret, size, "%s", buf_str(&value));
  buf_release(&value);
}

static void add_retry_after(struct exchange *x)
{
  char ms[96];
  const cJSON *step = exchange_step(x);
  const cJSON *node = param_node(step, "retry_after");
  if (node && !cJSON_IsNull(node)) {
    add_literal(x, "retry-after", node, x->attempt->retry_after,
                sizeof x->attempt->retry_after);
    x->attempt->has_retry_after = true;
  }
  node = param_node(step, "retry_after_ms");
  if (node && !cJSON_IsNull(node))
    add_literal(x, "retry-after-ms", node, ms, sizeof ms);
}

/* The step's own headers, in order, doubles and case kept. */
static void add_step_headers(struct exchange *x)
{
  const cJSON *pair;
  cJSON_ArrayForEach(pair, param_node(exchange_step(x), "headers"))
  {
    const cJSON *name = pair->child;
    add_header(x, name->valuestring, bytes_of(name->next->valuestring));
  }
}

static void add_injected(struct exchange *x, const char *kind)
{
  const char *rule = x->attempt->rule;
  if (strcmp(rule, "forced") == 0 || strcmp(rule, "queued") == 0 ||
      strcmp(rule, "retry_test") == 0)
    buf_addf(&x->head, "x-faultwire: %s; %s\r\n", kind, rule);
  else
    buf_addf(&x->head, "x-faultwire: %s; step=%d\r\n", kind,
             x->step ? x->step->index : -1);
}

static void add_status_line(struct exchange *x, int status, const char *reason)
{
  buf_addf(&x->head, "HTTP/1.1 %d %s\r\n", status,
           reason ? reason : reason_phrase(status));
  x->attempt->status = status;
}

/* The provider's own headers, and the quota's. */
static void add_family(struct exchange *x, const char *lines)
{
  struct value_scope s = exchange_scope(x);
  step_head_family(exchange_step(x), x->provider, lines, &s, &x->head);
}

void exchange_open_head(struct exchange *x, int status, const char *reason,
                        const char *type)
{
  buf_reset(&x->head);
  add_status_line(x, status, reason);
  if (step_head_date(exchange_step(x)))
    add_header(x, "date", BYTES("{{http_date_server}}"));
  exchange_add_type(x, type);
}

void exchange_close_head(struct exchange *x, int64_t length)
{
  if (length >= 0 && !x->until_close)
    buf_addf(&x->head, "content-length: %lld\r\n",
             (long long)exchange_length(x, length));
  else if (length < 0 && exchange_is_chunked(x))
    buf_adds(&x->head, "transfer-encoding: chunked\r\n");
  if (x->call->close || x->until_close)
    buf_adds(&x->head, "connection: close\r\n");
  buf_adds(&x->head, "\r\n");
}

void exchange_keep(struct exchange *x)
{
  if (x->call->close)
    plan_fin(x->plan);
  else
    plan_keep(x->plan);
}

void exchange_end_whole(struct exchange *x, bool fault)
{
  plan_mark(x->plan, MARK_HEAD);
  if (fault)
    plan_mark(x->plan, MARK_FAULT);
  plan_mark(x->plan, MARK_COMPLETE);
  exchange_keep(x);
}

/* Head and body in one piece; the marks behind it. */
static void send_whole(struct exchange *x, bool fault)
{
  plan_send(x->plan, buf_bytes(&x->head));
  plan_send(x->plan, buf_bytes(&x->body));
  exchange_end_whole(x, fault);
  x->is_whole = fault;
}

void exchange_send_error(struct exchange *x, const struct provider_error *e,
                         const char *kind)
{
  struct value_scope s = exchange_scope(x);
  buf_reset(&x->body);
  x->provider->error_body(e, &s, &x->body);
  exchange_open_head(x, e->status, e->reason, x->provider->json_type);
  add_family(x, e->headers);
  if (kind) {
    add_retry_after(x);
    add_step_headers(x);
    add_injected(x, kind);
    exchange_tell_coding(x);
    exchange_code_body(x);
  }
  snprintf(x->attempt->what, sizeof x->attempt->what, "%d %s", e->status,
           e->name);
  exchange_close_head(x, (int64_t)x->body.n);
  send_whole(x, kind);
}

void exchange_error(struct exchange *x, const char *name)
{
  const struct provider_error *e = provider_error_find(x->provider, name);
  /* the loader refuses names the provider does not have */
  exchange_send_error(x, e ? e : x->provider->errors, x->fault->name);
}

void exchange_send_json(struct exchange *x, int status, struct bytes body)
{
  buf_reset(&x->body);
  buf_addb(&x->body, body);
  exchange_open_head(x, status, NULL, "application/json");
  exchange_close_head(x, (int64_t)x->body.n);
  send_whole(x, false);
}

static const char *guess_type(const struct exchange *x)
{
  char c = x->body.n ? x->body.p[0] : '\0';
  return c == '{' || c == '[' ? x->provider->json_type
         : c == '<'           ? "text/html"
                              : "text/plain; charset=utf-8";
}

static bool step_sets(const struct exchange *x, const char *name)
{
  const cJSON *pair;
  cJSON_ArrayForEach(pair, param_node(exchange_step(x), "headers"))
  {
    if (bytes_equal_nocase(bytes_of(pair->child->valuestring), bytes_of(name)))
      return true;
  }
  return false;
}

void exchange_answer(struct exchange *x, const struct exchange_answer *a)
{
  struct value_scope s = exchange_scope(x);
  buf_reset(&x->body);
  if (a->text)
    value_expand(bytes_of(a->text), &s, &x->body);
  else
    buf_addb(&x->body, a->raw);
  snprintf(x->attempt->what, sizeof x->attempt->what, "%d", a->status);
  if (!a->default_headers) {
    exchange_code_body(x);
    buf_reset(&x->head);
    add_status_line(x, a->status, a->reason);
    add_retry_after(x);
    add_step_headers(x);
    buf_adds(&x->head, "\r\n");
    send_whole(x, true);
    return;
  }
  bool typed = x->body.n && !step_sets(x, "content-type");
  exchange_open_head(x, a->status, a->reason, typed ? guess_type(x) : NULL);
  add_family(x, x->provider->headers);
  add_retry_after(x);
  add_step_headers(x);
  add_injected(x, x->fault->name);
  exchange_tell_coding(x);
  exchange_code_body(x);
  if (step_sets(x, "content-length") || step_sets(x, "transfer-encoding"))
    buf_adds(&x->head, "\r\n");
  else
    exchange_close_head(x, (int64_t)x->body.n);
  send_whole(x, true);
}

/* The head of a good answer up to its framing. */
static void open_reply(struct exchange *x, int status, const char *type)
{
  exchange_open_head(x, status, NULL, type);
  add_family(x, x->provider->headers);
  if (x->limit_headers.n)
    buf_addb(&x->head, x->limit_headers);
  if (x->step)
    add_step_headers(x);
  if (x->injecting)
    add_injected(x, x->attempt->fault);
  if (x->step)
    exchange_tell_coding(x);
}

/* What is no generation call has an answer of its own. */
static void make_side_head(struct exchange *x)
{
  const char *type = NULL;
  int status = side_render(x, &type);
  exchange_code_body(x);
  open_reply(x, status, type);
  /* 204 has no body and so no length (RFC 9110 8.6) */
  if (status == 204)
    buf_adds(&x->head, "\r\n");
  else
    exchange_close_head(x, (int64_t)x->body.n);
}

void exchange_send_side(struct exchange *x)
{
  make_side_head(x);
  send_whole(x, false);
}

static void side_head(struct exchange *x)
{
  make_side_head(x);
  plan_send(x->plan, buf_bytes(&x->head));
  plan_mark(x->plan, MARK_HEAD);
}

void exchange_plain_head(struct exchange *x)
{
  if (x->call->endpoint != ENDPOINT_GENERATE) {
    side_head(x);
    return;
  }
  const struct reply *r = exchange_make_reply(x);
  buf_reset(&x->body);
  x->provider->plain(r, &x->body);
  exchange_code_body(x);
  plan_delay(x->plan, exchange_making_ns(x));
  open_reply(x, 200, x->provider->json_type);
  exchange_close_head(x, (int64_t)x->body.n);
  plan_send(x->plan, buf_bytes(&x->head));
  plan_mark(x->plan, MARK_HEAD);
  exchange_what(x, "200 message");
}

void exchange_plain_body(struct exchange *x)
{
  plan_send(x->plan, buf_bytes(&x->body));
  plan_mark(x->plan, MARK_COMPLETE);
  exchange_keep(x);
}

/* The step's own head, whole: its headers say how the body is framed. */
static bool own_stream_head(struct exchange *x)
{
  bool usual = true;
  if (!param_bool(exchange_step(x), "default_headers", &usual) || usual)
    return false;
  buf_reset(&x->head);
  add_status_line(x, 200, NULL);
  add_step_headers(x);
  buf_adds(&x->head, "\r\n");
  return true;
}

static void usual_stream_head(struct exchange *x)
{
  open_reply(x, 200,
             x->call->as_array ? x->provider->json_type
                               : x->provider->stream_type);
  buf_adds(&x->head, "cache-control: no-cache\r\n");
  exchange_close_head(x, -1);
}

void exchange_stream_head(struct exchange *x)
{
  exchange_make_reply(x);
  if (!own_stream_head(x))
    usual_stream_head(x);
  plan_send(x->plan, buf_bytes(&x->head));
  plan_mark(x->plan, MARK_HEAD);
  exchange_open_out(x);
  x->is_stream = true;
  x->attempt->stream_sent = true;
  exchange_what(x, "200 message");
}

void exchange_reply(struct exchange *x)
{
  if (!exchange_wants_stream(x)) {
    exchange_plain_head(x);
    exchange_plain_body(x);
    return;
  }
  exchange_stream_head(x);
  exchange_send_events(x, 0, exchange_events(x));
  exchange_end_stream(x, true);
}
