#include "mockserver/engine_io.h"

#include <assert.h>
#include <errno.h>
#include <sys/socket.h>

/* One plan may write or read this much, or make this many pieces, before the
 * others get their turn. */
#define TURN_BYTES ((uint64_t)1 << 20)
#define TURN_PIECES 64
#define FILL_BLOCK ((size_t)64 << 10)
#define SENT_TRIES 2000

enum progress {
  OP_DONE,  /* on to the next op */
  OP_AGAIN, /* GENERATE: one piece is out */
  OP_WAITS,
  OP_ENDED /* the plan is over, the connection may be gone */
};

/* ---- bytes ---- */

static void note_sent(struct engine *e, struct conn *c, size_t n)
{
  c->sent_bytes += n;
  struct attempt *a = c->attempt;
  if (!a)
    return;
  a->answer_last_ns = clock_now_ns(e->o.clock);
  if (a->bytes_sent == 0)
    a->answer_first_ns = a->answer_last_ns;
  a->bytes_sent += n;
}

/* Bytes taken by the socket; 0: full, -1: the client is gone. */
static ssize_t write_some(struct engine *e, struct conn *c, const char *p,
                          size_t n)
{
  ssize_t k = io_send(c, p, n);
  if (k > 0)
    note_sent(e, c, (size_t)k);
  else if (k < 0 && (errno == EAGAIN || errno == EINTR))
    return 0;
  return k;
}

static enum progress client_left(struct engine *e, struct conn *c)
{
  conn_client_left(e, c);
  return OP_ENDED;
}

/* Waiting for a moment or for nothing makes sense for a client that is there
 * only. */
static enum progress wait_or_leave(struct engine *e, struct conn *c)
{
  return c->peer_fin ? client_left(e, c) : OP_WAITS;
}

static enum progress wait_until(struct engine *e, struct conn *c,
                                int64_t due_ns)
{
  if (c->peer_fin)
    return client_left(e, c);
  timers_set(&e->timers, &c->timer, due_ns);
  return OP_WAITS;
}

static enum progress yield(struct engine *e, struct conn *c)
{
  conn_make_ready(e, c);
  return OP_WAITS;
}

/* ---- ops ---- */

static enum progress op_send(struct engine *e, struct conn *c,
                             const struct op *op)
{
  const char *p = c->plan->bytes.p + op->at;
  while (c->off < op->n) {
    ssize_t k = write_some(e, c, p + c->off, op->n - (size_t)c->off);
    if (k < 0)
      return client_left(e, c);
    if (k == 0)
      return OP_WAITS;
    c->off += (uint64_t)k;
  }
  return OP_DONE;
}

static enum progress op_fill(struct engine *e, struct conn *c,
                             const struct op *op)
{
  static char block[FILL_BLOCK];
  if (!block[0])
    memset(block, 'x', sizeof block);
  for (uint64_t sent = 0; c->off < op->n;) {
    if (sent >= TURN_BYTES)
      return yield(e, c);
    uint64_t left = op->n - c->off;
    ssize_t k =
        write_some(e, c, block, left < FILL_BLOCK ? (size_t)left : FILL_BLOCK);
    if (k < 0)
      return client_left(e, c);
    if (k == 0)
      return OP_WAITS;
    c->off += (uint64_t)k;
    sent += (uint64_t)k;
  }
  return OP_DONE;
}

static enum progress op_drip(struct engine *e, struct conn *c,
                             const struct op *op)
{
  if (c->timer.place)
    return wait_or_leave(e, c);
  const char *p = c->plan->bytes.p + op->at + c->off;
  size_t left = op->n - (size_t)c->off;
  ssize_t k = write_some(e, c, p, left < op->step ? left : op->step);
  if (k < 0)
    return client_left(e, c);
  c->off += (uint64_t)k;
  if (c->off == op->n)
    return OP_DONE;
  if (k == 0)
    return OP_WAITS;
  return wait_until(e, c, clock_now_ns(e->o.clock) + op->ns);
}

static enum progress op_delay(struct engine *e, struct conn *c,
                              const struct op *op)
{
  if (c->timer.place)
    return wait_or_leave(e, c);
  if (c->off)
    return OP_DONE;
  c->off = 1;
  return wait_until(e, c, clock_now_ns(e->o.clock) + op->ns);
}

static enum progress op_stall(struct engine *e, struct conn *c,
                              const struct op *op)
{
  (void)op;
  return wait_or_leave(e, c);
}

