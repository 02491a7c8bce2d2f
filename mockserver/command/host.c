#include "mockserver/command/session.h"

#include "base/file.h"
#include "mockserver/command/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* Starts that wait to be taken: more than any client makes at once. */
enum { BACKLOG = 512 };

struct listener {
  struct listener *next;
  struct host *host;
  int fd;
  char *path; /* of the socket */
  char lane[64];
};

struct host *host_new(const struct host_options *o)
{
  struct host *h = mem_zalloc(sizeof *h);
  h->o = *o;
  ids_init(&h->ids, o->seed);
  return h;
}

static void on_connect(void *arg, int fd, uint32_t events)
{
  struct listener *l = arg;
  (void)events;
  int client;
  while ((client = accept4(fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK)) >= 0)
    session_begin(l->host, client, l->lane);
}

/* By way of the folder's descriptor: an address takes 107 bytes, a folder's
 * path may have more. */
static int bind_in(const char *folder, int fd)
{
  struct sockaddr_un a = {.sun_family = AF_UNIX};
  int dir = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (dir < 0)
    return -1;
  snprintf(a.sun_path, sizeof a.sun_path, "/proc/self/fd/%d/%s", dir,
           SHIM_SOCKET);
  int rc = bind(fd, (const struct sockaddr *)(const void *)&a, sizeof a);
  /* one left behind by a server that was killed; a living one answers */
  if (rc < 0 && errno == EADDRINUSE) {
    int probe = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool alive = connect(probe, (const struct sockaddr *)(const void *)&a,
                         sizeof a) == 0;
    close(probe);
    if (alive)
      errno = EADDRINUSE;
    else if (unlink(a.sun_path) == 0)
      rc = bind(fd, (const struct sockaddr *)(const void *)&a, sizeof a);
  }
  int error = errno;
  close(dir);
  errno = error;
  return rc;
}

int host_listen(struct host *h, const char *folder, const char *lane,
                struct diag *diag)
{
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  struct listener *l = mem_zalloc(sizeof *l);
  *l = (struct listener){.host = h, .fd = fd};
  l->path = mem_format("%s/%s", folder, SHIM_SOCKET);
  snprintf(l->lane, sizeof l->lane, "%s", lane);
  if (fd >= 0 && bind_in(folder, fd) == 0 && listen(fd, BACKLOG) == 0 &&
      engine_watch(h->o.engine, fd, EPOLLIN, on_connect, l) == 0) {
    l->next = h->listeners;
    h->listeners = l;
    return 0;
  }
  diag_set(diag, "cannot listen for commands in '%s': %s", folder,
           errno == EADDRINUSE ? "another server does" : strerror(errno));
  if (fd >= 0)
    close(fd);
  free(l->path);
  free(l);
  return -1;
}

void host_on_attempt(struct host *h, engine_attempt_fn *fn, void *arg)
{
  h->on_attempt = fn;
  h->on_attempt_arg = arg;
}

size_t host_open(const struct host *h)
{
  return h->nsessions;
}

void host_stop_listening(struct host *h)
{
  while (h->listeners) {
    struct listener *l = h->listeners;
    h->listeners = l->next;
    engine_unwatch(h->o.engine, l->fd);
    close(l->fd);
    unlink(l->path);
    free(l->path);
    free(l);
  }
}

void host_free(struct host *h)
{
  if (!h)
    return;
  host_stop_listening(h);
  while (h->sessions)
    session_stop(h->sessions);
  free(h);
}

/* More commands than a scenario has. */
enum { MAX_NAMES = 64 };

int host_place(const char *folder, const struct scenario *s, struct diag *diag)
{
  const char *names[MAX_NAMES];
  size_t n = host_names(s, names, MAX_NAMES);
  if (file_mkdirs(folder, diag) < 0)
    return -1;
  for (size_t i = 0; i < n; i++)
    if (folder_put(folder, names[i], diag) < 0)
      return -1;
  return 0;
}

void host_take(const char *folder, const struct scenario *s)
{
  const char *names[MAX_NAMES];
  size_t n = host_names(s, names, MAX_NAMES);
  for (size_t i = 0; i < n; i++)
    folder_take(folder, names[i]);
}

size_t host_names(const struct scenario *s, const char **ret, size_t max)
{
  size_t n = 0;
  for (size_t i = 0; i < s->nsteps; i++) {
    const char *name = s->steps[i].command;
    bool there = !name;
    for (size_t k = 0; k < n && !there; k++)
      there = strcmp(ret[k], name) == 0;
    if (!there && n < max)
      ret[n++] = name;
  }
  return n;
}
