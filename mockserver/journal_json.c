#include "mockserver/journal.h"

#include "mockserver/base64.h"
#include "mockserver/request_check.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

const char *attempt_end_name(enum attempt_end e)
{
  static const char *const names[] = {
      [END_OPEN] = "open", [END_KEPT] = "kept",     [END_FIN] = "fin",
      [END_RST] = "rst",   [END_CLOSED] = "closed", [END_CLIENT] = "client",
      [END_EXIT] = "exit"};
  assert((size_t)e < sizeof names / sizeof *names);
  return names[e];
}

const char *attempt_class_name(enum attempt_class c)
{
  static const char *const names[] = {[ATTEMPT_CALL] = "call",
                                      [ATTEMPT_SIDE] = "side",
                                      [ATTEMPT_REFUSED] = "refused",
                                      [ATTEMPT_HANDSHAKE] = "handshake"};
  assert((size_t)c < sizeof names / sizeof *names);
  return names[c];
}

/* The key with its comma: one copy instead of four. */
#define KEY(name) BYTES(",\"" name "\":")

static void add_text(struct buf *b, struct bytes key, const char *value)
{
  buf_addb(b, key);
  buf_add_json(b, bytes_of(value ? value : ""));
}

/* Decimal by hand: printf is a third of a record's cost. */
static void add_number(struct buf *b, struct bytes key, uint64_t value)
{
  char digits[20]; /* 2^64 has 20 */
  size_t at = sizeof digits;
  buf_addb(b, key);
  do
    digits[--at] = (char)('0' + value % 10);
  while (value /= 10);
  buf_add(b, digits + at, sizeof digits - at);
}

static void add_signed(struct buf *b, struct bytes key, int64_t value)
{
  if (value >= 0) {
    add_number(b, key, (uint64_t)value);
    return;
  }
  buf_addb(b, key);
  buf_addf(b, "%" PRId64, value);
}

/* Sixteen hexadecimal digits, as text: a JSON number is exact to 2^53 only. */
static void add_hash(struct buf *b, struct bytes key, uint64_t value)
{
  char text[18];
  text[0] = text[17] = '"';
  for (int i = 16; i > 0; i--, value >>= 4)
    text[i] = "0123456789abcdef"[value & 15];
  buf_addb(b, key);
  buf_add(b, text, sizeof text);
}

static void add_bool(struct buf *b, struct bytes key, bool value)
{
  buf_addb(b, key);
  buf_addb(b, value ? BYTES("true") : BYTES("false"));
}

/* Where ": " is in a line of `n` bytes; n: nowhere. */
static size_t find_colon(const char *p, size_t n)
{
  for (const char *at = p; (at = memchr(at, ':', n - (size_t)(at - p))); at++)
    if ((size_t)(at - p) + 1 < n && at[1] == ' ')
      return (size_t)(at - p);
  return n;
}

/* "name: value\n" lines as [["name","value"], ...]. False when the lines
 * cannot be made of them again: one has no colon, or no end. */
static bool add_headers(struct buf *b, const char *lines)
{
  bool exact = true;
  buf_addb(b, KEY("headers"));
  buf_addc(b, '[');
  for (const char *p = lines ? lines : ""; *p;) {
    const char *end = strchr(p, '\n');
    size_t n = end ? (size_t)(end - p) : strlen(p);
    size_t name = find_colon(p, n);
    size_t value = name == n ? n : name + 2;
    exact = exact && name < n && end;
    buf_addb(b, p == lines ? BYTES("[") : BYTES(",["));
    buf_add_json(b, (struct bytes){p, name});
    buf_addc(b, ',');
    buf_add_json(b, (struct bytes){p + value, n - value});
    buf_addc(b, ']');
    p += n + (end != NULL);
  }
  buf_addc(b, ']');
  return exact;
}

/* Words with their NULs as a list. */
static void add_words(struct buf *b, struct bytes key, const char *p, size_t n)
{
  buf_addb(b, key);
  buf_addc(b, '[');
  for (size_t at = 0; at < n; at += strlen(p + at) + 1) {
    if (at)
      buf_addc(b, ',');
    buf_add_json(b, bytes_of(p + at));
  }
  buf_addc(b, ']');
}

