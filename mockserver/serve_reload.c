#include "mockserver/serve_reload.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <unistd.h>

/* An editor writes, renames and touches in one go: it is read once, when
 * that is over. */
#define SETTLE_NS (50 * NS_PER_MS)

void reload_now(struct reload *r)
{
  struct scenario s;
  struct diag diag = {0};
  char text[2048];
  if (!r->path) {
    fprintf(stderr, "faultwire serve: there is no scenario file to read\n");
    return;
  }
  int failed = scenario_load(&s, r->path, &diag);
  server_count_load(r->server, !failed);
  if (failed) {
    diag_format(&diag, text, sizeof text);
    fprintf(stderr, "faultwire serve: the old scenario goes on: %s\n", text);
    return;
  }
  fprintf(stderr, "faultwire serve: read %s again: %s (%zu steps)\n", r->path,
          s.name, s.nsteps);
  server_arm(r->server, &s);
}

static void on_settled(void *arg)
{
  struct reload *r = arg;
  r->timer = 0;
  reload_now(r);
}

static const char *base_name(const char *path)
{
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/* Some event in these bytes is about our file. */
static bool names_it(const char *p, size_t n, const char *name)
{
  bool found = false;
  for (size_t at = 0; at + sizeof(struct inotify_event) <= n;) {
    struct inotify_event e;
    memcpy(&e, p + at, sizeof e);
    const char *about = p + at + sizeof e;
    found |= (e.mask & IN_Q_OVERFLOW) || (e.len && strcmp(about, name) == 0);
    at += sizeof e + e.len;
  }
  return found;
}

static void on_change(void *arg, int fd, uint32_t events)
{
  struct reload *r = arg;
  char block[16 * (sizeof(struct inotify_event) + NAME_MAX + 1)];
  bool ours = false;
  (void)events;
  for (ssize_t n; (n = read(fd, block, sizeof block)) > 0;)
    ours |= names_it(block, (size_t)n, base_name(r->path));
  if (!ours)
    return;
  if (r->timer)
    engine_cancel(r->engine, r->timer);
  r->timer = engine_at(r->engine, clock_now_ns(clock_real()) + SETTLE_NS,
                       on_settled, r);
}

int reload_watch(struct reload *r, struct diag *diag)
{
  size_t n = (size_t)(base_name(r->path) - r->path);
  char *folder = n ? bytes_dup((struct bytes){r->path, n}) : mem_strdup(".");
  r->fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
  int rc = r->fd < 0
               ? -1
               : inotify_add_watch(r->fd, folder, IN_CLOSE_WRITE | IN_MOVED_TO);
  if (rc >= 0)
    rc = engine_watch(r->engine, r->fd, EPOLLIN, on_change, r);
  if (rc < 0)
    diag_set(diag, "cannot watch %s: %s", folder, strerror(errno));
  free(folder);
  return rc < 0 ? -1 : 0;
}

void reload_close(struct reload *r)
{
  if (r->fd >= 0)
    close(r->fd);
  r->fd = -1;
}
