/*
 * start_time RUNS PORT COMMAND ARG... - from exec of a server to the last
 * byte of its first answer, and its memory then. The command must listen on
 * 127.0.0.1:PORT and answer GET /__admin/health.
 */
#include "base/clock.h"
#include "base/number.h"
#include "tests/bench/stats.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* A server that is not up by then is not measured but reported. */
#define GIVE_UP_NS (10 * NS_PER_S)

static pid_t start(char **argv)
{
  pid_t pid = fork();
  if (pid != 0)
    return pid;
  int null = open("/dev/null", O_WRONLY);
  dup2(null, 1);
  execv(argv[0], argv);
  _exit(127);
}

static int ask(const struct sockaddr_in *a)
{
  static const char request[] =
      "GET /__admin/health HTTP/1.1\r\nHost: x\r\n\r\n";
  char answer[512];
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), failed = -1;
  if (connect(fd, (const struct sockaddr *)(const void *)a, sizeof *a) == 0 &&
      send(fd, request, sizeof request - 1, MSG_NOSIGNAL) > 0 &&
      recv(fd, answer, sizeof answer, 0) > 12 &&
      memcmp(answer, "HTTP/1.1 200", 12) == 0)
    failed = 0;
  close(fd);
  return failed;
}

static int64_t resident_kb(pid_t pid)
{
  char path[64], line[256];
  int64_t kb = -1;
  snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
  FILE *f = fopen(path, "r");
  while (f && fgets(line, sizeof line, f)) {
    struct bytes rest = bytes_of(line);
    uint64_t n;
    if (!bytes_starts(rest, BYTES("VmRSS:")))
      continue;
    size_t skip = strcspn(line, "0123456789");
    rest = (struct bytes){line + skip, rest.n - skip};
    if (number_take_u64(&rest, INT32_MAX, &n) == NUMBER_OK)
      kb = (int64_t)n;
  }
  if (f)
    fclose(f);
  return kb;
}

static int measure(char **argv, const struct sockaddr_in *a, struct stats *time,
                   struct stats *memory)
{
  struct clock *c = clock_real();
  int64_t begin = clock_now_ns(c);
  pid_t pid = start(argv);
  int failed = ask(a);
  while (failed && clock_now_ns(c) < begin + GIVE_UP_NS) {
    clock_wait_until(c, clock_now_ns(c) + NS_PER_MS / 10);
    failed = ask(a);
  }
  stats_add(time, clock_now_ns(c) - begin);
  stats_add(memory, resident_kb(pid));
  kill(pid, SIGTERM);
  waitpid(pid, NULL, 0);
  return failed;
}

int main(int argc, char **argv)
{
  uint64_t runs = 0, port = 0;
  if (argc < 4 || number_u64(bytes_of(argv[1]), 1000, &runs) != NUMBER_OK ||
      number_u64(bytes_of(argv[2]), 65535, &port) != NUMBER_OK) {
    fputs("usage: start_time RUNS PORT COMMAND ARG...\n", stderr);
    return 2;
  }
  struct sockaddr_in a = {.sin_family = AF_INET,
                          .sin_port = htons((uint16_t)port),
                          .sin_addr = {htonl(INADDR_LOOPBACK)}};
  struct stats time = {0}, memory = {0};
  for (uint64_t i = 0; i < runs; i++)
    if (measure(argv + 3, &a, &time, &memory) != 0) {
      fputs("start_time: no answer\n", stderr);
      return 1;
    }
  stats_print(&time, "start", 1000, "us");
  stats_print(&memory, "resident", 1, "kB");
  stats_release(&time);
  stats_release(&memory);
  return 0;
}