/* Writes a piece; what the socket does not take stays in c->rest. */
static ssize_t write_piece(struct engine *e, struct conn *c, struct buf *piece)
{
  ssize_t k = piece->n ? write_some(e, c, piece->p, piece->n) : 0;
  if (k < 0)
    return -1;
  if (piece == &c->rest)
    buf_consume(piece, (size_t)k);
  else if ((size_t)k < piece->n)
    buf_add(&c->rest, piece->p + k, piece->n - (size_t)k);
  return 0;
}

static void piece_is_out(struct engine *e, struct conn *c, const struct op *op)
{
  c->off++;
  if (c->attempt)
    journal_event(e->o.journal, c->attempt, (enum event_kind)op->event);
  buf_release(&c->rest);
}

/* One piece of GENERATE; OP_WAITS also when the next is not due. */
static enum progress generate_one(struct engine *e, struct conn *c,
                                  const struct op *op)
{
  struct buf *piece = &c->rest;
  if (c->rest.n == 0) {
    int64_t due = c->base_ns + (int64_t)c->off * op->ns;
    if (op->ns && due > clock_now_ns(e->o.clock))
      return wait_until(e, c, due);
    piece = &e->scratch;
    buf_reset(piece);
    if (!op->generate(op->arg, c->off, piece))
      return OP_DONE;
  }
  if (write_piece(e, c, piece) < 0)
    return client_left(e, c);
  if (c->rest.n)
    return OP_WAITS;
  piece_is_out(e, c, op);
  return OP_AGAIN;
}

static enum progress op_generate(struct engine *e, struct conn *c,
                                 const struct op *op)
{
  if (c->timer.place)
    return wait_or_leave(e, c);
  if (!c->started) {
    c->started = true;
    c->base_ns = clock_now_ns(e->o.clock);
  }
  for (int i = 0; i < TURN_PIECES; i++) {
    enum progress p = generate_one(e, c, op);
    if (p != OP_AGAIN)
      return p;
  }
  return yield(e, c);
}

static enum progress op_read_body(struct engine *e, struct conn *c,
                                  const struct op *op)
{
  (void)op;
  for (uint64_t got = 0; c->unread;) {
    if (got >= TURN_BYTES)
      return yield(e, c);
    size_t want = c->unread < TURN_BYTES ? (size_t)c->unread : TURN_BYTES;
    ssize_t n = io_skip(c, want);
    if (n < 0 && errno == EAGAIN)
      return OP_WAITS;
    if (n <= 0)
      return client_left(e, c);
    c->unread -= (uint64_t)n;
    c->read_bytes += (uint64_t)n;
    got += (uint64_t)n;
  }
  return OP_DONE;
}

static enum progress op_wait_input(struct engine *e, struct conn *c,
                                   const struct op *op)
{
  (void)op;
  char byte;
  ssize_t n = io_peek(c, &byte, 1);
  if (n > 0)
    return OP_DONE;
  return n < 0 && errno == EAGAIN ? OP_WAITS : client_left(e, c);
}

/* What is written behind an open gate may move the plan's ops: `op` is not
 * looked at after that. */
static enum progress op_gate(struct engine *e, struct conn *c,
                             const struct op *op)
{
  struct gate *g = op->gate;
  int64_t now = clock_now_ns(e->o.clock);
  if (!g->open && now >= g->due_ns) {
    gate_wait_end(&c->wait); /* it need not be told */
    gate_open(g, now);
  }
  if (g->open) {
    op->more(op->arg, c->plan, c->attempt);
    conn_hold_status(c);
    return OP_DONE;
  }
  if (c->peer_fin)
    return client_left(e, c);
  if (!c->wait.gate)
    gate_wait_at(g, &c->wait);
  return c->timer.place ? OP_WAITS : wait_until(e, c, g->due_ns);
}

static enum progress op_handshake(struct engine *e, struct conn *c,
                                  const struct op *op)
{
  (void)op;
  secure_resume(e, c);
  return OP_ENDED;
}

static enum progress op_port(struct engine *e, struct conn *c,
                             const struct op *op)
{
  (void)c;
  port_change_at(e, op->port, op->ns, op->for_ns);
  return OP_DONE;
}

static enum progress op_mark(struct engine *e, struct conn *c,
                             const struct op *op)
{
  struct attempt *a = c->attempt;
  if (!a)
    return OP_DONE;
  switch (op->mark) {
  case MARK_HEAD:
    a->status = c->status;
    break;
  case MARK_EVENT:
    journal_event(e->o.journal, a, (enum event_kind)op->event);
    break;
  case MARK_TERMINAL:
    journal_terminal(a);
    break;
  case MARK_FAULT:
    a->delivered = true;
    break;
  case MARK_COMPLETE:
    a->complete = true;
    break;
  }
  return OP_DONE;
}

