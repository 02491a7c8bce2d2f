#include "mockserver/engine_io.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* What the parser may say by itself: an interim or a refusal, both short. */
#define SAID_BYTES 4096

/*
 * The parser reads descriptors, and there is none with decrypted bytes: a
 * pair of sockets stands in for the connection while a request arrives. One
 * end is ours, the parser gets the other, and a copy of that is kept to see
 * how much it has read and to take back the rest.
 */
struct feed {
  int ours, kept;
  bool shut;
  uint64_t fed;
};

static void on_said(void *arg, int fd, uint32_t events)
{
  (void)fd;
  (void)events;
  feed_pass_on(arg);
}

int feed_open(struct engine *e, struct conn *c)
{
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0,
                 pair) != 0)
    return -1;
  struct feed *f = mem_zalloc(sizeof *f);
  *f = (struct feed){.ours = pair[0],
                     .kept = fcntl(pair[1], F_DUPFD_CLOEXEC, 0)};
  c->feed = f;
  if (f->kept < 0 || engine_watch(e, f->ours, EPOLLIN, on_said, c) != 0) {
    close(pair[1]);
    feed_close(e, c);
    return -1;
  }
  feed_more(e, c);
  return pair[1];
}

/* True when the parser's end took all that waited. */
static bool give(struct conn *c)
{
  struct feed *f = c->feed;
  while (tls_waiting(c->tls).n) {
    struct bytes b = tls_waiting(c->tls);
    ssize_t k = send(f->ours, b.p, b.n, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (k <= 0)
      return false;
    f->fed += (uint64_t)k;
    tls_drop(c->tls, (size_t)k);
  }
  return true;
}

void feed_more(struct engine *e, struct conn *c)
{
  char byte;
  ssize_t k = 1;
  struct feed *f = c->feed;
  bool all = true;
  e->parser_due = true;
  if (f->shut)
    return;
  while (k > 0 && (all = give(c)))
    k = tls_peek(c->tls, &byte, 1);
  if (!all)
    conn_make_ready(e, c); /* again when the parser has read */
  else if (k == 0 || errno != EAGAIN)
    feed_end(c);
}

void feed_end(struct conn *c)
{
  shutdown(c->feed->ours, SHUT_WR);
  c->feed->shut = true;
}

uint64_t feed_pass_on(struct conn *c)
{
  char said[SAID_BYTES];
  uint64_t sum = 0;
  for (ssize_t n; c->feed && (n = recv(c->feed->ours, said, sizeof said,
                                       MSG_DONTWAIT)) > 0;) {
    /* too short to find the socket full */
    if (tls_send(c->tls, said, (size_t)n) < 0)
      break;
    sum += (uint64_t)n;
  }
  return sum;
}

static uint64_t unread_of(const struct feed *f)
{
  int waiting = 0;
  return f->kept >= 0 && ioctl(f->kept, FIONREAD, &waiting) == 0 && waiting > 0
             ? (uint64_t)waiting
             : 0;
}

uint64_t feed_read_bytes(const struct conn *c)
{
  const struct feed *f = c->feed;
  return c->taken + (f ? f->fed - unread_of(f) : 0);
}

ssize_t feed_skip(struct conn *c, size_t n)
{
  ssize_t k = tls_skip(c->tls, n);
  if (k > 0)
    c->taken += (uint64_t)k;
  return k;
}

/* What the parser has left goes back in front of what came since. */
static void take_back(struct conn *c)
{
  struct feed *f = c->feed;
  size_t n = (size_t)unread_of(f);
  char *rest = mem_alloc(n + 1);
  ssize_t k = n ? recv(f->kept, rest, n, MSG_DONTWAIT) : 0;
  uint64_t back = k > 0 ? (uint64_t)k : 0;
  tls_unread(c->tls, (struct bytes){rest, (size_t)back});
  c->taken += f->fed - back;
  free(rest);
}

void feed_close(struct engine *e, struct conn *c)
{
  struct feed *f = c->feed;
  if (!f)
    return;
  take_back(c);
  engine_unwatch(e, f->ours);
  close(f->ours);
  if (f->kept >= 0)
    close(f->kept);
  c->feed = NULL;
  free(f);
}
