/*
 * free_port.h - a port for a server in a program that a test runs.
 */
#ifndef TESTS_VTIME_FREE_PORT_H
#define TESTS_VTIME_FREE_PORT_H

#include "tests/unit/unit.h"

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

/* One that nobody listens on: for a moment it was ours. */
static inline int free_port(void)
{
  struct sockaddr_in a = {.sin_family = AF_INET,
                          .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t n = sizeof a;
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  assert_int_equal(bind(fd, (void *)&a, n), 0);
  assert_int_equal(getsockname(fd, (void *)&a, &n), 0);
  close(fd);
  return ntohs(a.sin_port);
}

#endif
