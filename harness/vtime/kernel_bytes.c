#include "harness/vtime/kernel_bytes.h"

#include "base/buf.h"
#include "base/number.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

/* States of include/net/tcp_states.h: those in which bytes may be on their
 * way. */
enum {
  ESTABLISHED = 1,
  SYN_SENT = 2,
  FIN_WAIT1 = 4,
  CLOSE_WAIT = 8,
  LISTEN = 10
};
#define STATES                                                                 \
  (1U << ESTABLISHED | 1U << SYN_SENT | 1U << FIN_WAIT1 | 1U << CLOSE_WAIT |   \
   1U << LISTEN)
/* One piece of an answer; the kernel makes them no larger than 32 KiB. */
enum { PIECE_BYTES = 65536 };

struct list {
  struct kernel_socket *s;
  size_t n, cap;
};

static bool peer_waits(const struct kernel_socket *s, size_t n,
                       const struct kernel_socket *of)
{
  for (size_t i = 0; i < n; i++)
    if (s[i].port == of->peer && s[i].peer == of->port)
      return s[i].unread_bytes == 0;
  return false;
}

/* As sk_acceptq_is_full() of the kernel. */
static bool is_full(const struct kernel_socket *s)
{
  return s->is == SOCKET_LISTENING && s->unread_bytes > s->unsent_bytes;
}

static bool meets_full(const struct kernel_socket *s, size_t n, uint16_t port)
{
  for (size_t i = 0; i < n; i++)
    if (s[i].port == port && is_full(&s[i]))
      return true;
  return false;
}

static bool holds(const struct kernel_socket *s, size_t n,
                  const struct kernel_socket *one)
{
  switch (one->is) {
  case SOCKET_CONNECTED:
    return one->unsent_bytes && peer_waits(s, n, one);
  case SOCKET_CONNECTING:
    return !meets_full(s, n, one->peer);
  case SOCKET_LISTENING:
    break;
  }
  return false;
}

bool kernel_holds(const struct kernel_socket *s, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (holds(s, n, &s[i]))
      return true;
  return false;
}

void kernel_bytes_init(struct kernel_bytes *k)
{
  *k = (struct kernel_bytes){.fd = -1, .nown = -1, .listener = -1};
}

void kernel_bytes_release(struct kernel_bytes *k)
{
  if (k->fd >= 0)
    close(k->fd);
  k->fd = -1;
}

struct request {
  struct nlmsghdr h;
  struct inet_diag_req_v2 r;
};

static struct request request_of(int family, uint16_t flags)
{
  return (struct request){
      {sizeof(struct request), SOCK_DIAG_BY_FAMILY,
       (uint16_t)(NLM_F_REQUEST | flags), 0, 0},
      {.sdiag_family = (uint8_t)family,
       .sdiag_protocol = IPPROTO_TCP,
       .idiag_ext = 1 << (INET_DIAG_INFO - 1),
       .idiag_states = STATES,
       .id.idiag_cookie = {INET_DIAG_NOCOOKIE, INET_DIAG_NOCOOKIE}}};
}

static bool ask(int fd, const struct request *q)
{
  return send(fd, q, sizeof *q, 0) == (ssize_t)sizeof *q;
}

/* tcp_info is the attribute of that number, if the kernel gives it. */
static uint32_t unsent_of(struct nlmsghdr *h, const struct inet_diag_msg *d)
{
  size_t left = h->nlmsg_len - NLMSG_LENGTH(sizeof *d);
  const char *p = (const char *)(d + 1);
  struct nlattr a;
  while (left >= sizeof a) {
    memcpy(&a, p, sizeof a);
    size_t step = NLA_ALIGN(a.nla_len);
    if (a.nla_len < sizeof a || step > left)
      return 0;
    struct tcp_info info = {0};
    size_t n = a.nla_len - sizeof a;
    if (a.nla_type == INET_DIAG_INFO) {
      memcpy(&info, p + sizeof a, n < sizeof info ? n : sizeof info);
      return info.tcpi_notsent_bytes;
    }
    p += step;
    left -= step;
  }
  return 0;
}

