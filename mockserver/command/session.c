#include "mockserver/command/session.h"

#include <errno.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

/* A start's words and names; beyond it the start is turned away. Linux takes
 * 2 MiB by default and 6 MiB at most. */
#define MAX_TOLD ((size_t)8 << 20)
/* Kept of stdin, as of a request's body. */
#define MAX_INPUT ((size_t)32 << 20)
/* One frame and the beginning of the next. */
#define MAX_IN ((size_t)2 * SHIM_MAX_PAYLOAD)
/* A pipe that nobody writes to and nobody closes. */
#define STDIN_PATIENCE_NS (3 * NS_PER_S)

int64_t session_now(const struct session *s)
{
  return clock_now_ns(s->host->o.clock);
}

void session_drop_timer(struct session *s)
{
  if (s->timer)
    engine_cancel(s->host->o.engine, s->timer);
  s->timer = 0;
}

void session_set_timer(struct session *s, int64_t ns, engine_timer_fn *fn)
{
  session_drop_timer(s);
  s->timer = engine_at(s->host->o.engine, session_now(s) + ns, fn, s);
}

static void free_words(struct word_list *l)
{
  for (size_t i = 0; i < l->n; i++)
    free(l->word[i]);
  free(l->word);
}

/* Somebody has ended it before it was through. */
static void close_attempt(struct session *s)
{
  struct attempt *a = s->attempt;
  struct host *h = s->host;
  if (!a)
    return;
  if (a->end == END_OPEN) {
    a->end = END_CLIENT;
    a->client_left_ns = session_now(s);
  }
  if (h->on_attempt)
    h->on_attempt(h->on_attempt_arg, a);
  server_count_start(h->o.server, a);
  journal_done(h->o.journal, a);
}

void session_end(struct session *s)
{
  struct host *h = s->host;
  session_drop_timer(s);
  gate_wait_end(&s->wait);
  gate_drop(s->gate);
  if (s->act)
    server_let_go(h->o.server, s->act);
  close_attempt(s);
  engine_unwatch(h->o.engine, s->fd);
  close(s->fd);
  *s->at = s->next;
  if (s->next)
    s->next->at = s->at;
  h->nsessions--;
  free_words(&s->argv);
  free_words(&s->env);
  free(s->name);
  buf_release(&s->in);
  buf_release(&s->input);
  buf_release(&s->out);
  pieces_release(&s->pieces);
  free(s);
}

/* At most one write is under way, so a frame always fits into the buffer of
 * the socket. */
bool session_send(struct session *s, enum shim_frame kind, const void *p,
                  size_t n)
{
  unsigned char head[SHIM_HEAD_BYTES] = {(unsigned char)kind};
  for (int i = 0; i < 4; i++)
    head[i + 1] = (unsigned char)(n >> (8 * i) & 0xff);
  return send(s->fd, head, sizeof head, MSG_NOSIGNAL | (n ? MSG_MORE : 0)) ==
             (ssize_t)sizeof head &&
         (n == 0 || send(s->fd, p, n, MSG_NOSIGNAL) == (ssize_t)n);
}

/* --- what it tells ------------------------------------------------------ */

static void add_word(struct word_list *l, struct bytes text)
{
  if (l->n == l->cap) {
    l->cap = l->cap ? 2 * l->cap : 32;
    l->word = mem_realloc(l->word, l->cap * sizeof *l->word);
  }
  l->word[l->n++] = bytes_dup(text);
}

/* A lane's name goes into paths and reports. */
static void take_lane(struct session *s, struct bytes name)
{
  for (size_t i = 0; i < name.n; i++)
    if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                "0123456789_-",
                name.p[i]))
      return;
  if (name.n && name.n < sizeof s->lane)
    snprintf(s->lane, sizeof s->lane, "%.*s", (int)name.n, name.p);
}

static void take_name(struct session *s, struct bytes name)
{
  free(s->name);
  s->name = bytes_dup(name);
}

static void begin_run(struct session *s)
{
  session_drop_timer(s);
  s->state = SESSION_RUN;
  s->start.in = buf_bytes(&s->input);
  session_choose(s);
}

static void on_impatient(void *arg)
{
  struct session *s = arg;
  s->timer = 0;
  session_send(s, SHIM_STOP_STDIN, NULL, 0);
}

