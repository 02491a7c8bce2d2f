#include "mockserver/engine_priv.h"

#include "mockserver/exchange_open.h"
#include "mockserver/mask.h"
#include "mockserver/tls.h"

static void keep_word(char *to, size_t size, struct bytes from)
{
  size_t n = from.n < size - 1 ? from.n : size - 1;
  if (n)
    memcpy(to, from.p, n);
  to[n] = '\0';
}

/* ---- the request's part of an attempt ---- */

static size_t header_room(const struct request *r)
{
  size_t n = 1;
  for (size_t i = 0; i < r->nheaders; i++) {
    const struct header *h = &r->headers[i];
    /* a masked value may be longer than a value of one byte */
    n += h->name.n + 2 + h->value.n + 3 + 1;
  }
  return n;
}

/* The journal keeps lines: bytes that would break one are shown as '?'. */
static char *copy_line(char *out, struct bytes from)
{
  for (size_t i = 0; i < from.n; i++) {
    char byte = from.p[i];
    *out++ = byte == '\0' || byte == '\n' ? '?' : byte;
  }
  return out;
}

static char *copy_headers(char *out, const struct request *r)
{
  for (size_t i = 0; i < r->nheaders; i++) {
    const struct header *h = &r->headers[i];
    out = copy_line(out, h->name);
    *out++ = ':';
    *out++ = ' ';
    out = mask_is_secret(h->name) ? mask_value(out, h->value)
                                  : copy_line(out, h->value);
    *out++ = '\n';
  }
  *out++ = '\0';
  return out;
}

/* All texts in one piece of the journal's memory. */
static void keep_texts(struct engine *e, struct attempt *a,
                       const struct request *r)
{
  size_t kept = r->body.n < JOURNAL_BODY_BYTES ? r->body.n : JOURNAL_BODY_BYTES;
  if (!journal_keeps_bodies(e->o.journal))
    kept = 0;
  char *out =
      journal_text(e->o.journal, a,
                   mask_target_room(r->target) + 1 + header_room(r) + kept + 1);
  a->target = out;
  out = mask_target(out, r->target);
  *out++ = '\0';
  a->headers = out;
  out = copy_headers(out, r);
  a->body = out;
  if (kept)
    memcpy(out, r->body.p, kept);
  out[kept] = '\0';
  a->body_kept = kept;
}

/* Not in the journal before attempt_begin(). */
static struct attempt *attempt_draft(struct engine *e, const struct conn *c,
                                     const struct request *r)
{
  struct attempt *a = journal_draft(e->o.journal);
  a->conn_id = c->id;
  a->first_byte_ns = r->first_byte_ns;
  a->end_request_ns = r->end_ns;
  if (c->tls)
    keep_word(a->tls, sizeof a->tls, bytes_of(tls_version(c->tls)));
  keep_word(a->method, sizeof a->method, r->method);
  a->body_hash = r->has_hash ? r->body_hash : bytes_hash(r->body);
  a->flaws = c->flaws;
  a->body_bytes = r->body.n;
  keep_texts(e, a, r);
  return a;
}

static void attempt_begin(struct engine *e, struct conn *c, struct attempt *a)
{
  journal_enter(e->o.journal, a);
  c->attempt = a;
  e->open_attempts++;
  e->requests++;
  if (e->on_attempt)
    e->on_attempt(e->on_attempt_arg, a);
}

/* ---- from a request to a plan ---- */

/* From op `i` on: one that was passed has told it. */
static bool has_head_mark(const struct plan *p, size_t i)
{
  for (; i < p->nops; i++)
    if (p->ops[i].kind == OP_MARK && p->ops[i].mark == MARK_HEAD)
      return true;
  return false;
}

/* The status counts as sent when the plan passes its MARK_HEAD. */
void conn_hold_status(struct conn *c)
{
  if (!c->attempt || !has_head_mark(c->plan, c->pc))
    return;
  c->status = c->attempt->status;
  c->attempt->status = 0;
}

void conn_begin_plan(struct engine *e, struct conn *c)
{
  timers_drop(&e->timers, &c->timer);
  parser_leave(e, c);
  c->state = CONN_PLAN;
  c->pc = 0;
  c->off = 0;
  c->started = false;
  conn_make_ready(e, c);
}

void conn_decide(struct engine *e, struct conn *c, struct request *r,
                 bool early)
{
  bool unlogged = false;
  struct attempt *a = attempt_draft(e, c, r);
  c->requests++;
  c->plan = plan_take(e);
  c->pc = 0;
  c->plan->early = early;
  e->o.handler(e->o.handler_arg, r, c->plan, a, &unlogged);
  if (unlogged)
    journal_forget(e->o.journal, a);
  else
    attempt_begin(e, c, a);
  conn_hold_status(c);
  conn_begin_plan(e, c);
}

/* ---- handshakes ---- */

