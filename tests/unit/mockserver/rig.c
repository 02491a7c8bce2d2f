#include "tests/unit/mockserver/rig.h"
#include "tests/unit/unit.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

/* Not assert(): the calls are part of the work. */
static void must(bool done, const char *what)
{
  if (done)
    return;
  perror(what);
  abort();
}

#define HOLD INT64_MIN

static void handle(void *arg, const struct request *r, struct plan *plan,
                   struct attempt *a, bool *ret_unlogged)
{
  struct rig *rig = arg;
  buf_reset(&rig->seen_body);
  buf_addb(&rig->seen_body, r->body);
  *ret_unlogged = bytes_starts(r->target, BYTES("/unlogged"));
  a->status = 200;
  for (const struct rig_route *route = rig->routes; route->path; route++) {
    struct bytes path = bytes_of(route->path);
    if (bytes_starts(r->target, path)) {
      route->build(plan);
      return;
    }
  }
  plan_close(plan);
}

static bool wants_early(void *arg, const struct request *r)
{
  (void)arg;
  return bytes_starts(r->target, BYTES("/early"));
}

static void on_command(void *arg, int fd, uint32_t events)
{
  (void)events;
  struct rig *r = arg;
  int64_t ns = 0;
  ssize_t n = read(fd, &ns, sizeof ns);
  must(n == (ssize_t)sizeof ns, "read");
  if (ns == HOLD) { /* until the next command comes */
    must(write(r->answers[1], "h", 1) == 1, "write");
    must(read(fd, &ns, sizeof ns) == (ssize_t)sizeof ns, "read");
  }
  clock_fake_advance(&r->clock, ns);
  must(write(r->answers[1], "k", 1) == 1, "write");
}

static void *loop(void *arg)
{
  struct rig *r = arg;
  struct diag diag = {0};
  must(engine_run(r->engine, &diag) == 0, "engine_run");
  return NULL;
}

void rig_start(struct rig *r, const struct rig_route *routes,
               size_t max_body_bytes)
{
  static const struct engine_limits none;
  rig_start_limited(r, routes, max_body_bytes, &none);
}

void rig_start_limited(struct rig *r, const struct rig_route *routes,
                       size_t max_body_bytes,
                       const struct engine_limits *limits)
{
  struct diag diag = {0};
  *r = (struct rig){.routes = routes};
  clock_fake_init(&r->clock, 1764547200);
  buf_init(&r->seen_body, (size_t)64 << 20);
  r->journal = journal_open(NULL, &r->clock.base, 0, &diag);
  struct engine_options o = {.limits = *limits,
                             .max_body_bytes = max_body_bytes,
                             .clock = &r->clock.base,
                             .journal = r->journal,
                             .handler = handle,
                             .early = wants_early,
                             .handler_arg = r};
  r->engine = engine_new(&o, &diag);
  must(r->engine != NULL, "engine_new");
  int failed = pipe(r->commands) | pipe(r->answers);
  failed |= engine_watch(r->engine, r->commands[0], EPOLLIN, on_command, r);
  failed |= pthread_create(&r->thread, NULL, loop, r);
  must(!failed, "rig_start");
}

void rig_stop(struct rig *r)
{
  rig_sync(r);
  engine_stop(r->engine);
  pthread_join(r->thread, NULL);
  engine_free(r->engine);
  r->engine = NULL;
}

void rig_release(struct rig *r)
{
  journal_close(r->journal);
  buf_release(&r->seen_body);
  for (int i = 0; i < 2; i++) {
    close(r->commands[i]);
    close(r->answers[i]);
  }
}

static void command(struct rig *r, int64_t ns)
{
  char byte;
  ssize_t n = write(r->commands[1], &ns, sizeof ns);
  must(n == (ssize_t)sizeof ns, "write");
  must(read(r->answers[0], &byte, 1) == 1, "read");
}

/* Three turns: one sees the events, the parser may need another, and plans
 * that gave way run in the next. */
void rig_sync(struct rig *r)
{
  for (int i = 0; i < 3; i++)
    command(r, 0);
}

void rig_advance(struct rig *r, int64_t ms)
{
  rig_sync(r);
  command(r, ms * NS_PER_MS);
  rig_sync(r);
}

void rig_hold(struct rig *r)
{
  command(r, HOLD);
}

void rig_go_on(struct rig *r)
{
  command(r, 0);
}

int rig_connect(struct rig *r)
{
  struct sockaddr_in a = {.sin_family = AF_INET,
                          .sin_port = htons(engine_port(r->engine)),
                          .sin_addr = {htonl(INADDR_LOOPBACK)}};
  struct timeval limit = {.tv_sec = 20};
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
  must(connect(fd, (struct sockaddr *)&a, sizeof a) == 0, "connect");
  return fd;
}

void client_send_bytes(int fd, const char *p, size_t n)
{
  while (n) {
    ssize_t k = send(fd, p, n, MSG_NOSIGNAL);
    if (k <= 0)
      return; /* the server has closed: the test looks at what it reads */
    p += k;
    n -= (size_t)k;
  }
}

void client_send(int fd, const char *text)
{
  client_send_bytes(fd, text, strlen(text));
}

void client_get(int fd, const char *path)
{
  char text[256];
  snprintf(text, sizeof text, "GET %s HTTP/1.1\r\nHost: x\r\n\r\n", path);
  client_send(fd, text);
}

void client_take(int fd, size_t n, struct buf *ret)
{
  char block[65536];
  buf_reset(ret);
  while (ret->n < n) {
    size_t want = n - ret->n < sizeof block ? n - ret->n : sizeof block;
    ssize_t k = recv(fd, block, want, 0);
    if (k <= 0)
      return;
    buf_add(ret, block, (size_t)k);
  }
}

static enum client_end read_all(int fd, int flags, struct buf *ret)
{
  char block[65536];
  buf_reset(ret);
  for (;;) {
    ssize_t k = recv(fd, block, sizeof block, flags);
    if (k > 0)
      buf_add(ret, block, (size_t)k);
    else
      return k == 0                ? CLIENT_FIN
             : errno == ECONNRESET ? CLIENT_RST
                                   : CLIENT_OPEN;
  }
}

enum client_end client_now(int fd, struct buf *ret)
{
  return read_all(fd, MSG_DONTWAIT, ret);
}

enum client_end client_rest(int fd, struct buf *ret)
{
  return read_all(fd, 0, ret);
}

void scene_open(struct scene *s, const struct rig_route *routes,
                size_t max_body_bytes)
{
  rig_start(&s->rig, routes, max_body_bytes);
  buf_init(&s->got, (size_t)64 << 20);
  s->fd = rig_connect(&s->rig);
}

void scene_close(struct scene *s)
{
  if (s->rig.engine)
    rig_stop(&s->rig);
  close(s->fd);
  buf_release(&s->got);
  rig_release(&s->rig);
}

const struct attempt *scene_attempt(struct scene *s, size_t i)
{
  if (s->rig.engine)
    rig_stop(&s->rig);
  assert_true(i < journal_count(s->rig.journal));
  return journal_get(s->rig.journal, i);
}

const struct attempt *scene_only_attempt(struct scene *s)
{
  const struct attempt *a = scene_attempt(s, 0);
  assert_int_equal(journal_count(s->rig.journal), 1);
  return a;
}

void scene_assert_now(struct scene *s, const char *text, enum client_end end)
{
  rig_sync(&s->rig);
  assert_int_equal(client_now(s->fd, &s->got), end);
  assert_string_equal(buf_str(&s->got), text);
}