static void on_hello(struct session *s)
{
  s->hello_ns = session_now(s);
  s->start = (struct start){.name = s->name ? s->name : "",
                            .argv = (const char *const *)s->argv.word,
                            .argc = s->argv.n,
                            .env = (const char *const *)s->env.word,
                            .nenv = s->env.n};
  if (!command_wants_stdin(server_scenario(s->host->o.server), s->start.name)) {
    begin_run(s);
    return;
  }
  s->state = SESSION_STDIN;
  session_set_timer(s, STDIN_PATIENCE_NS, on_impatient);
  session_send(s, SHIM_READ_STDIN, NULL, 0);
}

static void on_data(struct session *s, struct bytes data)
{
  buf_addb(&s->input, data);
  session_set_timer(s, STDIN_PATIENCE_NS, on_impatient);
}

/* False: no stand-in of this version speaks so. */
static bool take_frame(struct session *s, enum shim_frame kind, struct bytes p)
{
  bool hello = s->state == SESSION_HELLO, reads = s->state == SESSION_STDIN;
  if (hello && (s->told += p.n) > MAX_TOLD)
    return false;
  if (hello && kind == SHIM_NAME)
    take_name(s, p);
  else if (hello && kind == SHIM_ARG)
    add_word(&s->argv, p);
  else if (hello && kind == SHIM_ENV)
    add_word(&s->env, p);
  else if (hello && kind == SHIM_LANE_IS)
    take_lane(s, p);
  else if (hello && kind == SHIM_HELLO)
    on_hello(s);
  else if (reads && kind == SHIM_DATA)
    on_data(s, p);
  else if (reads && kind == SHIM_STDIN_END)
    begin_run(s);
  else if (s->state == SESSION_RUN && kind == SHIM_DONE)
    session_done(s);
  else
    return false;
  return true;
}

/* --- the socket --------------------------------------------------------- */

/* How long the first frame is with its head; 0: it is not whole. */
static size_t frame_length(const struct buf *in)
{
  const unsigned char *p = (const unsigned char *)in->p;
  size_t n = 0;
  if (in->n < SHIM_HEAD_BYTES)
    return 0;
  for (int i = 0; i < 4; i++)
    n |= (size_t)p[i + 1] << (8 * i);
  return n > SHIM_MAX_PAYLOAD          ? SIZE_MAX
         : in->n < SHIM_HEAD_BYTES + n ? 0
                                       : SHIM_HEAD_BYTES + n;
}

static bool take_frames(struct session *s)
{
  size_t n, at = 0;
  struct buf rest = s->in;
  while ((n = frame_length(&rest)) != 0) {
    if (n == SIZE_MAX || !take_frame(s, (enum shim_frame)rest.p[0],
                                     (struct bytes){rest.p + SHIM_HEAD_BYTES,
                                                    n - SHIM_HEAD_BYTES}))
      return false;
    at += n;
    rest.p += n;
    rest.n -= n;
  }
  buf_consume(&s->in, at);
  return true;
}

enum took { TOOK_SOME, TOOK_NOTHING, TOOK_THE_END };

static enum took take_what_is_there(struct session *s)
{
  char piece[32 << 10];
  ssize_t n = recv(s->fd, piece, sizeof piece, 0);
  if (n < 0 && (errno == EAGAIN || errno == EINTR))
    return TOOK_NOTHING;
  if (n > 0)
    buf_add(&s->in, piece, (size_t)n);
  return n <= 0 || s->in.full || !take_frames(s) ? TOOK_THE_END : TOOK_SOME;
}

static void on_readable(void *arg, int fd, uint32_t events)
{
  struct session *s = arg;
  (void)fd;
  (void)events;
  if (take_what_is_there(s) == TOOK_THE_END)
    session_end(s);
}

void session_stop(struct session *s)
{
  while (take_what_is_there(s) == TOOK_SOME)
    continue;
  session_end(s);
}

void session_begin(struct host *h, int fd, const char *lane)
{
  struct session *s = mem_zalloc(sizeof *s);
  *s = (struct session){.host = h, .fd = fd, .next = h->sessions};
  s->begin_ns = session_now(s);
  s->at = &h->sessions;
  if (s->next)
    s->next->at = &s->next;
  h->sessions = s;
  h->nsessions++;
  snprintf(s->lane, sizeof s->lane, "%s", lane);
  buf_init(&s->in, MAX_IN);
  buf_init(&s->input, MAX_INPUT);
  buf_init(&s->out, TEXT_MAX_BYTES);
  pieces_init(&s->pieces);
  if (engine_watch(h->o.engine, fd, EPOLLIN, on_readable, s) < 0)
    session_end(s);
}
