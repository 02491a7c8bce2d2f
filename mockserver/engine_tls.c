#include "mockserver/engine_io.h"

#include <assert.h>

/* ContentType handshake (RFC 8446 5.1); no request begins with this byte. */
#define HANDSHAKE_RECORD 0x16

bool secure_wanted(const char *p, size_t n)
{
  return n >= 1 && p[0] == HANDSHAKE_RECORD;
}

/* ---- faults ---- */

/* "stall after the ServerHello, for 2 s" */
static void describe(const struct tls_fault *f, char *ret, size_t size)
{
  const char *where =
      f->after_server_hello ? "after the ServerHello" : "after the ClientHello";
  if (f->kind->act == TLS_ALERT)
    snprintf(ret, size, "alert %s", f->alert_name);
  else if (f->kind->act == TLS_STALL && f->for_ns != INT64_MAX)
    snprintf(ret, size, "stall %s, for %.15g s", where,
             (double)f->for_ns / (double)NS_PER_S);
  else if (f->kind->act <= TLS_FIN)
    snprintf(ret, size, "%s %s", f->kind->name, where);
  else
    snprintf(ret, size, "%s", f->kind->name);
}

static void send_alert(struct plan *p, const struct tls_fault *f)
{
  /* RFC 8446 5.1 and 6: type alert, version, two bytes: fatal and which */
  const char record[] = {0x15, 3, 3, 0, 2, 2, (char)f->alert};
  plan_send(p, (struct bytes){record, sizeof record});
}

static void send_http(struct plan *p)
{
  plan_send(p, BYTES("HTTP/1.1 400 Bad Request\r\n"
                     "content-type: text/plain\r\n"
                     "content-length: 34\r\n"
                     "connection: close\r\n\r\n"
                     "faultwire: this port speaks HTTP.\n"));
}

/* What of the server's flight goes out before the fault, and what after. */
static void write_plan(struct plan *p, const struct tls_fault *f,
                       const struct tls *t)
{
  struct bytes all = tls_held(t), first = tls_held_record(t);
  if (f->kind->act == TLS_GO_ON)
    first = all;
  else if (!f->after_server_hello)
    first.n = 0;
  plan_send(p, first);
  if (f->kind->act == TLS_ALERT)
    send_alert(p, f);
  else if (f->kind->act == TLS_PLAIN_HTTP)
    send_http(p);
  plan_mark(p, MARK_FAULT);
  if (f->kind->act == TLS_RESET) {
    plan_rst(p);
  } else if (f->kind->act == TLS_STALL && f->for_ns == INT64_MAX) {
    plan_stall(p);
  } else if (f->kind->act == TLS_STALL) {
    plan_delay(p, f->for_ns);
    plan_send(p, (struct bytes){all.p + first.n, all.n - first.n});
    plan_handshake(p);
  } else if (f->kind->act == TLS_GO_ON) {
    plan_handshake(p);
  } else {
    plan_fin(p);
  }
}

/* The attempt that tells of the fault; it is still to be carried out. */
static struct attempt *note_fault(struct engine *e, struct conn *c)
{
  const struct tls_fault *f = c->tls_fault;
  char what[96], rule[32], fault[32];
  describe(f, what, sizeof what);
  snprintf(rule, sizeof rule, "tls %zu", f->index);
  snprintf(fault, sizeof fault, "tls_%.26s", f->kind->name);
  struct handshake_note note = {tls_server_name(c->tls), rule, fault, what,
                                true};
  return conn_note_handshake(e, c, &note);
}

static void forget_fault(struct conn *c)
{
  free(c->tls_fault);
  c->tls_fault = NULL;
}

/* The ClientHello is in: its answer is held, and the fault does with it what
 * it is to do. */
static void act(struct engine *e, struct conn *c)
{
  const struct tls_fault *f = c->tls_fault;
  c->plan = plan_take(e);
  write_plan(c->plan, f, c->tls);
  tls_hold(c->tls, false);
  if (strcmp(f->kind->name, "no_close_notify") == 0)
    tls_set_silent(c->tls);
  note_fault(e, c);
  forget_fault(c);
  conn_begin_plan(e, c);
}

/* ---- the course of a handshake ---- */

