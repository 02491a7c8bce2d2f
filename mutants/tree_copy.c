#include "mutants/walk.h"

#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static int copy_bytes(int from, int to)
{
  char chunk[65536];
  /* Shares the blocks where the file system can; no error where it cannot. */
  if (ioctl(to, FICLONE, from) == 0)
    return 0;
  for (;;) {
    ssize_t n = read(from, chunk, sizeof chunk);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return n < 0 ? -1 : 0;
    for (ssize_t done = 0; done < n;) {
      ssize_t k = write(to, chunk + done, (size_t)(n - done));
      if (k < 0 && errno != EINTR)
        return -1;
      done += k > 0 ? k : 0;
    }
  }
}

/* The kernel stamps files with a clock that stands still for milliseconds;
 * the exact time is always later than any stamp given before. */
static void stamp(int fd, const struct stat *st, bool keep_times)
{
  struct timespec times[2] = {st->st_atim, st->st_mtim};
  if (!keep_times) {
    clock_gettime(CLOCK_REALTIME, &times[0]);
    times[1] = times[0];
  }
  futimens(fd, times);
}

static int copy_open(int from, const char *to, bool keep_times)
{
  struct stat st;
  if (fstat(from, &st) < 0)
    return -1;
  /* A fresh file: what holds the old one open keeps the old bytes. */
  unlink(to);
  int fd = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0)
    return -1;
  int rc = copy_bytes(from, fd);
  if (rc == 0)
    rc = fchmod(fd, st.st_mode & 07777);
  if (rc == 0)
    stamp(fd, &st, keep_times);
  int error = errno;
  close(fd);
  errno = error;
  return rc;
}

int tree_copy_file(const char *from, const char *to, bool keep_times,
                   struct diag *diag)
{
  int fd = open(from, O_RDONLY | O_CLOEXEC);
  if (fd < 0 && errno == ENOENT) {
    unlink(to);
    return 0;
  }
  int rc = fd < 0 ? -1 : copy_open(fd, to, keep_times);
  if (rc < 0)
    diag_set(diag, "cannot copy '%s' to '%s': %s", from, to, strerror(errno));
  if (fd >= 0)
    close(fd);
  return rc;
}

static int copy_link(const char *from, const char *to, struct diag *diag)
{
  char target[4096];
  ssize_t n = readlink(from, target, sizeof target - 1);
  if (n >= 0)
    target[n] = '\0';
  if (n < 0 || symlink(target, to) < 0)
    return diag_set(diag, "cannot copy the link '%s': %s", from,
                    strerror(errno));
  return 0;
}

struct copy {
  const char *from, *to;
};

/* Sockets, pipes and devices are left out: nobody builds from them. */
static int copy_entry(void *ctx, const char *path, const struct stat *st,
                      struct diag *diag)
{
  const struct copy *c = ctx;
  char *from = mem_format("%s/%s", c->from, path);
  char *to = mem_format("%s/%s", c->to, path);
  int rc = 0;
  if (S_ISDIR(st->st_mode))
    rc = file_mkdirs(to, diag);
  else if (S_ISREG(st->st_mode))
    rc = tree_copy_file(from, to, true, diag);
  else if (S_ISLNK(st->st_mode))
    rc = copy_link(from, to, diag);
  free(from);
  free(to);
  return rc;
}

int tree_copy(const char *from, const char *to, const struct tree_skip *skip,
              struct diag *diag)
{
  struct copy c = {from, to};
  if (file_mkdirs(to, diag) < 0)
    return -1;
  return walk_tree(from, skip, copy_entry, &c, diag);
}
