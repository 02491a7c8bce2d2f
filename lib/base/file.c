#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int read_all(int fd, struct buf *ret)
{
  char chunk[65536];
  while (!ret->full) {
    ssize_t n = read(fd, chunk, sizeof chunk);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return n < 0 ? -1 : 0;
    buf_add(ret, chunk, (size_t)n);
  }
  return 0;
}

int file_read(const char *path, struct buf *ret, struct diag *diag)
{
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return diag_set(diag, "cannot open '%s': %s", path, strerror(errno));
  int rc = read_all(fd, ret);
  int error = errno;
  struct stat st;
  long long size = fstat(fd, &st) == 0 ? (long long)st.st_size : -1;
  close(fd);
  if (rc < 0)
    return diag_set(diag, "cannot read '%s': %s", path, strerror(error));
  if (ret->full)
    return diag_set(diag, "'%s' is too large: %lld bytes, the limit is %zu",
                    path, size, ret->max);
  return 0;
}

static int write_all(int fd, struct bytes content)
{
  while (content.n) {
    ssize_t n = write(fd, content.p, content.n);
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      return -1;
    content.p += n;
    content.n -= (size_t)n;
  }
  return 0;
}

/* Opens, writes, closes; the first error stays in errno. */
static int write_file(const char *path, int flags, struct bytes content)
{
  int fd = open(path, O_WRONLY | O_CLOEXEC | flags, 0666);
  if (fd < 0)
    return -1;
  int rc = write_all(fd, content), error = errno;
  if (close(fd) < 0 && rc == 0) {
    rc = -1;
    error = errno;
  }
  errno = error;
  return rc;
}

/* A device, a pipe or a link is written through: a rename would put a file
 * in its place. */
static bool is_replaceable(const char *path)
{
  struct stat st;
  return lstat(path, &st) < 0 || S_ISREG(st.st_mode);
}

/* Beside the target first, so that no half file is ever seen. */
static int replace_file(const char *path, struct bytes content)
{
  char *temporary = mem_format("%s.tmp.%ld", path, (long)getpid());
  int rc = write_file(temporary, O_CREAT | O_TRUNC, content);
  if (rc == 0)
    rc = rename(temporary, path);
  int error = errno;
  if (rc < 0)
    unlink(temporary);
  free(temporary);
  errno = error;
  return rc;
}

int file_write(const char *path, struct bytes content, struct diag *diag)
{
  int rc = is_replaceable(path) ? replace_file(path, content)
                                : write_file(path, O_TRUNC, content);
  return rc == 0
             ? 0
             : diag_set(diag, "cannot write '%s': %s", path, strerror(errno));
}

int file_mkdirs(const char *path, struct diag *diag)
{
  char *copy = mem_strdup(path);
  int rc = 0;
  for (char *slash = strchr(copy + 1, '/'); rc == 0;) {
    if (slash)
      *slash = '\0';
    if (mkdir(copy, 0777) < 0 && errno != EEXIST)
      rc = diag_set(diag, "cannot make folder '%s': %s", copy, strerror(errno));
    if (!slash)
      break;
    *slash = '/';
    slash = strchr(slash + 1, '/');
  }
  if (rc == 0 && !file_is_folder(path))
    rc = diag_set(diag, "'%s' is there and is not a folder", path);
  free(copy);
  return rc;
}

char *file_temp_folder(const char *prefix, struct diag *diag)
{
  const char *base = getenv("TMPDIR");
  char *path =
      mem_format("%s/%s.XXXXXX", base && *base ? base : "/tmp", prefix);
  if (mkdtemp(path))
    return path;
  diag_set(diag, "cannot make a temporary folder '%s': %s", path,
           strerror(errno));
  free(path);
  return NULL;
}

static int remove_one(const char *path, const struct stat *st, int type,
                      struct FTW *at)
{
  (void)st;
  (void)at;
  if (type == FTW_DNR)
    chmod(path, 0700);
  return remove(path);
}

int file_remove_tree(const char *path)
{
  return nftw(path, remove_one, 32, FTW_DEPTH | FTW_PHYS);
}

bool file_exists(const char *path)
{
  struct stat st;
  return lstat(path, &st) == 0;
}

bool file_is_folder(const char *path)
{
  struct stat st;
  return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}
