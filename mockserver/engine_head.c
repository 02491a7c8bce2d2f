#include "mockserver/engine_io.h"

#include "mockserver/request_check.h"

#include <errno.h>

/*
 * A head stays in the socket until it is whole: then it is looked at, and
 * only then the parser gets it. So nothing the parser takes too freely
 * reaches it, and a slow head costs no memory of the parser.
 */

static void refuse(struct engine *e, struct conn *c,
                   const struct head_report *r, int status, const char *text)
{
  struct refusal x = {.status = status,
                      .text = text,
                      .method = r->method,
                      .target = r->target,
                      .flaws = r->flaws};
  conn_refuse_head(e, c, &x);
}

/* Over a limit, whole or not. The request line alone tells 414 from 431. */
static bool is_too_large(struct engine *e, struct conn *c, struct bytes b,
                         bool whole)
{
  const struct engine_limits *l = &e->o.limits;
  struct head_report r;
  const char *lf = memchr(b.p, '\n', b.n);
  size_t line = lf ? (size_t)(lf - b.p) : b.n;
  head_check((struct bytes){b.p, whole ? b.n : line}, &r);
  r.flaws = 0; /* it is refused for its size */
  if (r.target.n > l->target_bytes ||
      (!lf && b.n > l->target_bytes + 32)) /* method and version beside it */
    refuse(e, c, &r, 414, "the target is over the server's limit");
  else if (b.n > l->head_bytes)
    refuse(e, c, &r, 431, "the head is over the server's limit");
  else if (whole && r.nheaders > l->headers)
    refuse(e, c, &r, 431, "more headers than the server's limit");
  else
    return false;
  return true;
}

static void take_head(struct engine *e, struct conn *c, struct bytes head)
{
  struct head_report r;
  head_check(head, &r);
  if (r.flaws && !e->o.limits.lenient) {
    refuse(e, c, &r, flaw_status(r.first), flaw_text(r.first));
    return;
  }
  c->flaws = r.flaws;
  if (r.flaws && c->intake)
    buf_reset(&c->intake->raw); /* not one to be known by its bytes */
  parser_hand_over(e, c);
}

static void wait_for_more(struct engine *e, struct conn *c)
{
  if (c->state != CONN_HEAD)
    timers_set(&e->timers, &c->timer,
               c->first_byte_ns + e->o.request_timeout_ns);
  c->state = CONN_HEAD;
}

/* The rest of a head longer than the first look. */
static struct bytes look_further(struct engine *e, struct conn *c)
{
  if (!e->head_room)
    e->head_room = mem_alloc(e->o.limits.head_bytes + 1);
  ssize_t n = io_peek(c, e->head_room, e->o.limits.head_bytes + 1);
  return (struct bytes){e->head_room, n > 0 ? (size_t)n : 0};
}

void head_look(struct engine *e, struct conn *c, struct bytes waiting)
{
  size_t n = head_length(waiting);
  if (!n && waiting.n >= PEEK_BYTES) {
    waiting = look_further(e, c);
    n = head_length(waiting);
  }
  c->pending = waiting.n;
  if (is_too_large(e, c, n ? (struct bytes){waiting.p, n} : waiting, n > 0))
    return;
  if (n)
    take_head(e, c, (struct bytes){waiting.p, n});
  else if (c->peer_fin)
    head_left(e, c);
  else
    wait_for_more(e, c);
}

void head_left(struct engine *e, struct conn *c)
{
  conn_refuse(e, c, "the client left inside the request", 0);
  conn_client_left(e, c);
}

void head_input(struct engine *e, struct conn *c)
{
  char peek[PEEK_BYTES];
  c->input = false;
  ssize_t n = io_peek(c, peek, sizeof peek);
  if (n > 0)
    head_look(e, c, (struct bytes){peek, (size_t)n});
  else if (n == 0 || errno != EAGAIN)
    head_left(e, c);
}

void head_timed_out(struct engine *e, struct conn *c)
{
  c->timed_out = true;
  conn_refuse(e, c, "408 the request was not whole in time", 0);
}
