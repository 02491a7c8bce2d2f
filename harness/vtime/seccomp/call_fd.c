/* Waits for descriptors with a time-out: the epoll, poll and select families.
 * We watch copies of the descriptors; when one is ready the kernel does the
 * real call, which then comes back at once. */
#include "harness/vtime/seccomp/backend.h"

#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>

/* More descriptors than this in one call are not copied: the call goes on in
 * the kernel. FD_SETSIZE of select, and no client polls more. */
enum { MAX_FDS = 1024, SET_WORDS = MAX_FDS / 64 };

/* What the caller wants to know about, in the client's numbers. */
struct wanted {
  struct pollfd fd[MAX_FDS];
  size_t n;
};

/* Copies them; false when one cannot be: nothing is left open. */
static bool copy_fds(struct backend *b, const struct call *c,
                     const struct wanted *w, struct hold *h)
{
  h->fd = mem_zalloc((w->n + 1) * sizeof *h->fd);
  for (size_t i = 0; i < w->n; i++) {
    if (w->fd[i].fd < 0)
      continue; /* poll(2): left out. It would count for our own poll */
    int own = backend_copy_fd(b, c->tgid, w->fd[i].fd);
    if (own < 0) {
      hold_close_fds(h);
      return false;
    }
    h->fd[h->nfds++] = (struct pollfd){own, w->fd[i].events, 0};
  }
  return true;
}

/* NULL: it goes on in the kernel. */
static struct hold *hold_fds(struct backend *b, const struct call *c,
                             const struct wanted *w, int64_t ns)
{
  struct hold copies = {.nfds = 0};
  if (b->no_getfd || !copy_fds(b, c, w, &copies))
    return NULL;
  struct hold *h = backend_hold(b, c, HOLD_FDS, ns);
  h->fd = copies.fd;
  h->nfds = copies.nfds;
  return h;
}

struct hold *backend_hold_fd(struct backend *b, const struct call *c, int fd,
                             short events, int64_t ns)
{
  struct wanted w;
  w.n = 1;
  w.fd[0] = (struct pollfd){fd, events, 0};
  struct hold *h = hold_fds(b, c, &w, ns);
  if (h && (fcntl(h->fd[0].fd, F_GETFL) & O_NONBLOCK)) {
    hold_drop(&b->holds, b->holds.n - 1);
    return NULL; /* it does not wait */
  }
  return h;
}

/* The signal mask that is to hold during the call: any other signal ends it. */
static void take_mask(struct hold *h, uint64_t address)
{
  uint64_t mask;
  if (!address || !memory_get(h->call.tid, address, &mask, sizeof mask))
    return;
  h->signals = ~mask;
  h->has_signals = true;
}

/* ---- epoll ---- */

static struct reply epoll(struct backend *b, const struct call *c, int64_t ns,
                          bool mask)
{
  struct wanted w;
  w.n = 1;
  w.fd[0] = (struct pollfd){(int)c->arg[0], POLLIN, 0};
  if ((int)c->arg[2] <= 0)
    return REPLY_GO_ON; /* no room for events: EINVAL */
  struct hold *h = hold_fds(b, c, &w, ns);
  if (!h)
    return backend_go_on(b, c, ns);
  if (mask)
    take_mask(h, c->arg[4]);
  return REPLY_LATER;
}

struct reply call_epoll_wait(struct backend *b, const struct call *c)
{
  return epoll(b, c, (int)c->arg[3] * NS_PER_MS, c->nr == SYS_epoll_pwait);
}

struct reply call_epoll_pwait2(struct backend *b, const struct call *c)
{
  int64_t ns;
  if (!memory_timespec(c->tid, c->arg[3], &ns) || ns == 0)
    return REPLY_GO_ON;
  return epoll(b, c, ns, true);
}

/* ---- poll ---- */

static struct hold *hold_poll(struct backend *b, const struct call *c,
                              int64_t ns)
{
  struct wanted w;
  uint64_t n = c->arg[1];
  if (n > MAX_FDS ||
      (n && !memory_get(c->tid, c->arg[0], w.fd, n * sizeof *w.fd)))
    return NULL;
  w.n = n;
  struct hold *h = hold_fds(b, c, &w, ns);
  if (h) {
    h->polls = c->arg[0];
    h->npolls = n;
  }
  return h;
}