static void add(struct list *l, const struct kernel_socket *s)
{
  if (l->n == l->cap) {
    l->cap = l->cap ? 2 * l->cap : 32;
    l->s = mem_realloc(l->s, l->cap * sizeof *l->s);
  }
  l->s[l->n++] = *s;
}

static enum kernel_socket_is what_is(uint8_t state)
{
  if (state == SYN_SENT)
    return SOCKET_CONNECTING;
  return state == LISTEN ? SOCKET_LISTENING : SOCKET_CONNECTED;
}

static void take(struct list *l, struct nlmsghdr *h, uint16_t port)
{
  const struct inet_diag_msg *d = NLMSG_DATA(h);
  struct kernel_socket s = {.is = what_is(d->idiag_state),
                            .port = ntohs(d->id.idiag_sport),
                            .peer = ntohs(d->id.idiag_dport),
                            .unread_bytes = d->idiag_rqueue};
  if (s.port != port && s.peer != port)
    return;
  s.unsent_bytes = s.is == SOCKET_LISTENING ? d->idiag_wqueue : unsent_of(h, d);
  add(l, &s);
}

/* 1: the end, 0: more to come, -1: an error. */
static int take_piece(struct list *l, char *p, size_t n, uint16_t port)
{
  struct nlmsghdr *h = (void *)p;
  for (; NLMSG_OK(h, n); h = NLMSG_NEXT(h, n)) {
    if (h->nlmsg_type == NLMSG_DONE)
      return 1;
    if (h->nlmsg_type == NLMSG_ERROR)
      return -1;
    take(l, h, port);
  }
  return 0;
}

static bool list_all(int fd, int family, uint16_t port, struct list *l)
{
  _Alignas(struct nlmsghdr) static char piece[PIECE_BYTES];
  struct request q = request_of(family, NLM_F_DUMP);
  int rc = ask(fd, &q) ? 0 : -1;
  while (rc == 0) {
    ssize_t n = recv(fd, piece, sizeof piece, 0);
    rc = n > 0 ? take_piece(l, piece, (size_t)n, port) : -1;
  }
  return rc > 0;
}

/* ---- one by one ---- */

static bool has_port(int fd, uint16_t port, struct sockaddr_in *own)
{
  socklen_t n = sizeof *own;
  return getsockname(fd, (void *)own, &n) == 0 && own->sin_family == AF_INET &&
         ntohs(own->sin_port) == port;
}

/* Our side of a connection of the server; false: another descriptor. */
static bool own_socket(int fd, uint16_t port, struct sockaddr_in *own,
                       struct sockaddr_in *peer)
{
  socklen_t n = sizeof *peer;
  return has_port(fd, port, own) && getpeername(fd, (void *)peer, &n) == 0;
}

static void add_own(struct list *l, int fd, const struct sockaddr_in *own,
                    const struct sockaddr_in *peer)
{
  struct tcp_info info = {0};
  socklen_t n = sizeof info;
  int unread = 0;
  getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &n);
  ioctl(fd, FIONREAD, &unread);
  struct kernel_socket s = {.port = ntohs(own->sin_port),
                            .peer = ntohs(peer->sin_port),
                            .unsent_bytes = info.tcpi_notsent_bytes,
                            .unread_bytes = (uint32_t)unread};
  add(l, &s);
}

/* The client's side; none when it has closed. False: the kernel does not
 * say. */
