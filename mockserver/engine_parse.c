#include "mockserver/engine_io.h"

#include "base/number.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/socket.h>

/* More makes libmicrohttpd map and unmap the pool of each request: ten times
 * the CPU, measured. */
#define POOL_BYTES ((size_t)32768)

/* Larger limits need a larger one: the head, room to read, and what the
 * library keeps of each header (64 bytes in version 0.9.75, doubled). */
static size_t pool_bytes(const struct engine_limits *l)
{
  if (l->head_bytes <= ENGINE_MAX_HEAD && l->headers <= ENGINE_MAX_HEADERS)
    return POOL_BYTES;
  return 2 * l->head_bytes + 128 * l->headers + POOL_BYTES;
}

/* ---- intakes ---- */

struct intake *intake_take(struct engine *e)
{
  struct intake *in = e->free_intakes;
  if (in) {
    e->free_intakes = in->next_free;
    return in;
  }
  in = mem_zalloc(sizeof *in);
  buf_init(&in->target, pool_bytes(&e->o.limits));
  body_init(&in->body);
  buf_init(&in->raw, PEEK_BYTES);
  return in;
}

void intake_give_back(struct engine *e, struct conn *c)
{
  struct intake *in = c->intake;
  if (!in)
    return;
  c->intake = NULL;
  buf_reset(&in->target);
  body_reset(&in->body);
  buf_reset(&in->raw);
  in->nheaders = 0;
  in->begun = in->chunked = in->has_body = in->wants_close = false;
  in->head_bytes = in->content_length = 0;
  in->next_free = e->free_intakes;
  e->free_intakes = in;
}

void intakes_free(struct engine *e)
{
  while (e->free_intakes) {
    struct intake *in = e->free_intakes;
    e->free_intakes = in->next_free;
    buf_release(&in->target);
    body_release(&in->body);
    buf_release(&in->raw);
    free(in->headers);
    free(in);
  }
}

/* ---- the head ---- */