static enum progress op_fin(struct engine *e, struct conn *c,
                            const struct op *op)
{
  (void)op;
  if (c->tls && c->plan->no_notify)
    tls_set_silent(c->tls);
  if (c->tls && !tls_bye(c->tls))
    return OP_WAITS;
  conn_attempt_end(e, c, END_FIN);
  conn_linger(e, c);
  return OP_ENDED;
}

/* What the kernel has not sent yet it throws away with a reset: the bytes in
 * front of it have to be out. Looked at every millisecond, for the two
 * seconds a FIN would be drained (plan.h). */
static enum progress wait_until_sent(struct engine *e, struct conn *c)
{
  if (c->timer.place)
    return OP_WAITS;
  if (c->off >= SENT_TRIES || tcp_unsent_bytes(c->fd) == 0)
    return OP_DONE;
  c->off++;
  timers_set(&e->timers, &c->timer, clock_now_ns(e->o.clock) + NS_PER_MS);
  return OP_WAITS;
}

static enum progress op_close(struct engine *e, struct conn *c,
                              const struct op *op)
{
  (void)op;
  if (wait_until_sent(e, c) != OP_DONE)
    return OP_WAITS;
  conn_attempt_end(e, c, END_CLOSED);
  conn_close(e, c);
  return OP_ENDED;
}

static enum progress op_rst(struct engine *e, struct conn *c,
                            const struct op *op)
{
  (void)op;
  if (wait_until_sent(e, c) != OP_DONE)
    return OP_WAITS;
  conn_reset_on_close(c);
  conn_attempt_end(e, c, END_RST);
  conn_close(e, c);
  return OP_ENDED;
}

static enum progress op_keep(struct engine *e, struct conn *c,
                             const struct op *op)
{
  enum progress p = op_read_body(e, c, op);
  if (p != OP_DONE)
    return p;
  if (c->close_after || (c->tls && c->plan->no_notify))
    return op_fin(e, c, op);
  conn_attempt_end(e, c, END_KEPT);
  c->idle_ns = op->ns;
  c->idle_rst = op->rst;
  conn_idle(e, c);
  return OP_ENDED;
}

typedef enum progress op_fn(struct engine *e, struct conn *c,
                            const struct op *op);

static op_fn *const op_fns[] = {[OP_SEND] = op_send,
                                [OP_GENERATE] = op_generate,
                                [OP_FILL] = op_fill,
                                [OP_DRIP] = op_drip,
                                [OP_DELAY] = op_delay,
                                [OP_STALL] = op_stall,
                                [OP_READ_BODY] = op_read_body,
                                [OP_WAIT_INPUT] = op_wait_input,
                                [OP_PORT] = op_port,
                                [OP_HANDSHAKE] = op_handshake,
                                [OP_GATE] = op_gate,
                                [OP_MARK] = op_mark,
                                [OP_FIN] = op_fin,
                                [OP_CLOSE] = op_close,
                                [OP_RST] = op_rst,
                                [OP_KEEP] = op_keep};

static void run_plan(struct engine *e, struct conn *c)
{
  static const struct op end = {.kind = OP_FIN};
  for (;;) {
    const struct op *op = c->pc < c->plan->nops ? &c->plan->ops[c->pc] : &end;
    if (op_fns[op->kind](e, c, op) != OP_DONE)
      return;
    c->pc++;
    c->off = 0;
    c->started = false;
  }
}

static void drain(struct engine *e, struct conn *c)
{
  for (uint64_t got = 0; got < TURN_BYTES;) {
    ssize_t n = recv(c->fd, NULL, TURN_BYTES, MSG_DONTWAIT | MSG_TRUNC);
    if (n < 0 && errno == EAGAIN)
      return;
    if (n <= 0) {
      conn_close(e, c);
      return;
    }
    got += (uint64_t)n;
  }
  conn_make_ready(e, c);
}

void conn_run(struct engine *e, struct conn *c)
{
  if (c->state == CONN_PLAN)
    run_plan(e, c);
  else if (c->state == CONN_LINGER)
    drain(e, c);
  else if (c->state == CONN_HANDSHAKE)
    secure_run(e, c);
  else if (c->state == CONN_PARSING && c->feed)
    feed_more(e, c);
}