static bool add_peer(int fd, struct list *l, const struct sockaddr_in *own,
                     const struct sockaddr_in *peer)
{
  _Alignas(struct nlmsghdr) char answer[4096];
  struct request q = request_of(AF_INET, 0);
  q.r.id.idiag_sport = peer->sin_port;
  q.r.id.idiag_dport = own->sin_port;
  q.r.id.idiag_src[0] = peer->sin_addr.s_addr;
  q.r.id.idiag_dst[0] = own->sin_addr.s_addr;
  ssize_t n = ask(fd, &q) ? recv(fd, answer, sizeof answer, 0) : -1;
  struct nlmsghdr *h = (void *)answer;
  if (n < 0 || !NLMSG_OK(h, (size_t)n))
    return false;
  if (h->nlmsg_type != NLMSG_ERROR) {
    take(l, h, ntohs(own->sin_port));
    return true;
  }
  const struct nlmsgerr *e = NLMSG_DATA(h);
  return e->error == -ENOENT;
}

enum { OWN_MAX = sizeof((struct kernel_bytes *)0)->own / sizeof(int) };

/* Fills k->own; false when there are more than fit. */
static bool find_own(struct kernel_bytes *k, uint16_t port)
{
  struct sockaddr_in own, peer;
  uint64_t fd;
  DIR *d = opendir("/proc/self/fd");
  k->nown = 0;
  for (struct dirent *e; d && (e = readdir(d)) != NULL;) {
    struct bytes name = bytes_of(e->d_name);
    if (number_u64(name, INT_MAX, &fd) != NUMBER_OK ||
        !has_port((int)fd, port, &own))
      continue;
    if (!own_socket((int)fd, port, &own, &peer)) {
      k->listener = (int)fd;
      continue;
    }
    if (k->nown < OWN_MAX)
      k->own[k->nown] = (int)fd;
    k->nown++;
  }
  if (d)
    closedir(d);
  return d && k->nown <= OWN_MAX;
}

static bool list_own(const struct kernel_bytes *k, uint16_t port,
                     struct list *l)
{
  struct sockaddr_in own, peer;
  for (int i = 0; i < k->nown; i++) {
    if (!own_socket(k->own[i], port, &own, &peer))
      continue; /* closed */
    add_own(l, k->own[i], &own, &peer);
    if (!add_peer(k->fd, l, &own, &peer))
      return false;
  }
  return true;
}

static bool open_netlink(struct kernel_bytes *k)
{
  if (k->fd < 0)
    k->fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
  return k->fd >= 0;
}

bool kernel_bytes_held(struct kernel_bytes *k, uint16_t port)
{
  struct list l = {0};
  /* Java's sockets are of the other family, with mapped addresses. */
  bool known = open_netlink(k) && list_all(k->fd, AF_INET, port, &l) &&
               list_all(k->fd, AF_INET6, port, &l);
  bool held = !known || kernel_holds(l.s, l.n);
  free(l.s);
  return held;
}

/* Of one that listens tcp_info has the queue (tcp_get_info() of the kernel).
 * Not ours any more: never full. */
static bool queue_is_full(int fd)
{
  struct tcp_info info = {0};
  socklen_t n = sizeof info;
  return getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &n) == 0 &&
         info.tcpi_state == LISTEN && info.tcpi_unacked > info.tcpi_sacked;
}

void kernel_bytes_note_queue(struct kernel_bytes *k, uint16_t port)
{
  if (k->listener < 0)
    find_own(k, port);
  k->was_full |= queue_is_full(k->listener);
}

/* The queue was full: only the list of all has those who still connect. */
static bool held_after_full(struct kernel_bytes *k, uint16_t port)
{
  bool held = kernel_bytes_held(k, port);
  k->was_full = held || queue_is_full(k->listener);
  return held;
}

bool kernel_bytes_held_of_own(struct kernel_bytes *k, uint16_t port,
                              uint64_t epoch)
{
  struct list l = {0};
  kernel_bytes_note_queue(k, port);
  if (k->was_full)
    return held_after_full(k, port);
  if (k->nown < 0 || k->epoch != epoch) {
    k->epoch = epoch;
    if (!find_own(k, port)) { /* many: one list is cheaper */
      k->nown = -1;
      return kernel_bytes_held(k, port);
    }
  }
  bool known = open_netlink(k) && list_own(k, port, &l);
  bool held = !known || kernel_holds(l.s, l.n);
  free(l.s);
  return held;
}