static struct conn *conn_of(struct MHD_Connection *m)
{
  const union MHD_ConnectionInfo *i =
      MHD_get_connection_info(m, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return i ? i->socket_context : NULL;
}

static enum MHD_Result take_header(void *cls, enum MHD_ValueKind kind,
                                   const char *name, size_t name_n,
                                   const char *value, size_t value_n)
{
  (void)kind;
  struct intake *in = cls;
  if (in->nheaders == in->cap) {
    in->cap = in->cap ? 2 * in->cap : 16;
    in->headers = mem_realloc(in->headers, in->cap * sizeof *in->headers);
  }
  in->headers[in->nheaders++] = (struct header){
      .name = {name, name_n}, .value = {value, value ? value_n : 0}};
  return MHD_YES;
}

/* The headers that say how the request ends. The parser has accepted them:
 * the first content-length counts, and chunked wins over it. */
static void read_framing(struct intake *in, const struct request *r)
{
  struct bytes v;
  if (request_header(r, "content-length", &v) &&
      number_u64(v, UINT64_MAX, &in->content_length) != NUMBER_OK)
    in->content_length = 0;
  in->chunked = request_header(r, "transfer-encoding", &v);
  in->has_body = in->chunked || in->content_length > 0;
  bool says = request_header(r, "connection", &v);
  in->wants_close = bytes_equal(r->version, BYTES("HTTP/1.0"))
                        ? !(says && bytes_equal_nocase(v, BYTES("keep-alive")))
                        : says && bytes_equal_nocase(v, BYTES("close"));
}

static struct request request_of(struct conn *c, const char *method,
                                 const char *version)
{
  struct intake *in = c->intake;
  return (struct request){.conn_id = c->id,
                          .on_conn = c->requests + 1,
                          .method = bytes_of(method),
                          .target = buf_bytes(&in->target),
                          .version = bytes_of(version),
                          .headers = in->headers,
                          .nheaders = in->nheaders,
                          .body = buf_bytes(&in->body.memory),
                          .first_byte_ns = c->first_byte_ns};
}

/* ---- bytes the parser has taken ---- */

/* A FIN counts as a byte. */
static uint64_t without_fin(const struct conn *c, uint64_t lost)
{
  return lost == 1 && c->peer_fin ? 0 : lost;
}

/* What the parser has read beyond this request is lost with its memory.
 * Nearly always all bytes were there at the start and none came after: then
 * nothing has to be asked. */
static uint64_t lost_bytes(struct conn *c)
{
  struct intake *in = c->intake;
  uint64_t whole = in->head_bytes + (in->chunked ? 0 : in->content_length);
  if (!in->chunked && !c->input && c->pending == whole) {
    c->read_bytes += whole;
    return 0;
  }
  uint64_t read_now = io_read_bytes(c);
  uint64_t before = c->read_bytes;
  c->read_bytes = read_now;
  if (in->chunked || read_now <= before + whole)
    return 0; /* the wire length of a chunked body is not known */
  return without_fin(c, read_now - before - whole);
}

/* The same of a request whose body is not awaited; c->unread is what of it
 * the parser has not read. */
static uint64_t lost_bytes_early(struct conn *c)
{
  struct intake *in = c->intake;
  uint64_t read_now = io_read_bytes(c);
  uint64_t body = read_now - c->read_bytes - in->head_bytes;
  c->read_bytes = read_now;
  c->unread = body < in->content_length ? in->content_length - body : 0;
  return body > in->content_length ? without_fin(c, body - in->content_length)
                                   : 0;
}

static void decide(struct engine *e, struct conn *c, struct request *r,
                   bool early)
{
  struct intake *in = c->intake;
  c->unread = 0;
  uint64_t lost = early ? lost_bytes_early(c) : lost_bytes(c);
  c->close_after = in->wants_close || lost > 0;
  if (in->body.fd >= 0) {
    r->body = body_bytes(&in->body);
    r->body_hash = body_hash(&in->body);
    r->has_hash = true;
  }
  r->end_ns = clock_now_ns(e->o.clock);
  conn_decide(e, c, r, early);
  if (c->attempt)
    c->attempt->pipelined_bytes = lost;
  intake_give_back(e, c);
}

static void too_large(struct engine *e, struct conn *c, struct request *r)
{
  r->end_ns = clock_now_ns(e->o.clock);
  conn_refuse_body(e, c, r);
  intake_give_back(e, c);
}

static void no_room(struct engine *e, struct conn *c, struct request *r)
{
  r->end_ns = clock_now_ns(e->o.clock);
  conn_refuse_no_room(e, c, r);
  intake_give_back(e, c);
}

/* ---- what libmicrohttpd calls ---- */

static void *on_target(void *cls, const char *uri, struct MHD_Connection *m)
{
  struct engine *e = cls;
  struct conn *c = conn_of(m);
  if (!c)
    return NULL;
  if (!c->intake)
    c->intake = intake_take(e);
  if (uri) /* NULL was seen for bytes that are no HTTP */
    buf_adds(&c->intake->target, uri);
  return c;
}

static enum MHD_Result head_is_in(struct engine *e, struct conn *c,
                                  struct MHD_Connection *m, struct request *r)
{
  struct intake *in = c->intake;
  in->begun = true;
  MHD_get_connection_values_n(m, MHD_HEADER_KIND, take_header, in);
  r->headers = in->headers;
  r->nheaders = in->nheaders;
  const union MHD_ConnectionInfo *size =
      MHD_get_connection_info(m, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
  in->head_bytes = size ? size->header_size : 0;
  read_framing(in, r);
  if (in->content_length > e->o.max_body_bytes && !in->chunked) {
    too_large(e, c, r);
    return MHD_NO;
  }
  skip_learn(e, c, r);
  if (!in->has_body) {
    decide(e, c, r, false);
    return MHD_NO;
  }
  if (!in->chunked && e->o.early && e->o.early(e->o.handler_arg, r)) {
    decide(e, c, r, true);
    return MHD_NO;
  }
  return MHD_YES;
}

/* MHD_NO in every answer: libmicrohttpd closes its copy of the descriptor
 * and forgets the request, ours carries on with a plan. */
/* NOLINTNEXTLINE(readability-function-size): the library's parameters */
static enum MHD_Result on_request(void *cls, struct MHD_Connection *m,
                                  const char *url, const char *method,
                                  const char *version, const char *upload,
                                  size_t *upload_n, void **con_cls)
{
  (void)url;
  (void)con_cls;
  struct engine *e = cls;
  struct conn *c = conn_of(m);
  if (!c || c->state != CONN_PARSING || !c->intake)
    return MHD_NO;
  struct request r = request_of(c, method, version);
  if (!c->intake->begun)
    return head_is_in(e, c, m, &r);
  if (*upload_n == 0) {
    decide(e, c, &r, false);
    return MHD_NO;
  }
  struct body_limits limits = {.max_bytes = e->o.max_body_bytes,
                               .in_memory_bytes =
                                   (uint64_t)e->o.limits.body_in_memory_bytes};
  enum body_result added =
      body_add(&c->intake->body, &limits, (struct bytes){upload, *upload_n});
  *upload_n = 0;
  if (added != BODY_OK) {
    (added == BODY_TOO_LARGE ? too_large : no_room)(e, c, &r);
    return MHD_NO;
  }
  timers_set(&e->timers, &c->timer,
             clock_now_ns(e->o.clock) + e->o.request_timeout_ns);
  return MHD_YES;
}

static bool peer_is_gone(struct conn *c)
{
  char byte;
  ssize_t n = io_peek(c, &byte, 1);
  return n == 0 || (n < 0 && errno != EAGAIN);
}

/* Bytes of an answer the parser has given by itself. */
static uint64_t answered_itself(struct conn *c)
{
  if (c->feed)
    return feed_pass_on(c);
  uint64_t sent = tcp_sent_bytes(c->fd);
  return sent > c->sent_bytes ? sent - c->sent_bytes : 0;
}

/* The parser closed its copy although nobody was asked: it has answered by
 * itself, or the client left inside the request, or our time was up. */
static void parser_gave_up(struct engine *e, struct conn *c)
{
  uint64_t answered = answered_itself(c);
  const char *what = answered       ? "refused by the HTTP parser"
                     : c->timed_out ? "408 the request was not whole in time"
                     : peer_is_gone(c)
                         ? "the client left inside the request"
                         : "refused by the HTTP parser, without an answer";
  bool left = !answered && !c->timed_out && peer_is_gone(c);
  conn_refuse(e, c, what, answered);
  intake_give_back(e, c);
  if (left)
    conn_client_left(e, c);
}

static void on_connection(void *cls, struct MHD_Connection *m, void **context,
                          enum MHD_ConnectionNotificationCode code)
{
  (void)m;
  struct engine *e = cls;
  struct conn *c = *context;
  *context = NULL;
  if (code == MHD_CONNECTION_NOTIFY_STARTED)
    *context = e->handing;
  else if (c && c->state == CONN_PARSING && !e->closing)
    parser_gave_up(e, c);
}

/* Each MHD_NO makes a line about an "internal error": all are dropped. */
static void on_log(void *cls, const char *format, va_list ap)
{
  (void)cls;
  (void)format;
  (void)ap;
}

/* ---- life ---- */

static void on_parser_event(struct engine *e, struct source *s, uint32_t events)
{
  (void)s;
  (void)events;
  e->parser_due = true;
}

int parser_start(struct engine *e, struct diag *diag)
{
  unsigned flags = MHD_USE_EPOLL | MHD_USE_TURBO | MHD_USE_NO_LISTEN_SOCKET |
                   MHD_USE_ERROR_LOG;
  e->parser = MHD_start_daemon(
      flags, 0, NULL, NULL, on_request, e, MHD_OPTION_EXTERNAL_LOGGER, on_log,
      NULL, MHD_OPTION_URI_LOG_CALLBACK, on_target, e,
      MHD_OPTION_NOTIFY_CONNECTION, on_connection, e,
      MHD_OPTION_CONNECTION_LIMIT, (unsigned)e->max_conns + 1,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, pool_bytes(&e->o.limits),
      MHD_OPTION_CONNECTION_TIMEOUT, 0u, MHD_OPTION_STRICT_FOR_CLIENT, 1,
      MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1, MHD_OPTION_END);
  if (!e->parser)
    return diag_set(diag, "libmicrohttpd does not start");
  const union MHD_DaemonInfo *i =
      MHD_get_daemon_info(e->parser, MHD_DAEMON_INFO_EPOLL_FD);
  if (!i)
    return diag_set(diag, "libmicrohttpd has no epoll");
  e->parser_epoll_fd = i->epoll_fd;
  e->parser_source.event = on_parser_event;
  return 0;
}

void parser_stop(struct engine *e)
{
  if (e->parser)
    MHD_stop_daemon(e->parser);
  e->parser = NULL;
}

bool parser_is_busy(struct engine *e)
{
  MHD_UNSIGNED_LONG_LONG ms;
  return e->parser_due ||
         (e->nparsing && MHD_get_timeout(e->parser, &ms) == MHD_YES && ms == 0);
}

/* The parser's epoll is in ours only while a request is incomplete: most
 * come whole, and an epoll inside an epoll makes each wake-up dearer. */
static void watch_parser(struct engine *e)
{
  bool wanted = e->nparsing > 0;
  if (wanted == e->parser_watched)
    return;
  struct epoll_event ev = {.events = EPOLLIN, .data.ptr = &e->parser_source};
  epoll_ctl(e->epoll_fd, wanted ? EPOLL_CTL_ADD : EPOLL_CTL_DEL,
            e->parser_epoll_fd, &ev);
  e->parser_watched = wanted;
}

void parser_run(struct engine *e)
{
  e->parser_due = false;
  MHD_run(e->parser);
  watch_parser(e);
}

void parser_leave(struct engine *e, struct conn *c)
{
  if (c->state == CONN_PARSING)
    e->nparsing--;
  feed_close(e, c);
}

void parser_hand_over(struct engine *e, struct conn *c)
{
  /* only for limits per address, which are off */
  static const struct sockaddr_in nobody = {.sin_family = AF_INET};
  c->state = CONN_PARSING;
  e->nparsing++;
  c->timed_out = false;
  c->input = c->pending >= PEEK_BYTES; /* more may wait than was looked at */
  timers_set(&e->timers, &c->timer, e->now_ns + e->o.request_timeout_ns);
  int copy = c->tls ? feed_open(e, c) : fcntl(c->fd, F_DUPFD_CLOEXEC, 0);
  if (copy < 0) {
    conn_refuse(e, c, NO_DESCRIPTOR, 0);
    return;
  }
  e->handing = c;
  /* on failure it closes the copy itself */
  enum MHD_Result added = MHD_add_connection(
      e->parser, copy, (const struct sockaddr *)(const void *)&nobody,
      sizeof nobody);
  e->handing = NULL;
  e->parser_due = true;
  if (added != MHD_YES && c->state == CONN_PARSING)
    conn_refuse(e, c, "the HTTP parser takes no more connections", 0);
}
