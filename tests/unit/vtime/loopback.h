/* loopback.h - a listener and a connection over the loopback, for tests. */
#ifndef TESTS_VTIME_LOOPBACK_H
#define TESTS_VTIME_LOOPBACK_H

#include "tests/unit/unit.h"

#include <arpa/inet.h>
#include <stdint.h>
#include <sys/socket.h>
#include <unistd.h>

/* `queue`: of listen(2); its address. */
static inline int listen_at(struct sockaddr_in *ret, int queue)
{
  socklen_t n = sizeof *ret;
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  *ret = (struct sockaddr_in){.sin_family = AF_INET,
                              .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  assert_int_equal(bind(fd, (void *)ret, n), 0);
  assert_int_equal(listen(fd, queue), 0);
  assert_int_equal(getsockname(fd, (void *)ret, &n), 0);
  return fd;
}

/* A connection over the loopback; its server's port. */
static inline uint16_t connect_pair(int ret[2])
{
  struct sockaddr_in a;
  socklen_t n = sizeof a;
  int l = listen_at(&a, 1);
  ret[1] = socket(AF_INET, SOCK_STREAM, 0);
  assert_int_equal(connect(ret[1], (void *)&a, n), 0);
  ret[0] = accept(l, NULL, NULL);
  assert_true(ret[0] >= 0);
  close(l);
  return ntohs(a.sin_port);
}

#endif
