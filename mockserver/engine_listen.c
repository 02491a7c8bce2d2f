#include "mockserver/engine_priv.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

/* Connections taken in one turn, so that accepting starves nobody. */
#define ACCEPTS_PER_TURN 16

static bool is_loopback(const struct sockaddr *a)
{
  if (a->sa_family == AF_INET) {
    const struct sockaddr_in *v4 = (const struct sockaddr_in *)(const void *)a;
    return ntohl(v4->sin_addr.s_addr) >> 24 == 127;
  }
  const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)(const void *)a;
  return IN6_IS_ADDR_LOOPBACK(&v6->sin6_addr);
}

static int find_address(const struct engine_options *o, struct addrinfo **ret,
                        struct diag *diag)
{
  const char *address = o->address ? o->address : "127.0.0.1";
  char port[8];
  snprintf(port, sizeof port, "%u", (unsigned)o->port);
  struct addrinfo hints = {.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV,
                           .ai_socktype = SOCK_STREAM};
  struct addrinfo *found;
  if (getaddrinfo(address, port, &hints, &found) != 0)
    return diag_set(diag, "'%s' is not a numeric IP address", address);
  if (!o->any_address && !is_loopback(found->ai_addr)) {
    freeaddrinfo(found);
    return diag_set(diag,
                    "%s is not a loopback address; the server has no "
                    "protection against strangers (--allow-any-address)",
                    address);
  }
  *ret = found;
  return 0;
}

static void set_flag(int fd, int level, int name)
{
  int on = 1;
  setsockopt(fd, level, name, &on, sizeof on);
}

/* `again`: the port is only asked for, see bind_by_number(). */
static int bind_and_listen(int fd, const struct addrinfo *a, bool again)
{
  set_flag(fd, SOL_SOCKET, SO_REUSEADDR);
  /* accepted sockets inherit it: one system call less for each */
  set_flag(fd, IPPROTO_TCP, TCP_NODELAY);
  if (bind(fd, a->ai_addr, a->ai_addrlen) != 0)
    return -1;
  return again ? 0 : listen(fd, LISTEN_BACKLOG);
}

static uint16_t port_of(int fd)
{
  struct sockaddr_storage a;
  socklen_t n = sizeof a;
  if (getsockname(fd, (struct sockaddr *)&a, &n) != 0)
    return 0;
  return a.ss_family == AF_INET
             ? ntohs(((struct sockaddr_in *)(void *)&a)->sin_port)
             : ntohs(((struct sockaddr_in6 *)(void *)&a)->sin6_port);
}

static void set_port(struct sockaddr *a, uint16_t port)
{
  if (a->sa_family == AF_INET)
    ((struct sockaddr_in *)(void *)a)->sin_port = htons(port);
  else
    ((struct sockaddr_in6 *)(void *)a)->sin6_port = htons(port);
}

/* A port the kernel chose is given up when the listening ends; one that was
 * bound by its number stays (SOCK_BINDPORT_LOCK), and a scenario may want
 * that. Two sockets may hold a port while neither listens. */
static int bind_by_number(int *fd, struct addrinfo *a)
{
  int first = *fd;
  if (bind_and_listen(first, a, true) != 0)
    return -1;
  *fd = socket(a->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  set_port(a->ai_addr, port_of(first));
  int rc = *fd < 0 ? -1 : bind_and_listen(*fd, a, true);
  int error = errno;
  close(first);
  errno = error;
  return rc == 0 ? listen(*fd, LISTEN_BACKLOG) : -1;
}

/* False when no more can be taken now. */
static bool accept_one(struct engine *e)
{
  if (e->nconns >= e->max_conns) {
    listen_pause(e);
    return false;
  }
  int fd = accept4(e->listen_fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (fd >= 0) {
    conn_accept(e, fd);
    return true;
  }
  if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS ||
      errno == ENOMEM) {
    listen_pause(e); /* until a connection ends: else the loop would spin */
    return false;
  }
  return errno == ECONNABORTED || errno == EINTR;
}

static void on_connections(struct engine *e, struct source *s, uint32_t events)
{
  (void)s;
  (void)events;
  for (int i = 0; i < ACCEPTS_PER_TURN && e->listening; i++)
    if (!accept_one(e))
      break;
}

int listen_open(struct engine *e, struct diag *diag)
{
  struct addrinfo *a = NULL;
  if (find_address(&e->o, &a, diag) != 0)
    return -1;
  int fd = socket(a->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  int failed = fd < 0 || (e->o.port ? bind_and_listen(fd, a, false)
                                    : bind_by_number(&fd, a)) != 0;
  int error = errno;
  freeaddrinfo(a);
  if (failed) {
    if (fd >= 0)
      close(fd);
    return diag_set(
        diag, "cannot listen on %s port %u: %s",
        e->o.address ? e->o.address : "127.0.0.1", (unsigned)e->o.port,
        error == EADDRINUSE ? "the port is in use" : strerror(error));
  }
  e->listen_fd = fd;
  e->port = port_of(fd);
  e->listen_source.event = on_connections;
  listen_resume(e);
  return 0;
}

void listen_pause(struct engine *e)
{
  if (e->listening)
    epoll_ctl(e->epoll_fd, EPOLL_CTL_DEL, e->listen_fd, NULL);
  e->listening = false;
}

void listen_resume(struct engine *e)
{
  if (e->listening || e->listen_fd < 0 || e->nconns >= e->max_conns ||
      e->port_state == PORT_REFUSE || e->port_state == PORT_BACKLOG)
    return;
  struct epoll_event ev = {.events = EPOLLIN, .data.ptr = &e->listen_source};
  e->listening = epoll_ctl(e->epoll_fd, EPOLL_CTL_ADD, e->listen_fd, &ev) == 0;
}

void listen_close(struct engine *e)
{
  listen_pause(e);
  if (e->listen_fd >= 0)
    close(e->listen_fd);
  e->listen_fd = -1;
}