static void add_flaws(uint32_t flaws, struct buf *b)
{
  bool more = false;
  buf_addb(b, KEY("flaws"));
  buf_addc(b, '[');
  for (int i = 0; i < FLAWS; i++) {
    if (!(flaws & UINT32_C(1) << i))
      continue;
    if (more)
      buf_addc(b, ',');
    buf_add_json(b, bytes_of(flaw_text((enum flaw)i)));
    more = true;
  }
  buf_addc(b, ']');
}

static void add_start(const struct attempt *a, struct buf *b)
{
  add_text(b, KEY("channel"), "command");
  add_words(b, KEY("argv"), a->argv, a->argv_bytes);
  add_words(b, KEY("env"), a->env, a->env_bytes);
  if (a->end != END_EXIT)
    return;
  if (a->exit_signal)
    add_signed(b, KEY("exit_signal"), a->exit_signal);
  else
    add_signed(b, KEY("exit_code"), a->exit_code);
}

/* A NUL becomes U+FFFD, as bytes that are no UTF-8 do: many readers end a
 * string at a \u0000. The bytes are in base64 then. */
static void add_body(const struct attempt *a, struct buf *b)
{
  struct bytes body = {a->body, a->body_kept};
  buf_addb(b, KEY("body"));
  if (!body.n || !memchr(body.p, '\0', body.n)) {
    buf_add_json(b, body);
    return;
  }
  char *copy = bytes_dup(body);
  for (size_t i = 0; i < body.n; i++)
    if (copy[i] == '\0')
      copy[i] = '\xff';
  buf_add_json(b, (struct bytes){copy, body.n});
  free(copy);
}

/* False when the headers alone do not say what came. */
static bool add_request(const struct attempt *a, struct buf *b)
{
  add_signed(b, KEY("first_byte_ns"), a->first_byte_ns);
  add_signed(b, KEY("end_request_ns"), a->end_request_ns);
  if (a->tls[0])
    add_text(b, KEY("tls"), a->tls);
  add_text(b, KEY("method"), a->method);
  add_text(b, KEY("target"), a->target);
  bool exact = add_headers(b, a->headers);
  add_hash(b, KEY("body_hash"), a->body_hash);
  add_number(b, KEY("body_bytes"), a->body_bytes);
  add_body(a, b);
  if (a->flaws)
    add_flaws(a->flaws, b);
  if (a->pipelined_bytes)
    add_number(b, KEY("pipelined_bytes"), a->pipelined_bytes);
  if (a->is_start)
    add_start(a, b);
  add_text(b, KEY("lane"), a->lane);
  add_text(b, KEY("provider"), a->provider);
  add_text(b, KEY("model"), a->model);
  add_bool(b, KEY("stream"), a->stream);
  add_signed(b, KEY("retry_count"), a->retry_count);
  add_text(b, KEY("idempotency_key"), a->idempotency_key);
  return exact;
}

static void add_events(const struct event_times *t, struct buf *b)
{
  if (!t || t->n == 0)
    return;
  buf_addb(b, KEY("events"));
  for (uint32_t i = 0; i < t->n; i++) {
    const char end[] = {',', '"', t->kind[i], '"', ']'};
    add_signed(b, i ? BYTES(",[") : BYTES("[["), t->ns[i]);
    buf_add(b, end, sizeof end);
  }
  buf_addc(b, ']');
}

