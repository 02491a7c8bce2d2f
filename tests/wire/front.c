#include "tests/wire/front.h"

#include "mockserver/upstream/pass.h"
#include "mockserver/upstream/upstream.h"

#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

/* A reader that waits longer has found a fault. */
enum { PATIENCE_S = 20 };

static void *loop(void *arg)
{
  struct front *f = arg;
  struct diag diag = {0};
  int failed = engine_run(f->engine, &diag);
  assert(!failed);
  return NULL;
}

static void refuse(const struct diag *diag)
{
  fprintf(stderr, "%s: %s\n", diag->path, diag->text);
  abort();
}

static void open_upstream(struct front *f, const char *url, uint16_t port)
{
  struct diag diag = {0};
  char *made = mem_format("http://127.0.0.1:%u", (unsigned)port);
  struct upstream_options o = {.url = url ? url : made, .clock = clock_real()};
  f->upstream = upstream_new(&o, &diag);
  if (!f->upstream)
    refuse(&diag);
  free(made);
}

void front_open(struct front *f, const char *json, const char *url,
                uint16_t port)
{
  struct diag diag = {0};
  memset(f, 0, sizeof *f);
  if (scenario_parse(&f->scenario, "front.json", bytes_of(json), &diag) < 0)
    refuse(&diag);
  pass_adopt(&f->scenario);
  open_upstream(f, url, port);
  f->journal = journal_open(NULL, clock_real(), 0, &diag);
  f->server = server_new(&(struct server_options){.scenario = &f->scenario,
                                                  .clock = clock_real(),
                                                  .journal = f->journal,
                                                  .upstream = f->upstream});
  struct engine_options o = {.clock = clock_real(),
                             .journal = f->journal,
                             .handler = server_handle,
                             .early = server_early,
                             .ended = server_ended,
                             .handler_arg = f->server};
  f->engine = engine_new(&o, &diag);
  if (!f->engine)
    refuse(&diag);
  upstream_set_engine(f->upstream, f->engine);
  int failed = pthread_create(&f->thread, NULL, loop, f);
  assert(!failed);
  f->runs = true;
}

void front_stop(struct front *f)
{
  if (!f->runs)
    return;
  engine_stop(f->engine);
  pthread_join(f->thread, NULL);
  f->runs = false;
  upstream_stop(f->upstream);
  engine_free(f->engine);
  upstream_free(f->upstream);
}

void front_close(struct front *f)
{
  front_stop(f);
  server_free(f->server);
  journal_close(f->journal);
  scenario_release(&f->scenario);
}

int front_connect(const struct front *f)
{
  struct timeval patience = {PATIENCE_S, 0};
  struct sockaddr_in a = {.sin_family = AF_INET,
                          .sin_port = htons(engine_port(f->engine)),
                          .sin_addr = {htonl(INADDR_LOOPBACK)}};
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  int failed = connect(fd, (struct sockaddr *)&a, sizeof a);
  assert(!failed);
  return fd;
}

enum wire_end front_take(int fd, size_t n, struct buf *ret)
{
  char block[65536];
  while (ret->n < n) {
    size_t want = n - ret->n < sizeof block ? n - ret->n : sizeof block;
    ssize_t k = recv(fd, block, want, 0);
    if (k <= 0)
      return k == 0 ? WIRE_FIN : errno == ECONNRESET ? WIRE_RST : WIRE_OPEN;
    buf_add(ret, block, (size_t)k);
  }
  return WIRE_OPEN;
}
