/*
 * kernel_bytes.h - does the kernel hold something back in real time, while
 * all threads sleep?
 *
 * The rule: Nagle's algorithm or a delayed acknowledgement let bytes arrive
 * later although nobody runs. A TCP socket of the server's port with unsent
 * bytes while its peer's receive queue is empty is such a case (sock_diag(7),
 * tcpi_notsent_bytes). A socket in SYN_SENT is none: on the loopback a SYN
 * is answered at once, or the server lets clients hang on purpose.
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

/* One socket, addresses left out: loopback. */
struct kernel_socket {
  uint16_t port, peer;
  uint32_t unsent_bytes, unread_bytes;
};

/* Pure: something will arrive by itself. */
bool kernel_holds(const struct kernel_socket *s, size_t n);

struct kernel_bytes {
  int fd; /* netlink, -1: not opened yet */
  /* our connections, as they were at that epoch; n < 0: not looked for */
  int own[32];
  int nown;
  uint64_t epoch;
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

#endif