static void add_decision(const struct attempt *a, struct buf *b)
{
  add_signed(b, KEY("step"), a->step);
  add_text(b, KEY("rule"), a->rule);
  if (a->script > 1) /* nothing was armed beside the first: no news */
    add_number(b, KEY("script"), a->script);
  add_text(b, KEY("fault"), a->fault);
  add_signed(b, KEY("status"), a->status);
  add_text(b, KEY("what"), a->what);
  if (a->has_retry_after) {
    add_text(b, KEY("retry_after"), a->retry_after);
  } else {
    buf_addb(b, KEY("retry_after"));
    buf_adds(b, "null");
  }
  add_bool(b, KEY("injected"), a->injected);
  add_bool(b, KEY("delivered"), a->delivered);
  add_bool(b, KEY("complete"), a->complete);
  add_bool(b, KEY("stream_sent"), a->stream_sent);
  add_bool(b, KEY("terminal_sent"), a->terminal_sent);
  add_number(b, KEY("events_sent"), a->events_sent);
  add_events(a->events, b);
}

static void add_barrier(const struct attempt *a, struct buf *b)
{
  if (!a->barrier_round)
    return;
  add_number(b, KEY("barrier_round"), a->barrier_round);
  add_number(b, KEY("barrier_came"), a->barrier_came);
  add_number(b, KEY("barrier_wanted"), a->barrier_wanted);
  add_signed(b, KEY("barrier_open_ns"), a->barrier_open_ns);
}

/* JSON strings hold it, and give it back; `words`: each with its NUL. */
static bool is_plain(struct bytes raw, bool words)
{
  for (size_t i = 0, k; i < raw.n; i += k) {
    k = bytes_utf8_length((struct bytes){raw.p + i, raw.n - i});
    if (k == 0 || (raw.p[i] == '\0' && !words))
      return false;
  }
  return true;
}

/* What JSON strings cannot hold, once more as it came. */
static void add_base64(const struct attempt *a, bool headers, struct buf *b)
{
  const struct {
    const char *name;
    struct bytes raw;
  } rows[] = {{"method", bytes_of(a->method)},
              {"target", bytes_of(a->target ? a->target : "")},
              {"headers", bytes_of(a->headers ? a->headers : "")},
              {"body", {a->body, a->body_kept}},
              {"lane", bytes_of(a->lane)},
              {"model", bytes_of(a->model)},
              {"idempotency_key", bytes_of(a->idempotency_key)},
              {"what", bytes_of(a->what)},
              {"retry_after", bytes_of(a->retry_after)},
              {"argv", {a->argv, a->argv_bytes}},
              {"env", {a->env, a->env_bytes}}};
  enum { WORDS = sizeof rows / sizeof *rows - 2 };
  const char *comma = "";
  buf_addb(b, KEY("base64"));
  buf_addc(b, '{');
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    bool kept = headers || strcmp(rows[i].name, "headers") != 0;
    if (kept && is_plain(rows[i].raw, i >= WORDS))
      continue;
    buf_addf(b, "%s\"%s\":\"", comma, rows[i].name);
    base64_encode(rows[i].raw, b);
    buf_addc(b, '"');
    comma = ",";
  }
  buf_addc(b, '}');
}

/* Looked at once for all texts: nearly every attempt is plain. */
static bool is_exact(struct bytes line)
{
  return bytes_find(line, BYTES("\xef\xbf\xbd")) < 0;
}

void attempt_json(const struct attempt *a, struct buf *ret)
{
  size_t begin = ret->n;
  add_number(ret, BYTES("{\"seq\":"), a->seq);
  add_number(ret, KEY("conn"), a->conn_id);
  add_text(ret, KEY("class"), attempt_class_name(a->cls));
  add_text(ret, KEY("end"), attempt_end_name(a->end));
  bool headers = add_request(a, ret);
  add_decision(a, ret);
  add_barrier(a, ret);
  if (a->limits[0])
    add_text(ret, KEY("limits"), a->limits);
  add_number(ret, KEY("bytes_sent"), a->bytes_sent);
  add_signed(ret, KEY("answer_first_ns"), a->answer_first_ns);
  add_signed(ret, KEY("answer_last_ns"), a->answer_last_ns);
  add_signed(ret, KEY("client_left_ns"), a->client_left_ns);
  if (!headers || !is_exact((struct bytes){ret->p + begin, ret->n - begin}))
    add_base64(a, headers, ret);
  buf_addc(ret, '}');
}