struct attempt *conn_note_handshake(struct engine *e, struct conn *c,
                                    const struct handshake_note *note)
{
  struct request r = {.conn_id = c->id,
                      .method = BYTES("TLS"),
                      .target = bytes_of(note->server_name),
                      .first_byte_ns = c->first_byte_ns,
                      .end_ns = clock_now_ns(e->o.clock)};
  struct attempt *a = attempt_draft(e, c, &r);
  a->cls = ATTEMPT_HANDSHAKE;
  a->step = -1;
  a->injected = note->injected;
  keep_word(a->rule, sizeof a->rule, bytes_of(note->rule));
  keep_word(a->fault, sizeof a->fault, bytes_of(note->fault));
  keep_word(a->what, sizeof a->what, bytes_of(note->what));
  attempt_begin(e, c, a);
  return a;
}

/* ---- requests nobody is asked about ---- */

static void send_short(struct plan *p, const char *status, const char *text)
{
  char head[256];
  snprintf(head, sizeof head,
           "HTTP/1.1 %s\r\ncontent-type: text/plain\r\n"
           "content-length: %zu\r\nconnection: close\r\n\r\n",
           status, strlen(text));
  plan_send(p, bytes_of(head));
  plan_send(p, bytes_of(text));
  plan_fin(p);
}

void conn_refuse_body(struct engine *e, struct conn *c, struct request *r)
{
  struct attempt *a = attempt_draft(e, c, r);
  a->cls = ATTEMPT_REFUSED;
  a->status = 413;
  snprintf(a->what, sizeof a->what, "413 body over the limit of %zu bytes",
           e->o.max_body_bytes);
  snprintf(a->rule, sizeof a->rule, "body limit");
  c->plan = plan_take(e);
  send_short(c->plan, "413 Content Too Large",
             "faultwire: the request body is over the server's limit\n");
  attempt_begin(e, c, a);
  conn_begin_plan(e, c);
}

/* The first bytes of what waits stand in the journal as the body. */
static struct bytes first_bytes(const struct conn *c)
{
  size_t n = c->pending < sizeof c->first ? c->pending : sizeof c->first;
  return (struct bytes){(const char *)c->first, n};
}

void conn_refuse_head(struct engine *e, struct conn *c, const struct refusal *x)
{
  char status[64], text[160];
  struct request r = {.conn_id = c->id,
                      .method = x->method,
                      .target = x->target,
                      .body = first_bytes(c),
                      .first_byte_ns = c->first_byte_ns,
                      .end_ns = clock_now_ns(e->o.clock)};
  c->flaws = x->flaws;
  struct attempt *a = attempt_draft(e, c, &r);
  a->cls = ATTEMPT_REFUSED;
  a->status = x->status;
  snprintf(a->rule, sizeof a->rule, "refused");
  snprintf(a->what, sizeof a->what, "%d %s", x->status, x->text);
  snprintf(status, sizeof status, "%d %s", x->status, reason_phrase(x->status));
  snprintf(text, sizeof text, "faultwire: %s\n", x->text);
  c->plan = plan_take(e);
  send_short(c->plan, status, text);
  attempt_begin(e, c, a);
  conn_begin_plan(e, c);
}

void conn_refuse_no_room(struct engine *e, struct conn *c, struct request *r)
{
  struct attempt *a = attempt_draft(e, c, r);
  a->cls = ATTEMPT_REFUSED;
  a->status = 500;
  snprintf(a->what, sizeof a->what, "500 no room for the body");
  snprintf(a->rule, sizeof a->rule, "body limit");
  c->plan = plan_take(e);
  send_short(c->plan, "500 Internal Server Error",
             "faultwire: there is no room to keep the request body\n");
  attempt_begin(e, c, a);
  conn_begin_plan(e, c);
}

void conn_refuse(struct engine *e, struct conn *c, const char *what,
                 uint64_t answered)
{
  struct request r = {.conn_id = c->id,
                      .first_byte_ns = c->first_byte_ns,
                      .end_ns = clock_now_ns(e->o.clock)};
  if (c->intake)
    r.target = buf_bytes(&c->intake->target);
  r.body = first_bytes(c);
  struct attempt *a = attempt_draft(e, c, &r);
  a->cls = ATTEMPT_REFUSED;
  a->bytes_sent = answered;
  if (answered)
    a->answer_first_ns = a->answer_last_ns = r.end_ns;
  snprintf(a->rule, sizeof a->rule, "refused");
  snprintf(a->what, sizeof a->what, "%s", what);
  c->sent_bytes += answered;
  c->plan = plan_take(e);
  if (c->timed_out) {
    a->status = 408;
    send_short(c->plan, "408 Request Timeout",
               "faultwire: the request was not whole in time\n");
  } else {
    plan_fin(c->plan);
  }
  attempt_begin(e, c, a);
  conn_begin_plan(e, c);
}
