#include "tests/unit/unit.h"

#include "harness/vtime/kernel_bytes.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <sys/socket.h>
#include <unistd.h>

/* A connection over the loopback; its server's port. */
static int connect_pair(int ret[2])
{
  struct sockaddr_in a = {.sin_family = AF_INET,
                          .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t n = sizeof a;
  int l = socket(AF_INET, SOCK_STREAM, 0);
  assert_int_equal(bind(l, (void *)&a, n), 0);
  assert_int_equal(listen(l, 1), 0);
  assert_int_equal(getsockname(l, (void *)&a, &n), 0);
  ret[1] = socket(AF_INET, SOCK_STREAM, 0);
  assert_int_equal(connect(ret[1], (void *)&a, n), 0);
  ret[0] = accept(l, NULL, NULL);
  assert_true(ret[0] >= 0);
  close(l);
  return ntohs(a.sin_port);
}

/* A cork holds a byte back as Nagle's algorithm does, for 200 ms (tcp(7)). */
static void the_kernel_says_what_it_holds_by_both_ways(void **state)
{
  int fd[2], one = 1;
  uint16_t port = (uint16_t)connect_pair(fd);
  struct kernel_bytes k;
  (void)state;
  kernel_bytes_init(&k);
  assert_false(kernel_bytes_held(&k, port));
  assert_false(kernel_bytes_held_of_own(&k, port, 1));
  setsockopt(fd[0], IPPROTO_TCP, TCP_CORK, &one, sizeof one);
  assert_int_equal(write(fd[0], "x", 1), 1);
  assert_true(kernel_bytes_held_of_own(&k, port, 1));
  assert_true(kernel_bytes_held(&k, port));
  assert_false(kernel_bytes_held(&k, (uint16_t)(port ^ 1)));
  kernel_bytes_release(&k);
  close(fd[0]);
  close(fd[1]);
}

static void a_new_epoch_finds_new_connections(void **state)
{
  int fd[2], one = 1;
  struct kernel_bytes k;
  (void)state;
  kernel_bytes_init(&k);
  assert_false(kernel_bytes_held_of_own(&k, 1, 1));
  uint16_t port = (uint16_t)connect_pair(fd);
  setsockopt(fd[0], IPPROTO_TCP, TCP_CORK, &one, sizeof one);
  assert_int_equal(write(fd[0], "x", 1), 1);
  assert_true(kernel_bytes_held_of_own(&k, port, 2));
  kernel_bytes_release(&k);
  close(fd[0]);
  close(fd[1]);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_kernel_says_what_it_holds_by_both_ways),
      cmocka_unit_test(a_new_epoch_finds_new_connections),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
