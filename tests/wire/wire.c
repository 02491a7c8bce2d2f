#include "tests/wire/wire.h"

#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

static void on_command(void *arg, int fd, uint32_t events)
{
  (void)events;
  struct wire *w = arg;
  int64_t ns = 0;
  ssize_t n = read(fd, &ns, sizeof ns);
  assert(n == (ssize_t)sizeof ns);
  clock_fake_advance(&w->clock, ns);
  n = write(w->answers[1], "k", 1);
  assert(n == 1);
}

static void *loop(void *arg)
{
  struct wire *w = arg;
  struct diag diag = {0};
  int failed = engine_run(w->engine, &diag);
  assert(!failed);
  return NULL;
}

static void refuse(const struct diag *diag)
{
  char text[2048];
  diag_format(diag, text, sizeof text);
  fprintf(stderr, "%s\n", text);
  abort();
}

void wire_open(struct wire *w, const char *json)
{
  struct diag diag = {0};
  memset(w, 0, sizeof *w);
  if (scenario_parse(&w->scenario, "wire.json", bytes_of(json), &diag) < 0)
    refuse(&diag);
  clock_fake_init(&w->clock, 1764547200);
  w->journal = journal_open(NULL, &w->clock.base, 0, &diag);
  w->server = server_new(&(struct server_options){.scenario = &w->scenario,
                                                  .clock = &w->clock.base,
                                                  .journal = w->journal,
                                                  .seed = 7});
  if (w->scenario.tls.on)
    w->ca = tls_ca_new(clock_wall_epoch_s(&w->clock.base),
                       w->scenario.tls.names, &diag);
  struct engine_options o = {.clock = &w->clock.base,
                             .tls = w->ca,
                             .tls_fault = server_tls_fault,
                             .journal = w->journal,
                             .handler = server_handle,
                             .early = server_early,
                             .ended = server_ended,
                             .handler_arg = w->server};
  w->engine = engine_new(&o, &diag);
  if (!w->engine)
    refuse(&diag);
  int failed = pipe(w->commands) | pipe(w->answers);
  failed |= engine_watch(w->engine, w->commands[0], EPOLLIN, on_command, w);
  failed |= pthread_create(&w->thread, NULL, loop, w);
  assert(!failed);
}

static void command(struct wire *w, int64_t ns)
{
  char byte;
  ssize_t n = write(w->commands[1], &ns, sizeof ns);
  assert(n == (ssize_t)sizeof ns);
  n = read(w->answers[0], &byte, 1);
  assert(n == 1);
}

/* One turn sees the events, the parser may need another, and a plan that
 * gave way runs in the next. */
void wire_sync(struct wire *w)
{
  for (int i = 0; i < 3; i++)
    command(w, 0);
}

void wire_advance(struct wire *w, int64_t ms)
{
  command(w, ms * NS_PER_MS);
  wire_sync(w);
}

void wire_stop(struct wire *w)
{
  wire_sync(w);
  engine_stop(w->engine);
  pthread_join(w->thread, NULL);
  engine_free(w->engine);
  w->engine = NULL;
}

void wire_close(struct wire *w)
{
  if (w->engine)
    wire_stop(w);
  server_free(w->server);
  tls_ca_free(w->ca);
  journal_close(w->journal);
  scenario_release(&w->scenario);
  for (int i = 0; i < 2; i++) {
    close(w->commands[i]);
    close(w->answers[i]);
  }
}

int wire_connect(const struct wire *w)
{
  struct sockaddr_in a = {.sin_family = AF_INET,
                          .sin_port = htons(engine_port(w->engine)),
                          .sin_addr = {htonl(INADDR_LOOPBACK)}};
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  /* else a second piece waits for the kernel's delayed ACK of the first */
  int on = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  int failed = connect(fd, (struct sockaddr *)&a, sizeof a);
  assert(!failed);
  return fd;
}

void wire_send(int fd, const char *text)
{
  size_t n = strlen(text);
  ssize_t k = send(fd, text, n, MSG_NOSIGNAL);
  assert(k == (ssize_t)n);
}

enum wire_end wire_take(int fd, struct buf *ret)
{
  char block[65536];
  for (;;) {
    ssize_t k = recv(fd, block, sizeof block, MSG_DONTWAIT);
    if (k > 0)
      buf_add(ret, block, (size_t)k);
    else
      return k == 0 ? WIRE_FIN : errno == ECONNRESET ? WIRE_RST : WIRE_OPEN;
  }
}
