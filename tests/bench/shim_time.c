/*
 * shim_time RUNS PROGRAM OTHER - from the start of each program to its end,
 * in turn, so that both meet the same machine; and the ratio of the medians.
 * What they print goes to /dev/null.
 */
#include "base/clock.h"
#include "base/number.h"
#include "tests/bench/stats.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static int measure(char *program, posix_spawn_file_actions_t *silent,
                   struct stats *ret)
{
  struct clock *c = clock_real();
  char *argv[] = {program, NULL};
  int64_t begin = clock_now_ns(c);
  int status = 0;
  pid_t pid = 0;
  if (posix_spawn(&pid, program, silent, NULL, argv, environ) != 0 ||
      waitpid(pid, &status, 0) != pid || status != 0)
    return -1;
  stats_add(ret, clock_now_ns(c) - begin);
  return 0;
}

int main(int argc, char **argv)
{
  uint64_t runs = 0;
  struct stats one = {0}, other = {0};
  posix_spawn_file_actions_t silent;
  if (argc != 4 || number_u64(bytes_of(argv[1]), 100000, &runs) != NUMBER_OK) {
    fputs("usage: shim_time RUNS PROGRAM OTHER\n", stderr);
    return 2;
  }
  posix_spawn_file_actions_init(&silent);
  posix_spawn_file_actions_addopen(&silent, 1, "/dev/null", O_WRONLY, 0);
  for (uint64_t i = 0; i < runs; i++)
    if (measure(argv[2], &silent, &one) < 0 ||
        measure(argv[3], &silent, &other) < 0) {
      fputs("shim_time: a program failed\n", stderr);
      return 1;
    }
  double ratio = (double)stats_percentile(&one, 50) /
                 (double)(stats_percentile(&other, 50) + 1);
  stats_print(&one, "stand-in", 1000, "us");
  stats_print(&other, "other", 1000, "us");
  printf("ratio %.2f\n", ratio);
  posix_spawn_file_actions_destroy(&silent);
  stats_release(&one);
  stats_release(&other);
  return 0;
}
