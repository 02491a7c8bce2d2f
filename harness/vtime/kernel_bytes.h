/*
 * kernel_bytes.h - does the kernel hold something back in real time, while
 * all threads sleep?
 *
 * The rule: Nagle's algorithm or a delayed acknowledgement let bytes arrive
 * later although nobody runs. A TCP socket of the server's port with unsent
 * bytes while its peer's receive queue is empty is such a case (sock_diag(7),
 * tcpi_notsent_bytes). So is a socket in SYN_SENT whose SYN is sent again
 * after a second: only a full queue of the server leaves one unanswered, and
 * as long as it is full, on purpose, nothing will come of it.
 *
 * A list of all sockets costs milliseconds, because the kernel walks its
 * whole table. When the server is this process its own sockets say which
 * there are, and their peers are asked for one by one.
 */
#ifndef VTIME_KERNEL_BYTES_H
#define VTIME_KERNEL_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum kernel_socket_is { SOCKET_CONNECTED, SOCKET_CONNECTING, SOCKET_LISTENING };

/* One socket, addresses left out: loopback. */
struct kernel_socket {
  enum kernel_socket_is is;
  uint16_t port, peer;
  /* of one that listens: the length of its queue, and the largest */
  uint32_t unread_bytes, unsent_bytes;
};

/* Pure: something will arrive by itself. */
bool kernel_holds(const struct kernel_socket *s, size_t n);

struct kernel_bytes {
  int fd; /* netlink, -1: not opened yet */
  /* our connections, as they were at that epoch; n < 0: not looked for */
  int own[32];
  int nown;
  uint64_t epoch;
  int listener;  /* our listening socket, -1: not looked for */
  bool was_full; /* its queue, and those who met that may still connect */
};
void kernel_bytes_init(struct kernel_bytes *k);
void kernel_bytes_release(struct kernel_bytes *k);
/* Sockets with that port at either end. True too when the kernel does not
 * say. */
bool kernel_bytes_held(struct kernel_bytes *k, uint16_t port);
/* The same when the server is in this process; while `epoch` (rule.h) is the
 * same, our threads have not run and have no new connections. */
bool kernel_bytes_held_of_own(struct kernel_bytes *k, uint16_t port,
                              uint64_t epoch);
/* Before every jump, shorter ones too, when the server is in this process:
 * takes note of a full queue. */
void kernel_bytes_note_queue(struct kernel_bytes *k, uint16_t port);

#endif
