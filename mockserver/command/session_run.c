#include "mockserver/command/session.h"

#include "mockserver/barrier.h"
#include "mockserver/script.h"

#include <stddef.h>
#include <string.h>

static void go_on(struct session *s);

static struct text_scope scope_of(const struct session *s)
{
  struct text_scope scope = {
      .value = {.now_ns = clock_wall_ns(s->host->o.clock),
                .model = BYTES("claude-x")}};
  snprintf(scope.gateway, sizeof scope.gateway, "127.0.0.1:%u",
           (unsigned)engine_port(s->host->o.engine));
  return scope;
}

/* In the form of Anthropic and OpenAI both. */
static void make_request_id(struct session *s, struct buf *ret)
{
  buf_init(ret, 63);
  buf_adds(ret, "req_01");
  ids_base62(&s->host->ids, 22, ret);
}

/* --- one piece after the other ------------------------------------------ */

static void on_timer(void *arg)
{
  struct session *s = arg;
  s->timer = 0;
  s->piece++;
  go_on(s);
}

static void mark_delivered(struct session *s)
{
  s->attempt->delivered = s->attempt->injected && !s->held_back;
}

static void fill_out(struct session *s, const struct piece *p)
{
  struct bytes raw = {s->pieces.bytes.p + p->at, p->n};
  struct text_scope scope = scope_of(s);
  struct buf id;
  make_request_id(s, &id);
  scope.value.request_id = buf_bytes(&id);
  buf_reset(&s->out);
  s->out_at = 0;
  if (p->values)
    value_expand(raw, &scope.value, &s->out);
  else
    buf_addb(&s->out, raw);
  buf_release(&id);
}

/* The next part of the piece; true when there was one. */
static bool write_part(struct session *s, const struct piece *p)
{
  if (s->out_at == s->out.n && s->round < p->times) {
    if (s->round++ == 0)
      fill_out(s, p);
    s->out_at = 0;
  }
  size_t n = s->out.n - s->out_at;
  if (n == 0)
    return false;
  n = n < SHIM_MAX_WRITE ? n : SHIM_MAX_WRITE;
  session_send(s, p->kind == PIECE_OUT ? SHIM_WRITE_OUT : SHIM_WRITE_ERR,
               s->out.p + s->out_at, n);
  s->out_at += n;
  s->in_flight = n;
  return true;
}

static void send_number(struct session *s, enum shim_frame kind, int number)
{
  unsigned char byte = (unsigned char)number;
  session_send(s, kind, &byte, 1);
}

static void end_run(struct session *s, const struct piece *p)
{
  struct attempt *a = s->attempt;
  if (p->kind == PIECE_HANG) {
    mark_delivered(s);
    return;
  }
  if (p->kind == PIECE_EXIT)
    a->exit_code = p->number;
  else
    a->exit_signal = p->number;
  send_number(s, p->kind == PIECE_EXIT ? SHIM_EXIT : SHIM_KILL, p->number);
}

/* True: the next piece is due at once. */
static bool do_piece(struct session *s, const struct piece *p)
{
  switch (p->kind) {
  case PIECE_WAIT:
    session_set_timer(s, p->ns, on_timer);
    return false;
  case PIECE_OUT:
  case PIECE_ERR:
    if (write_part(s, p))
      return false;
    s->round = 0;
    buf_reset(&s->out);
    s->out_at = 0;
    return true;
  case PIECE_CLOSE_OUT:
    return session_send(s, SHIM_CLOSE_OUT, NULL, 0);
  case PIECE_CLOSE_ERR:
    return session_send(s, SHIM_CLOSE_ERR, NULL, 0);
  case PIECE_IGNORE:
    send_number(s, SHIM_IGNORE, p->number);
    return true;
  default:
    end_run(s, p);
    return false;
  }
}

/* A frame that cannot be sent is told by the socket's end, not here. */
static void go_on(struct session *s)
{
  while (s->piece < s->pieces.n && do_piece(s, &s->pieces.list[s->piece]))
    s->piece++;
}

