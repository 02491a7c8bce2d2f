#include "mockserver/engine_io.h"

#include <assert.h>
#include <errno.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

/* How long a connection that was shut down for writing is drained: plan.h. */
#define LINGER_NS (2 * NS_PER_S)

/* ---- plans ---- */

struct plan *plan_take(struct engine *e)
{
  if (e->nfree_plans)
    return e->free_plans[--e->nfree_plans];
  struct plan *p = mem_alloc(sizeof *p);
  plan_init(p);
  return p;
}

void plan_give_back(struct engine *e, struct plan *p)
{
  if (!p)
    return;
  if (e->nfree_plans < sizeof e->free_plans / sizeof *e->free_plans) {
    plan_reset(p);
    e->free_plans[e->nfree_plans++] = p;
  } else {
    plan_release(p);
    free(p);
  }
}

/* ---- life ---- */

static void on_event(struct engine *e, struct source *s, uint32_t events);
static void on_timer(void *owner, struct timer *t);

static struct conn *conn_from_timer(struct timer *t)
{
  return (struct conn *)(void *)((char *)t - offsetof(struct conn, timer));
}

static void on_gate(struct gate_wait *w)
{
  struct conn *c =
      (struct conn *)(void *)((char *)w - offsetof(struct conn, wait));
  timers_drop(&c->engine->timers, &c->timer);
  conn_make_ready(c->engine, c);
}

struct conn *conn_accept(struct engine *e, int fd)
{
  struct conn *c = e->free_conns;
  if (c)
    e->free_conns = c->next;
  else
    c = mem_alloc(sizeof *c);
  *c = (struct conn){.source = {on_event},
                     .timer = {.fire = on_timer},
                     .next = e->conns,
                     .fd = fd,
                     .wait = {.opened = on_gate},
                     .engine = e,
                     .stalled = e->port_state == PORT_STALL,
                     .id = ++e->next_conn_id};
  buf_init(&c->rest, PLAN_MAX_BYTES);
  if (e->conns)
    e->conns->prev = c;
  e->conns = c;
  e->nconns++;
  /* registered once for its whole life, edge-triggered */
  struct epoll_event ev = {.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET,
                           .data.ptr = c};
  if (e->o.limits.idle_timeout_ns)
    timers_set(&e->timers, &c->timer, e->now_ns + e->o.limits.idle_timeout_ns);
  if (epoll_ctl(e->epoll_fd, EPOLL_CTL_ADD, fd, &ev) != 0)
    conn_close(e, c);
  return c;
}

void conn_close(struct engine *e, struct conn *c)
{
  if (c->tls)
    secure_settle(e, c, END_CLIENT);
  assert(!c->attempt && c->state != CONN_DEAD);
  timers_drop(&e->timers, &c->timer);
  gate_wait_end(&c->wait);
  parser_leave(e, c);
  secure_release(e, c);
  plan_give_back(e, c->plan);
  c->plan = NULL;
  intake_give_back(e, c);
  buf_release(&c->rest);
  close(c->fd);
  c->fd = -1;
  c->state = CONN_DEAD;
  if (c->prev)
    c->prev->next = c->next;
  else
    e->conns = c->next;
  if (c->next)
    c->next->prev = c->prev;
  c->next = e->dead;
  e->dead = c;
  e->nconns--;
}

void conn_recycle_dead(struct engine *e)
{
  if (!e->dead)
    return;
  struct conn **at = &e->dead;
  while (*at) {
    struct conn *c = *at;
    if (c->ready) { /* still in the list of this turn's plans */
      at = &c->next;
      continue;
    }
    *at = c->next;
    c->next = e->free_conns;
    e->free_conns = c;
  }
  if (!e->closing)
    listen_resume(e);
}

void conn_free_all(struct engine *e)
{
  while (e->conns) {
    struct conn *c = e->conns;
    if (c->attempt)
      conn_attempt_end(e, c, END_OPEN);
    conn_close(e, c);
  }
  for (struct conn *c = e->dead; c; c = c->next)
    c->ready = false;
  conn_recycle_dead(e);
  while (e->free_conns) {
    struct conn *c = e->free_conns;
    e->free_conns = c->next;
    free(c);
  }
  while (e->nfree_plans) {
    struct plan *p = e->free_plans[--e->nfree_plans];
    plan_release(p);
    free(p);
  }
}

void conn_make_ready(struct engine *e, struct conn *c)
{
  if (c->ready)
    return;
  c->ready = true;
  c->next_ready = NULL;
  *e->ready_end = c;
  e->ready_end = &c->next_ready;
}

/* ---- ends ---- */

void conn_attempt_end(struct engine *e, struct conn *c, enum attempt_end end)
{
  struct attempt *a = c->attempt;
  if (!a)
    return;
  a->end = end;
  c->attempt = NULL;
  e->open_attempts--;
  if (e->o.ended)
    e->o.ended(e->o.handler_arg, a);
  if (e->on_attempt)
    e->on_attempt(e->on_attempt_arg, a);
  journal_done(e->o.journal, a);
}

void conn_client_left(struct engine *e, struct conn *c)
{
  if (c->attempt && !c->attempt->client_left_ns)
    c->attempt->client_left_ns = clock_now_ns(e->o.clock);
  conn_attempt_end(e, c, END_CLIENT);
  conn_close(e, c);
}