struct reply call_poll(struct backend *b, const struct call *c)
{
  int64_t ns = (int)c->arg[2] * NS_PER_MS;
  return hold_poll(b, c, ns) ? REPLY_LATER : backend_go_on(b, c, ns);
}

struct reply call_ppoll(struct backend *b, const struct call *c)
{
  int64_t ns;
  if (!memory_timespec(c->tid, c->arg[2], &ns) || ns == 0)
    return REPLY_GO_ON;
  struct hold *h = hold_poll(b, c, ns);
  if (!h)
    return backend_go_on(b, c, ns);
  h->left = c->arg[2];
  h->left_form = LEFT_TIMESPEC;
  take_mask(h, c->arg[3]);
  return REPLY_LATER;
}

/* ---- select ---- */

/* What each set of select asks for (select(2), "Correspondence between
 * select() and poll() notifications"). */
static bool take_set(const struct call *c, int i, int n, struct wanted *w)
{
  static const short events[] = {POLLIN, POLLOUT, POLLPRI};
  uint64_t word[SET_WORDS] = {0};
  size_t bytes = ((size_t)n + 63) / 64 * sizeof word[0];
  if (!c->arg[1 + i])
    return true;
  if (bytes && !memory_get(c->tid, c->arg[1 + i], word, bytes))
    return false;
  for (int fd = 0; fd < n; fd++) {
    if (!(word[fd / 64] >> (fd % 64) & 1))
      continue;
    if (w->n == MAX_FDS)
      return false;
    w->fd[w->n++] = (struct pollfd){fd, events[i], 0};
  }
  return true;
}

static struct hold *hold_select(struct backend *b, const struct call *c,
                                int64_t ns)
{
  struct wanted w;
  int n = (int)c->arg[0];
  w.n = 0;
  if (n < 0 || n > MAX_FDS)
    return NULL;
  for (int i = 0; i < 3; i++)
    if (!take_set(c, i, n, &w))
      return NULL;
  struct hold *h = hold_fds(b, c, &w, ns);
  for (int i = 0; h && i < 3; i++)
    h->sets[i] = c->arg[1 + i];
  if (h) {
    h->set_bytes = ((size_t)n + 63) / 64 * 8;
    h->left = c->arg[4];
  }
  return h;
}

/* Linux takes a second and more in microseconds here (fs/select.c). */
static bool take_timeval(const struct call *c, int64_t *ret_ns)
{
  struct timeval t;
  return memory_get(c->tid, c->arg[4], &t, sizeof t) && t.tv_usec >= 0 &&
         t.tv_sec >= 0 && t.tv_sec <= INT64_MAX / 2 &&
         timespec_ns(t.tv_sec + t.tv_usec / 1000000, t.tv_usec % 1000000 * 1000,
                     ret_ns);
}

struct reply call_select(struct backend *b, const struct call *c)
{
  int64_t ns;
  if (!take_timeval(c, &ns) || ns == 0)
    return REPLY_GO_ON;
  struct hold *h = hold_select(b, c, ns);
  if (!h)
    return backend_go_on(b, c, ns);
  h->left_form = LEFT_TIMEVAL;
  return REPLY_LATER;
}

struct reply call_pselect6(struct backend *b, const struct call *c)
{
  int64_t ns;
  uint64_t mask[2] = {0, 0}; /* address and size, pselect(2) */
  if (!memory_timespec(c->tid, c->arg[4], &ns) || ns == 0)
    return REPLY_GO_ON;
  struct hold *h = hold_select(b, c, ns);
  if (!h)
    return backend_go_on(b, c, ns);
  h->left_form = LEFT_TIMESPEC;
  if (c->arg[5] && memory_get(c->tid, c->arg[5], mask, sizeof mask))
    take_mask(h, mask[0]);
  return REPLY_LATER;
}
