#include "mockserver/engine_priv.h"

#include <errno.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

/* One that waits to begin or to end. */
struct port_turn {
  struct engine *engine;
  enum port_state state;
  int64_t for_ns;
  uint64_t number; /* of the change, so that an end finds its own only */
};

/* ---- refuse ---- */

/* A service that goes away closes what it has open; answers go on. */
static void close_idle(struct engine *e)
{
  for (struct conn *c = e->conns, *next; c; c = next) {
    next = c->next;
    if (c->state == CONN_IDLE)
      conn_linger(e, c);
  }
}

/* On Linux this ends the listening and keeps the port, which was bound by
 * its number: connects are answered with RST (tcp_disconnect()). */
static void stop_listening(struct engine *e)
{
  listen_pause(e);
  shutdown(e->listen_fd, SHUT_RD);
  close_idle(e);
}

/* ---- backlog ---- */

/* With a backlog of 0 the kernel queues one connection; the next handshake
 * is left unanswered. */
static void fill_queue(struct engine *e)
{
  struct sockaddr_storage a;
  socklen_t n = sizeof a;
  listen_pause(e);
  listen(e->listen_fd, 0);
  if (getsockname(e->listen_fd, (struct sockaddr *)&a, &n) != 0)
    return;
  for (size_t i = 0; i < FILLERS; i++) {
    int fd = socket(a.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd >= 0)
      connect(fd, (struct sockaddr *)&a, n); /* full when it does not end */
    e->fillers[i] = fd;
  }
}

static void empty_queue(struct engine *e)
{
  for (size_t i = 0; i < FILLERS; i++)
    if (e->fillers[i] >= 0) {
      close(e->fillers[i]);
      e->fillers[i] = -1;
    }
}

/* ---- the changes ---- */

static void leave(struct engine *e)
{
  enum port_state was = e->port_state;
  e->port_state = PORT_OPEN;
  empty_queue(e);
  if (e->listen_fd >= 0 && (was == PORT_REFUSE || was == PORT_BACKLOG))
    listen(e->listen_fd, LISTEN_BACKLOG);
  listen_resume(e);
}

static void on_end(void *arg)
{
  struct port_turn *t = arg;
  if (t->engine->port_changes == t->number)
    leave(t->engine);
  free(t);
}

static void enter(struct port_turn *t)
{
  struct engine *e = t->engine;
  leave(e);
  t->number = ++e->port_changes;
  if (e->listen_fd < 0)
    return;
  e->port_state = t->state;
  if (t->state == PORT_REFUSE)
    stop_listening(e);
  else if (t->state == PORT_BACKLOG)
    fill_queue(e);
}

static void on_begin(void *arg)
{
  struct port_turn *t = arg;
  enter(t);
  if (t->for_ns == INT64_MAX)
    free(t);
  else
    engine_at_owned(t->engine, clock_now_ns(t->engine->o.clock) + t->for_ns,
                    on_end, t);
}

void port_change_at(struct engine *e, enum port_state state, int64_t after_ns,
                    int64_t for_ns)
{
  struct port_turn *t = mem_zalloc(sizeof *t);
  *t = (struct port_turn){.engine = e, .state = state, .for_ns = for_ns};
  if (after_ns <= 0)
    on_begin(t);
  else
    engine_at_owned(e, clock_now_ns(e->o.clock) + after_ns, on_begin, t);
}

void port_close(struct engine *e)
{
  empty_queue(e);
}
