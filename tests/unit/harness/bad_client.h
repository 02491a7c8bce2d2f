/*
 * bad_client.h - clients that are bad on purpose, one function each. The test
 * binary that includes this is every one of them: `BINARY client KIND MARKER`.
 */
#ifndef TESTS_HARNESS_BAD_CLIENT_H
#define TESTS_HARNESS_BAD_CLIENT_H

#include "base/number.h"

#include <arpa/inet.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

static int connect_to_base(void)
{
  const char *base = getenv("ANTHROPIC_BASE_URL");
  const char *colon = base ? strrchr(base, ':') : NULL;
  uint64_t port = 0;
  if (!colon || number_u64(bytes_of(colon + 1), UINT16_MAX, &port) != NUMBER_OK)
    return -1;
  struct sockaddr_in to = {.sin_family = AF_INET,
                           .sin_port = htons((uint16_t)port),
                           .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  return connect(fd, (const struct sockaddr *)&to, sizeof to) == 0 ? fd : -1;
}

/* 0 when the server answered 200. */
static int call(void)
{
  static const char body[] = "{\"model\":\"claude-x\",\"max_tokens\":1,"
                             "\"messages\":[{\"role\":\"user\","
                             "\"content\":\"hi\"}]}";
  char answer[65536];
  size_t n = 0;
  int fd = connect_to_base();
  if (fd < 0)
    return 1;
  dprintf(fd,
          "POST /v1/messages HTTP/1.1\r\nhost: x\r\nx-api-key: dummy\r\n"
          "anthropic-version: 2023-06-01\r\ncontent-type: application/json\r\n"
          "connection: close\r\ncontent-length: %zu\r\n\r\n%s",
          sizeof body - 1, body);
  while (n < sizeof answer) {
    ssize_t got = read(fd, answer + n, sizeof answer - n);
    if (got <= 0)
      break;
    n += (size_t)got;
  }
  close(fd);
  return n > 12 && memcmp(answer + 9, "200", 3) == 0 ? 0 : 1;
}

static void wait_for_ever(void)
{
  for (;;)
    pause();
}

static int crash(void)
{
  signal(SIGSEGV, SIG_DFL); /* a sanitizer would make an exit of it */
  raise(SIGSEGV);
  return 0;
}

static int hang(void)
{
  signal(SIGTERM, SIG_IGN);
  if (call() != 0)
    return 1;
  wait_for_ever();
  return 0;
}

/* A child in the group, one in its own session, and a daemon. */
static int leave_children(void)
{
  if (fork() == 0)
    wait_for_ever();
  if (fork() == 0) {
    setsid();
    signal(SIGTERM, SIG_IGN);
    if (fork() == 0) {
      signal(SIGTERM, SIG_IGN);
      clearenv();
      prctl(PR_SET_NAME, "innocent");
      wait_for_ever();
    }
    _exit(0);
  }
  if (fork() == 0) {
    setsid();
    wait_for_ever();
  }
  return call();
}

enum { FLOOD_BYTES = 100000000 };

static int flood(void)
{
  static const char block[1 << 16];
  size_t left = FLOOD_BYTES;
  while (left) {
    size_t want = left < sizeof block ? left : sizeof block;
    ssize_t n = write(STDOUT_FILENO, block, want);
    if (n <= 0)
      return 2;
    left -= (size_t)n;
  }
  return call();
}

static int close_outputs(void)
{
  close(STDOUT_FILENO);
  close(STDERR_FILENO);
  return call();
}

static int read_stdin(void)
{
  char byte;
  return read(STDIN_FILENO, &byte, 1) == 0 ? call() : 2;
}

/* What it leaves behind has to be found without the worker it kills. */
static int kill_the_harness(void)
{
  if (fork() == 0) {
    setsid();
    wait_for_ever();
  }
  kill(getppid(), SIGKILL);
  wait_for_ever();
  return 0;
}

static int nothing(void)
{
  return 0;
}

static int wait_without_a_call(void)
{
  wait_for_ever();
  return 0;
}

static int call_and_wait(void)
{
  call();
  wait_for_ever();
  return 0;
}

static const struct {
  const char *kind;
  int (*run)(void);
} clients[] = {{"good", call},
               {"crash", crash},
               {"hang", hang},
               {"leave-children", leave_children},
               {"flood", flood},
               {"close-outputs", close_outputs},
               {"read-stdin", read_stdin},
               {"kill-the-harness", kill_the_harness},
               {"no-request", nothing},
               {"wait-without-a-call", wait_without_a_call},
               {"call-and-wait", call_and_wait}};

static int client_main(const char *kind)
{
  for (size_t i = 0; i < COUNT(clients); i++)
    if (strcmp(clients[i].kind, kind) == 0)
      return clients[i].run();
  return 99;
}

#endif
