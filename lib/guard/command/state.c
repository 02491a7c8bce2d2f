#include "state.h"

#include "base/diag.h"
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

static void complain(struct state *s, const char *what)
{
  if (!s->complained)
    fprintf(stderr, "guard: state file %s: %s\n", s->path, what);
  s->complained = true;
}

static void make_folder(const char *path)
{
  const char *slash = strrchr(path, '/');
  struct diag diag = {0};
  if (!slash || slash == path)
    return;
  char *folder = bytes_dup((struct bytes){path, (size_t)(slash - path)});
  /* that it could not be made shows when the file is opened */
  file_mkdirs(folder, &diag);
  free(folder);
}

void state_init(struct state *s, const char *path)
{
  memset(s, 0, sizeof *s);
  s->path = path;
  if (path)
    make_folder(path);
}

static int open_locked(struct state *s)
{
  int fd = open(s->path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0) {
    complain(s, "cannot be opened, goes on without it");
    return -1;
  }
  /* flock and not fcntl: it belongs to this opening, so that it also keeps
   * apart two threads of one process */
  while (flock(fd, LOCK_EX) < 0) {
    if (errno == EINTR)
      continue;
    complain(s, "cannot be locked, goes on without it");
    close(fd);
    return -1;
  }
  return fd;
}

static ssize_t read_all(int fd, char *ret, size_t size)
{
  size_t n = 0;
  while (n < size) {
    ssize_t got = pread(fd, ret + n, size - n, (off_t)n);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return -1;
    if (got == 0)
      break;
    n += (size_t)got;
  }
  return (ssize_t)n;
}

void state_take(struct state *s, struct shared *ret, int *ret_fd)
{
  char text[STATE_MAX_BYTES];
  *ret = s->own;
  *ret_fd = -1;
  if (!s->path)
    return;
  int fd = open_locked(s);
  if (fd < 0)
    return;
  ssize_t n = read_all(fd, text, sizeof text);
  enum shared_read r =
      n < 0 ? SHARED_FOREIGN
            : shared_decode((struct bytes){text, (size_t)n}, ret);
  if (r == SHARED_FOREIGN) {
    complain(s, "is not a state file; left alone, goes on without it");
    close(fd);
    return;
  }
  if (r == SHARED_TORN)
    complain(s, "was torn or of an older version; counts as closed");
  if (r != SHARED_OK)
    *ret = (struct shared){0};
  *ret_fd = fd;
}

static bool write_all(int fd, struct bytes text)
{
  size_t n = 0;
  while (n < text.n) {
    ssize_t put = pwrite(fd, text.p + n, text.n - n, (off_t)n);
    if (put < 0 && errno == EINTR)
      continue;
    if (put <= 0)
      return false;
    n += (size_t)put;
  }
  return ftruncate(fd, (off_t)text.n) == 0;
}

void state_put(struct state *s, const struct shared *shared, int fd)
{
  s->own = *shared;
  if (fd < 0)
    return;
  struct buf text;
  buf_init(&text, STATE_MAX_BYTES);
  shared_encode(shared, &text);
  if (!write_all(fd, buf_bytes(&text)))
    complain(s, "cannot be written");
  buf_release(&text);
  close(fd);
}
