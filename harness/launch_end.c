#include "harness/launch.h"

#include "base/number.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Rounds of ending what the ended left to us; a tree deeper than this is a
 * fork bomb, whose members all get SIGKILL in each round anyway. */
enum { MAX_ROUNDS = 1000 };
/* Ceilings for files of /proc that are read here. */
enum { MAX_CHILDREN_BYTES = 1 << 20, MAX_ENVIRON_BYTES = 1 << 20 };

static bool read_proc(const char *path, struct buf *ret)
{
  char chunk[4096];
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return false;
  for (;;) {
    ssize_t n = read(fd, chunk, sizeof chunk);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      break;
    buf_add(ret, chunk, (size_t)n);
  }
  close(fd);
  return true;
}

static bool kept(long pid, const long *keep, size_t nkeep)
{
  for (size_t i = 0; i < nkeep; i++)
    if (keep[i] == pid)
      return true;
  return false;
}

/* True for a process that is gone or a zombie: reaped on the way. */
static bool reaped(long pid)
{
  return waitpid((pid_t)pid, NULL, WNOHANG) != 0;
}

static bool has_home(long pid, const char *home)
{
  char path[48];
  struct buf text;
  char *line = mem_format("HOME=%s", home);
  snprintf(path, sizeof path, "/proc/%ld/environ", pid);
  buf_init(&text, MAX_ENVIRON_BYTES);
  bool ok =
      read_proc(path, &text) &&
      /* with its NUL, so that no longer name matches */
      bytes_find(buf_bytes(&text), (struct bytes){line, strlen(line) + 1}) >= 0;
  buf_release(&text);
  free(line);
  return ok;
}

/* One child; true when it was alive and was ended. */
static bool end_one(long pid, const char *home)
{
  if (reaped(pid))
    return false;
  if (home && !has_home(pid, home))
    return false;
  kill((pid_t)pid, SIGKILL);
  while (waitpid((pid_t)pid, NULL, 0) < 0 && errno == EINTR)
    continue;
  return true;
}

static bool end_round(const char *home, const long *keep, size_t nkeep)
{
  char path[64];
  struct buf text;
  bool any = false;
  long self = (long)getpid();
  snprintf(path, sizeof path, "/proc/%ld/task/%ld/children", self, self);
  buf_init(&text, MAX_CHILDREN_BYTES);
  read_proc(path, &text);
  struct bytes rest = buf_bytes(&text);
  uint64_t pid = 0;
  while (number_take_u64(&rest, INT32_MAX, &pid) == NUMBER_OK) {
    if (!kept((long)pid, keep, nkeep))
      any |= end_one((long)pid, home);
    while (rest.n && rest.p[0] == ' ') {
      rest.p++;
      rest.n--;
    }
  }
  buf_release(&text);
  return any;
}

static bool end_all(const char *home, const long *keep, size_t nkeep)
{
  bool any = false;
  for (int i = 0; i < MAX_ROUNDS && end_round(home, keep, nkeep); i++)
    any = true;
  return any;
}

bool launch_end_children(const long *keep, size_t nkeep)
{
  return end_all(NULL, keep, nkeep);
}

bool launch_end_orphans_of(const char *home, const long *keep, size_t nkeep)
{
  return end_all(home, keep, nkeep);
}
