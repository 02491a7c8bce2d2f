#include "harness/capture.h"

#include <errno.h>
#include <unistd.h>

/* A pipe holds 64 KiB by default: one call empties it. */
enum { CHUNK = 65536 };
/* What may be left in a pipe after the last writer: its capacity, at most
 * 1 MiB for an unprivileged process (pipe-max-size). */
enum { MAX_LEFT_READS = 32 };

void capture_init(struct capture *c, int fd)
{
  c->fd = fd;
  c->total = 0;
  buf_init(&c->kept, CAPTURE_MAX_BYTES);
}

void capture_close(struct capture *c)
{
  if (c->fd >= 0)
    close(c->fd);
  c->fd = -1;
}

void capture_release(struct capture *c)
{
  capture_close(c);
  buf_release(&c->kept);
}

static void keep(struct capture *c, const char *p, size_t n)
{
  size_t room = CAPTURE_MAX_BYTES - 1 - c->kept.n;
  c->total += n;
  if (CAPTURE_MAX_BYTES - 1 < c->kept.n)
    room = 0;
  buf_add(&c->kept, p, n < room ? n : room);
}

/* 1: read something, 0: the end, -1: nothing there now. */
static int read_chunk(struct capture *c)
{
  char chunk[CHUNK];
  ssize_t n;
  do
    n = read(c->fd, chunk, sizeof chunk);
  while (n < 0 && errno == EINTR);
  if (n < 0)
    return errno == EAGAIN ? -1 : 0;
  if (n == 0)
    return 0;
  keep(c, chunk, (size_t)n);
  return 1;
}

bool capture_read(struct capture *c)
{
  return c->fd >= 0 && read_chunk(c) != 0;
}

void capture_finish(struct capture *c)
{
  for (int i = 0; c->fd >= 0 && i < MAX_LEFT_READS; i++)
    if (read_chunk(c) <= 0)
      break;
  capture_close(c);
}

bool capture_cut(const struct capture *c)
{
  return c->total > c->kept.n;
}
