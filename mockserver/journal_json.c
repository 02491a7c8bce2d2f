#include "mockserver/journal.h"

#include <assert.h>
#include <inttypes.h>

const char *attempt_end_name(enum attempt_end e)
{
  static const char *const names[] = {
      [END_OPEN] = "open", [END_KEPT] = "kept",     [END_FIN] = "fin",
      [END_RST] = "rst",   [END_CLOSED] = "closed", [END_CLIENT] = "client"};
  assert((size_t)e < sizeof names / sizeof *names);
  return names[e];
}

const char *attempt_class_name(enum attempt_class c)
{
  static const char *const names[] = {[ATTEMPT_CALL] = "call",
                                      [ATTEMPT_SIDE] = "side",
                                      [ATTEMPT_REFUSED] = "refused"};
  assert((size_t)c < sizeof names / sizeof *names);
  return names[c];
}

static void key(struct buf *b, const char *name)
{
  if (b->n && b->p[b->n - 1] != '{')
    buf_addc(b, ',');
  buf_addc(b, '"');
  buf_adds(b, name);
  buf_add(b, "\":", 2);
}

static void add_text(struct buf *b, const char *name, const char *value)
{
  key(b, name);
  buf_add_json(b, bytes_of(value ? value : ""));
}

/* Decimal by hand: printf is a third of a record's cost. */
static void add_number(struct buf *b, const char *name, uint64_t value)
{
  char digits[20]; /* 2^64 has 20 */
  size_t at = sizeof digits;
  key(b, name);
  do
    digits[--at] = (char)('0' + value % 10);
  while (value /= 10);
  buf_add(b, digits + at, sizeof digits - at);
}

static void add_signed(struct buf *b, const char *name, int64_t value)
{
  if (value >= 0) {
    add_number(b, name, (uint64_t)value);
    return;
  }
  key(b, name);
  buf_addf(b, "%" PRId64, value);
}

static void add_bool(struct buf *b, const char *name, bool value)
{
  key(b, name);
  buf_adds(b, value ? "true" : "false");
}

/* "name: value\n" lines as [["name","value"], ...]. */
static void add_headers(struct buf *b, const char *lines)
{
  key(b, "headers");
  buf_addc(b, '[');
  for (const char *p = lines ? lines : ""; *p;) {
    const char *end = strchr(p, '\n');
    size_t n = end ? (size_t)(end - p) : strlen(p);
    ptrdiff_t colon = bytes_find((struct bytes){p, n}, BYTES(": "));
    size_t name = colon < 0 ? n : (size_t)colon;
    size_t value = colon < 0 ? n : name + 2;
    buf_adds(b, p == lines ? "[" : ",[");
    buf_add_json(b, (struct bytes){p, name});
    buf_addc(b, ',');
    buf_add_json(b, (struct bytes){p + value, n - value});
    buf_addc(b, ']');
    p += n + (end != NULL);
  }
  buf_addc(b, ']');
}

static void add_request(const struct attempt *a, struct buf *b)
{
  add_signed(b, "first_byte_ns", a->first_byte_ns);
  add_signed(b, "end_request_ns", a->end_request_ns);
  add_text(b, "method", a->method);
  add_text(b, "target", a->target);
  add_headers(b, a->headers);
  key(b, "body_hash"); /* text: a JSON number is exact to 2^53 only */
  buf_addf(b, "\"%016" PRIx64 "\"", a->body_hash);
  add_number(b, "body_bytes", a->body_bytes);
  key(b, "body");
  buf_add_json(b, (struct bytes){a->body, a->body_kept});
  if (a->pipelined_bytes)
    add_number(b, "pipelined_bytes", a->pipelined_bytes);
  add_text(b, "lane", a->lane);
  add_text(b, "provider", a->provider);
  add_text(b, "model", a->model);
  add_bool(b, "stream", a->stream);
  add_signed(b, "retry_count", a->retry_count);
  add_text(b, "idempotency_key", a->idempotency_key);
}

static void add_decision(const struct attempt *a, struct buf *b)
{
  add_signed(b, "step", a->step);
  add_text(b, "rule", a->rule);
  add_text(b, "fault", a->fault);
  add_signed(b, "status", a->status);
  add_text(b, "what", a->what);
  if (a->has_retry_after) {
    add_text(b, "retry_after", a->retry_after);
  } else {
    key(b, "retry_after");
    buf_adds(b, "null");
  }
  add_bool(b, "injected", a->injected);
  add_bool(b, "delivered", a->delivered);
  add_bool(b, "complete", a->complete);
  add_bool(b, "stream_sent", a->stream_sent);
  add_bool(b, "terminal_sent", a->terminal_sent);
  add_number(b, "events_sent", a->events_sent);
}

void attempt_json(const struct attempt *a, struct buf *ret)
{
  buf_addc(ret, '{');
  add_number(ret, "seq", a->seq);
  add_number(ret, "conn", a->conn_id);
  add_text(ret, "class", attempt_class_name(a->cls));
  add_text(ret, "end", attempt_end_name(a->end));
  add_request(a, ret);
  add_decision(a, ret);
  add_number(ret, "bytes_sent", a->bytes_sent);
  add_signed(ret, "answer_first_ns", a->answer_first_ns);
  add_signed(ret, "answer_last_ns", a->answer_last_ns);
  add_signed(ret, "client_left_ns", a->client_left_ns);
  buf_addc(ret, '}');
}