void session_done(struct session *s)
{
  struct attempt *a = s->attempt;
  const struct piece *p = &s->pieces.list[s->piece];
  int64_t now = session_now(s);
  if (!a || s->piece >= s->pieces.n)
    return;
  a->answer_last_ns = now;
  if (!a->answer_first_ns)
    a->answer_first_ns = now;
  a->bytes_sent += s->in_flight;
  s->in_flight = 0;
  if (p->kind != PIECE_EXIT && p->kind != PIECE_KILL) {
    go_on(s);
    return;
  }
  a->complete = true;
  mark_delivered(s);
  a->end = END_EXIT;
}

/* --- the choice --------------------------------------------------------- */

static struct choice choose(struct session *s)
{
  struct server *server = s->host->o.server;
  struct call call = {.start = &s->start, .retry_count = -1};
  struct request request = {
      .first_byte_ns = s->begin_ns, .end_ns = s->hello_ns, .body = s->start.in};
  snprintf(call.lane, sizeof call.lane, "%s", s->lane);
  s->act = server_hold(server);
  barriers_settle(server_barriers(server), server_script(server),
                  session_now(s));
  struct choice choice = script_choose(server_script(server), &call, &request);
  script_count(server_script(server), &call, &request);
  script_take(server_script(server), &choice, s->lane);
  return choice;
}

/* The texts are made now, for the moment at which the delay is over. */
static void fill_pieces(struct session *s, const struct choice *choice,
                        struct command_said *said)
{
  struct text_scope scope = scope_of(s);
  struct buf id;
  bool faulty = choice->step && choice->step->faulty;
  s->held_back = faulty && server_no_faults(s->host->o.server);
  make_request_id(s, &id);
  scope.value.request_id = buf_bytes(&id);
  scope.value.now_ns += command_delay_ns(choice->step);
  if (choice->rule == RULE_SCRIPT_ENDED)
    command_script_ended(&s->pieces, said);
  else
    command_pieces(s->held_back ? NULL : choice->step, &s->start, &scope,
                   &s->host->ids, &s->pieces, said);
  buf_release(&id);
}

/* --- barriers ----------------------------------------------------------- */

/* What is written now has the times of now. */
static void gate_is_open(struct session *s)
{
  struct attempt *a = s->attempt;
  struct command_said said;
  a->barrier_round = s->gate->round;
  a->barrier_came = s->gate->came;
  a->barrier_wanted = s->gate->wanted;
  a->barrier_open_ns = s->gate->opened_ns;
  pieces_release(&s->pieces);
  pieces_init(&s->pieces);
  fill_pieces(s, &s->choice, &said);
  go_on(s);
}

static void on_opened(struct gate_wait *w)
{
  struct session *s =
      (struct session *)(void *)((char *)w - offsetof(struct session, wait));
  session_drop_timer(s);
  gate_is_open(s);
}

static void on_due(void *arg)
{
  struct session *s = arg;
  s->timer = 0;
  gate_wait_end(&s->wait); /* it need not be told */
  gate_open(s->gate, session_now(s));
  gate_is_open(s);
}

static void hold(struct session *s)
{
  int64_t now = session_now(s);
  s->gate = barriers_join(server_barriers(s->host->o.server), s->choice.step,
                          s->lane, now);
  s->wait.opened = on_opened;
  if (s->gate->open) {
    gate_is_open(s);
    return;
  }
  gate_wait_at(s->gate, &s->wait);
  session_set_timer(s, s->gate->due_ns - now, on_due);
}

static bool is_held(const struct session *s)
{
  const struct choice *c = &s->choice;
  return c->rule == RULE_STEP && c->step->barrier.requests && !s->held_back;
}

void session_choose(struct session *s)
{
  struct command_said said;
  if (command_is_question(&s->start, &s->pieces, &said)) {
    session_journal(s, NULL, &said);
    go_on(s);
    return;
  }
  s->choice = choose(s);
  fill_pieces(s, &s->choice, &said);
  session_journal(s, &s->choice, &said);
  if (is_held(s))
    hold(s);
  else
    go_on(s);
}