void conn_linger(struct engine *e, struct conn *c)
{
  if (c->tls)
    tls_bye(c->tls);
  shutdown(c->fd, SHUT_WR);
  plan_give_back(e, c->plan);
  c->plan = NULL;
  c->state = CONN_LINGER;
  timers_set(&e->timers, &c->timer, clock_now_ns(e->o.clock) + LINGER_NS);
  conn_run(e, c);
}

/* ---- requests ---- */

/* Journaled, and left in the socket. */
static void stall(struct engine *e, struct conn *c)
{
  conn_refuse(e, c, "accepted, never read", 0);
  plan_reset(c->plan);
  plan_stall(c->plan);
}

static void request_begins(struct engine *e, struct conn *c, const char *p,
                           size_t n)
{
  c->first_byte_ns = e->now_ns;
  c->pending = n;
  c->flaws = 0;
  memset(c->first, 0, sizeof c->first);
  memcpy(c->first, p, n < sizeof c->first ? n : sizeof c->first);
  if (c->tls)
    secure_settle(e, c, END_KEPT);
  if (c->stalled)
    stall(e, c);
  else if (!c->tls && secure_wanted(p, n))
    secure_begin(e, c);
  else if (!skip_parser(e, c, (struct bytes){p, n}))
    head_look(e, c, (struct bytes){p, n});
}

static void idle_input(struct engine *e, struct conn *c)
{
  char peek[PEEK_BYTES];
  c->input = false;
  ssize_t n = io_peek(c, peek, sizeof peek);
  if (n > 0)
    request_begins(e, c, peek, (size_t)n);
  else if (n == 0 || errno != EAGAIN)
    conn_close(e, c);
  else if (c->read_bytes && io_read_bytes(c) > c->read_bytes)
    /* the parser has taken bytes of this request with the one before */
    conn_refuse(e, c, "pipelined request, lost with the one before", 0);
}

void conn_idle(struct engine *e, struct conn *c)
{
  plan_give_back(e, c->plan);
  c->plan = NULL;
  c->state = CONN_IDLE;
  int64_t idle_ns = c->idle_ns ? c->idle_ns : e->o.limits.idle_timeout_ns;
  if (idle_ns)
    timers_set(&e->timers, &c->timer, clock_now_ns(e->o.clock) + idle_ns);
  if (c->input || c->peer_fin || (c->tls && tls_waiting(c->tls).n))
    idle_input(e, c);
}

void conn_reset_on_close(struct conn *c)
{
  struct linger l = {.l_onoff = 1, .l_linger = 0};
  setsockopt(c->fd, SOL_SOCKET, SO_LINGER, &l, sizeof l);
}

/* No request came in the time the plan gave. */
static void idle_is_over(struct engine *e, struct conn *c)
{
  if (!c->idle_rst) {
    conn_linger(e, c);
    return;
  }
  conn_reset_on_close(c);
  conn_close(e, c);
}

/* ---- events ---- */

static void plan_event(struct engine *e, struct conn *c, uint32_t events)
{
  if (events & (EPOLLHUP | EPOLLERR)) {
    conn_client_left(e, c);
    return;
  }
  if ((events & EPOLLRDHUP) && c->attempt && !c->attempt->client_left_ns)
    c->attempt->client_left_ns = clock_now_ns(e->o.clock);
  conn_run(e, c);
}

static void on_event(struct engine *e, struct source *s, uint32_t events)
{
  struct conn *c = (struct conn *)(void *)s;
  if (events & EPOLLIN)
    c->input = true;
  if (events & EPOLLRDHUP)
    c->peer_fin = true;
  switch (c->state) {
  case CONN_IDLE:
    if (events & (EPOLLHUP | EPOLLERR))
      conn_close(e, c);
    else if (events & (EPOLLIN | EPOLLRDHUP))
      idle_input(e, c);
    break;
  case CONN_HEAD:
    if (events & (EPOLLHUP | EPOLLERR))
      head_left(e, c);
    else if (events & (EPOLLIN | EPOLLRDHUP))
      head_input(e, c);
    break;
  case CONN_PLAN:
    plan_event(e, c, events);
    break;
  case CONN_HANDSHAKE:
  case CONN_LINGER:
    conn_run(e, c);
    break;
  case CONN_PARSING: /* the parser sees the same on its copy */
    if (c->tls)
      conn_run(e, c);
    break;
  case CONN_DEAD: /* an event of the turn in which it ended */
    break;
  }
}

static void on_timer(void *owner, struct timer *t)
{
  struct engine *e = owner;
  struct conn *c = conn_from_timer(t);
  if (c->state == CONN_PLAN) {
    late_add(&e->late, clock_now_ns(e->o.clock) - t->due_ns);
    conn_run(e, c);
  } else if (c->state == CONN_IDLE) {
    idle_is_over(e, c);
  } else if (c->state == CONN_HEAD) {
    head_timed_out(e, c);
  } else if (c->state == CONN_LINGER) {
    conn_close(e, c);
  } else if (c->state == CONN_HANDSHAKE) {
    secure_timed_out(e, c);
  } else if (c->state == CONN_PARSING) {
    /* The parser closes its copy when it reads the end of input; what
     * follows then is in engine_parse.c. */
    c->timed_out = true;
    if (c->feed)
      feed_end(c);
    else
      shutdown(c->fd, SHUT_RD);
    e->parser_due = true;
  }
}
