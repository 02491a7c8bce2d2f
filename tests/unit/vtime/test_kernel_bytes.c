#include "tests/unit/unit.h"

#include "harness/vtime/kernel_bytes.h"
#include "tests/unit/vtime/loopback.h"

#include <netinet/tcp.h>
#include <stdbool.h>

static const struct holds_row {
  const char *id;
  bool holds;
  struct kernel_socket s[3];
} holds_rows[] = {
    {"nothing", false, {{SOCKET_CONNECTED, 80, 5, 0, 0}}},
    {"bytes held back",
     true,
     {{SOCKET_CONNECTED, 80, 5, 0, 7}, {SOCKET_CONNECTED, 5, 80, 0, 0}}},
    {"bytes of the client",
     true,
     {{SOCKET_CONNECTED, 80, 5, 0, 0}, {SOCKET_CONNECTED, 5, 80, 0, 7}}},
    {"a peer that does not read",
     false,
     {{SOCKET_CONNECTED, 80, 5, 0, 7}, {SOCKET_CONNECTED, 5, 80, 1, 0}}},
    {"a peer that has gone", false, {{SOCKET_CONNECTED, 80, 5, 0, 7}}},
    {"the SYN comes again",
     true,
     {{SOCKET_CONNECTING, 5, 80, 0, 0}, {SOCKET_LISTENING, 80, 0, 0, 128}}},
    {"nobody listens any more", true, {{SOCKET_CONNECTING, 5, 80, 0, 0}}},
    {"the queue is full still",
     false,
     {{SOCKET_CONNECTING, 5, 80, 0, 0}, {SOCKET_LISTENING, 80, 0, 1, 0}}},
    {"the last place is free",
     true,
     {{SOCKET_CONNECTING, 5, 80, 0, 0}, {SOCKET_LISTENING, 80, 0, 128, 128}}},
    {"another queue is full",
     true,
     {{SOCKET_CONNECTING, 5, 80, 0, 0},
      {SOCKET_LISTENING, 81, 0, 1, 0},
      {SOCKET_LISTENING, 80, 0, 0, 0}}},
    {"a full queue alone", false, {{SOCKET_LISTENING, 80, 0, 1, 0}}}};

static void what_arrives_by_itself_is_held(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof holds_rows / sizeof holds_rows[0]; i++) {
    const struct holds_row *r = &holds_rows[i];
    size_t n = 0;
    while (n < 3 && r->s[n].port)
      n++;
    if (kernel_holds(r->s, n) != r->holds)
      fail_msg("%s", r->id);
  }
}

static int begin_connect(const struct sockaddr_in *a)
{
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  connect(fd, (const void *)a, sizeof *a);
  return fd;
}

/* The kernel repeats a SYN after a second. */
static void a_full_queue_holds_those_it_refused_when_it_is_free(void **state)
{
  struct sockaddr_in a;
  struct kernel_bytes k;
  int l = listen_at(&a, 0);
  int client[3];
  uint16_t port = ntohs(a.sin_port);
  (void)state;
  kernel_bytes_init(&k);
  for (int i = 0; i < 3; i++)
    client[i] = begin_connect(&a);
  kernel_bytes_note_queue(&k, port);
  assert_true(k.was_full);
  assert_false(kernel_bytes_held_of_own(&k, port, 1));
  assert_int_equal(listen(l, 128), 0);
  assert_true(kernel_bytes_held_of_own(&k, port, 1));
  for (int i = 0; i < 3; i++)
    close(client[i]);
  assert_false(kernel_bytes_held_of_own(&k, port, 1));
  assert_false(k.was_full);
  kernel_bytes_release(&k);
  close(l);
}

/* A cork holds a byte back as Nagle's algorithm does, for 200 ms (tcp(7)). */
static void the_kernel_says_what_it_holds_by_both_ways(void **state)
{
  int fd[2], one = 1;
  uint16_t port = connect_pair(fd);
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
  k.listener = 0; /* as if it had been found: it is looked for else */
  assert_false(kernel_bytes_held_of_own(&k, 1, 1));
  uint16_t port = connect_pair(fd);
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
      cmocka_unit_test(what_arrives_by_itself_is_held),
      cmocka_unit_test(a_full_queue_holds_those_it_refused_when_it_is_free),
      cmocka_unit_test(the_kernel_says_what_it_holds_by_both_ways),
      cmocka_unit_test(a_new_epoch_finds_new_connections),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
