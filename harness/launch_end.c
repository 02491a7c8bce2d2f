#include "harness/launch.h"

#include "base/number.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/pidfd.h>
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

/* What a round did. Whatever is over may have left us children that were not
 * in its list. */
struct round {
  bool again; /* a child is over, so another round is due */
  bool ended; /* one that was still alive */
};

enum home { HOME_THIS, HOME_OTHER, HOME_UNSEEN };

static enum home home_of(long pid, const char *home)
{
  char path[48];
  struct buf text;
  char *line = mem_format("HOME=%s", home);
  snprintf(path, sizeof path, "/proc/%ld/environ", pid);
  buf_init(&text, MAX_ENVIRON_BYTES);
  bool seen = read_proc(path, &text) && text.n > 0;
  bool same =
      seen &&
      /* with its NUL, so that no longer name matches */
      bytes_find(buf_bytes(&text), (struct bytes){line, strlen(line) + 1}) >= 0;
  buf_release(&text);
  free(line);
  return same ? HOME_THIS : seen ? HOME_OTHER : HOME_UNSEEN;
}

/* A process that ends or begins another program shows no environment for a
 * moment. One that was given none never does, hence a limit. */
enum { UNSEEN_TRIES = 100, UNSEEN_MS = 1 };

static enum home home_to_be_seen(long pid, const char *home, bool *ret_ends)
{
  enum home h = home_of(pid, home);
  int fd = h == HOME_UNSEEN ? pidfd_open((pid_t)pid, 0) : -1;
  struct pollfd end = {fd, POLLIN, 0};
  for (int i = 0; fd >= 0 && h == HOME_UNSEEN && i < UNSEEN_TRIES; i++) {
    *ret_ends = poll(&end, 1, UNSEEN_MS) > 0;
    if (*ret_ends)
      break;
    h = home_of(pid, home);
  }
  if (fd >= 0)
    close(fd);
  return h;
}

static void end_one(long pid, const char *home, struct round *r)
{
  bool ends = false;
  pid_t done = waitpid((pid_t)pid, NULL, WNOHANG);
  if (done != 0) {
    r->again |= done > 0;
    return;
  }
  if (home && home_to_be_seen(pid, home, &ends) != HOME_THIS) {
    r->again |= ends;
    return;
  }
  kill((pid_t)pid, SIGKILL);
  while (waitpid((pid_t)pid, NULL, 0) < 0 && errno == EINTR)
    continue;
  r->again = r->ended = true;
}

static struct round end_round(const char *home, const long *keep, size_t nkeep)
{
  char path[64];
  struct buf text;
  struct round r = {0};
  long self = (long)getpid();
  snprintf(path, sizeof path, "/proc/%ld/task/%ld/children", self, self);
  buf_init(&text, MAX_CHILDREN_BYTES);
  read_proc(path, &text);
  struct bytes rest = buf_bytes(&text);
  uint64_t pid = 0;
  while (number_take_u64(&rest, INT32_MAX, &pid) == NUMBER_OK) {
    if (!kept((long)pid, keep, nkeep))
      end_one((long)pid, home, &r);
    while (rest.n && rest.p[0] == ' ') {
      rest.p++;
      rest.n--;
    }
  }
  buf_release(&text);
  return r;
}

static bool end_all(const char *home, const long *keep, size_t nkeep)
{
  struct round r = {.again = true};
  bool any = false;
  for (int i = 0; i < MAX_ROUNDS && r.again; i++) {
    r = end_round(home, keep, nkeep);
    any |= r.ended;
  }
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