void secure_settle(struct engine *e, struct conn *c, enum attempt_end end)
{
  struct attempt *a = c->attempt;
  if (!a || a->cls != ATTEMPT_HANDSHAKE)
    return;
  if (end == END_KEPT)
    a->complete = true;
  else if (!a->client_left_ns)
    a->client_left_ns = clock_now_ns(e->o.clock);
  conn_attempt_end(e, c, end);
}

/* What happened is told by the attempt of its fault, or by one of its own. A
 * client may have no version the fault leaves. */
static void note_failure(struct engine *e, struct conn *c, const char *what)
{
  struct attempt *a = c->attempt;
  if (c->tls_fault && c->tls_fault->kind->versions != TLS_ALL) {
    a = note_fault(e, c);
    forget_fault(c);
    a->delivered = true;
  }
  struct handshake_note note = {tls_server_name(c->tls), "handshake", "none",
                                what, false};
  if (!a) {
    conn_note_handshake(e, c, &note);
    return;
  }
  size_t n = strlen(a->what);
  snprintf(a->what + n, sizeof a->what - n, ": %s", what);
}

static void give_up(struct engine *e, struct conn *c, const char *what)
{
  timers_drop(&e->timers, &c->timer);
  note_failure(e, c, what);
  conn_attempt_end(e, c, END_FIN);
  conn_linger(e, c);
}

static void is_up(struct engine *e, struct conn *c)
{
  timers_drop(&e->timers, &c->timer);
  if (c->attempt)
    snprintf(c->attempt->tls, sizeof c->attempt->tls, "%.7s",
             tls_version(c->tls));
  c->input = true; /* the request may have come with the handshake's end */
  conn_idle(e, c);
}

void secure_run(struct engine *e, struct conn *c)
{
  enum tls_result r = tls_handshake(c->tls);
  if (c->tls_fault && r == TLS_WAITS && tls_held(c->tls).n) {
    act(e, c);
    return;
  }
  switch (r) {
  case TLS_WAITS:
    break;
  case TLS_UP:
    is_up(e, c);
    break;
  case TLS_LEFT:
    note_failure(e, c, tls_reason(c->tls));
    conn_client_left(e, c);
    break;
  case TLS_FAILED:
    give_up(e, c, tls_reason(c->tls));
    break;
  }
}

void secure_timed_out(struct engine *e, struct conn *c)
{
  give_up(e, c, "the handshake was not whole in time");
}

static void wait_for_client(struct engine *e, struct conn *c)
{
  c->state = CONN_HANDSHAKE;
  timers_set(&e->timers, &c->timer,
             clock_now_ns(e->o.clock) + e->o.request_timeout_ns);
}

void secure_resume(struct engine *e, struct conn *c)
{
  plan_give_back(e, c->plan);
  c->plan = NULL;
  wait_for_client(e, c);
  secure_run(e, c);
}

static const struct tls_kind *ask_for_fault(struct engine *e, struct conn *c)
{
  const struct tls_fault *f =
      e->o.tls_fault ? e->o.tls_fault(e->o.handler_arg) : NULL;
  if (!f)
    return NULL;
  c->tls_fault = mem_alloc(sizeof *f);
  *c->tls_fault = *f;
  return f->kind;
}

void secure_begin(struct engine *e, struct conn *c)
{
  struct diag why = {0};
  if (!e->o.tls) {
    conn_refuse(e, c, "TLS on a plain port: the base URL must be http", 0);
    return;
  }
  const struct tls_kind *kind = ask_for_fault(e, c);
  gnutls_certificate_credentials_t leaf =
      tls_ca_leaf(e->o.tls, kind ? kind->leaf : LEAF_GOOD, &why);
  if (leaf)
    c->tls = tls_new(c->fd, leaf, kind ? kind->versions : TLS_ALL);
  if (!c->tls) {
    conn_refuse(e, c, "no TLS session can be made", 0);
    return;
  }
  tls_hold(c->tls, c->tls_fault != NULL);
  wait_for_client(e, c);
  secure_run(e, c);
}

void secure_release(struct engine *e, struct conn *c)
{
  feed_close(e, c);
  forget_fault(c);
  tls_free(c->tls);
  c->tls = NULL;
}
