#include "mockserver/engine_body.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* Larger memory is not kept for the next request. */
#define KEEP_BYTES ((size_t)256 << 10)

/* No ceiling of its own: body_add() has the limits. */
#define NO_CEILING ((size_t)1 << 31)

void body_init(struct body *b)
{
  *b = (struct body){.fd = -1};
  buf_init(&b->memory, NO_CEILING);
}

static void drop_file(struct body *b)
{
  if (b->map)
    munmap(b->map, (size_t)b->n);
  if (b->fd >= 0)
    close(b->fd);
  b->map = NULL;
  b->fd = -1;
}

void body_reset(struct body *b)
{
  drop_file(b);
  if (b->memory.cap > KEEP_BYTES)
    buf_release(&b->memory);
  buf_reset(&b->memory);
  b->n = 0;
}

void body_release(struct body *b)
{
  drop_file(b);
  buf_release(&b->memory);
}

/* Has no name from the start where the file system can do that. /var/tmp
 * before /tmp, which may be memory. */
static int open_file(void)
{
  const char *folders[] = {getenv("TMPDIR"), "/var/tmp", "/tmp"};
  for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
    if (!folders[i] || !*folders[i])
      continue;
    int fd = open(folders[i], O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd >= 0)
      return fd;
    char *name = mem_format("%s/faultwire-body.XXXXXX", folders[i]);
    fd = mkostemp(name, O_CLOEXEC);
    if (fd >= 0)
      unlink(name);
    free(name);
    if (fd >= 0)
      return fd;
  }
  return -1;
}

static bool write_all(int fd, struct bytes piece)
{
  while (piece.n) {
    ssize_t k = write(fd, piece.p, piece.n);
    if (k < 0 && errno == EINTR)
      continue;
    if (k <= 0)
      return false;
    piece.p += k;
    piece.n -= (size_t)k;
  }
  return true;
}

static enum body_result to_file(struct body *b, struct bytes piece)
{
  if (b->fd < 0) {
    b->fd = open_file();
    if (b->fd < 0 || !write_all(b->fd, buf_bytes(&b->memory)))
      return BODY_NO_ROOM;
    b->hash = bytes_hash(buf_bytes(&b->memory));
    buf_release(&b->memory);
    buf_init(&b->memory, NO_CEILING);
  }
  if (!write_all(b->fd, piece))
    return BODY_NO_ROOM;
  /* with each piece: at the end it would hold up everybody */
  b->hash = bytes_hash_more(b->hash, piece);
  return BODY_OK;
}

enum body_result body_add(struct body *b, const struct body_limits *l,
                          struct bytes piece)
{
  if (piece.n > l->max_bytes - b->n)
    return BODY_TOO_LARGE;
  if (b->fd < 0 && b->n + piece.n <= l->in_memory_bytes) {
    buf_addb(&b->memory, piece);
  } else {
    enum body_result r = to_file(b, piece);
    if (r != BODY_OK)
      return r;
  }
  b->n += piece.n;
  return BODY_OK;
}

struct bytes body_bytes(struct body *b)
{
  if (b->fd < 0)
    return buf_bytes(&b->memory);
  if (!b->map) {
    void *p = mmap(NULL, (size_t)b->n, PROT_READ, MAP_PRIVATE, b->fd, 0);
    b->map = p == MAP_FAILED ? NULL : p;
  }
  return (struct bytes){b->map, b->map ? (size_t)b->n : 0};
}

uint64_t body_hash(const struct body *b)
{
  return b->fd < 0 ? bytes_hash(buf_bytes(&b->memory)) : b->hash;
}
