#include "mockserver/engine_io.h"

/* The parser has taken the same head before and the body is all there. More
 * may wait than was looked at when the whole buffer is full. */
static bool is_whole(const struct known_head *k, struct bytes waiting)
{
  return waiting.n < PEEK_BYTES && waiting.n == k->head.n + k->content_length;
}

static struct request request_of(const struct conn *c,
                                 const struct known_head *k)
{
  return (struct request){.conn_id = c->id,
                          .on_conn = c->requests + 1,
                          .method = k->method,
                          .target = k->target,
                          .version = k->version,
                          .headers = k->headers,
                          .nheaders = k->nheaders,
                          .body = {"", 0},
                          .first_byte_ns = c->first_byte_ns};
}

static bool is_early(struct engine *e, const struct known_head *k,
                     const struct request *r)
{
  return k->content_length && e->o.early && e->o.early(e->o.handler_arg, r);
}

/* Off the socket and to the handler. */
static void take_request(struct engine *e, struct conn *c,
                         const struct known_head *k, struct request *r)
{
  size_t whole = k->head.n + r->body.n;
  ssize_t n = io_skip(c, whole);
  if (n != (ssize_t)whole) { /* reset since it was looked at */
    conn_refuse(e, c, "the client left inside the request", 0);
    conn_client_left(e, c);
    return;
  }
  c->read_bytes += whole;
  c->close_after = k->wants_close;
  c->unread = 0;
  r->end_ns = clock_now_ns(e->o.clock);
  conn_decide(e, c, r, false);
}

/* Its bytes wait in the intake until the parser has taken the head. */
static void remember(struct engine *e, struct conn *c, struct bytes head)
{
  if (!c->intake)
    c->intake = intake_take(e);
  buf_addb(&c->intake->raw, head);
}

bool skip_parser(struct engine *e, struct conn *c, struct bytes waiting)
{
  struct bytes head = known_head_of(waiting);
  if (!head.n)
    return false;
  uint64_t hash = known_hash(head);
  const struct known_head *k = known_find(&e->known, head, hash);
  if (!k) {
    if (known_wants(&e->known, hash))
      remember(e, c, head);
    return false;
  }
  /* what the parser already has came before: the order of arrival counts */
  if (!is_whole(k, waiting) || parser_is_busy(e))
    return false;
  struct request r = request_of(c, k);
  if (is_early(e, k, &r))
    return false;
  r.body = (struct bytes){waiting.p + head.n, waiting.n - head.n};
  take_request(e, c, k, &r);
  return true;
}

void skip_learn(struct engine *e, const struct conn *c, const struct request *r)
{
  struct bytes ignored;
  const struct intake *in = c->intake;
  /* the parser must have seen the same end of the head */
  if (!in->raw.n || in->raw.n != in->head_bytes || in->chunked ||
      request_header(r, "expect", &ignored))
    return;
  known_keep(&e->known, buf_bytes(&in->raw), r, in->content_length,
             in->wants_close);
}
