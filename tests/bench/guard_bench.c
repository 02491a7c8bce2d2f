/*
 * guard_bench waits TSV | bodies JSONL | program GUARD JSONL - how fast the
 * readers of lib/guard are. Exit 1 when a limit was missed.
 */
#include "tests/bench/guard_bench.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

int64_t bench_cpu_ns(void)
{
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

bool bench_target(const char *what, bool reached)
{
  printf("  target: %s: %s\n", what, reached ? "reached" : "MISSED");
  return reached;
}

int main(int argc, char **argv)
{
  struct diag diag = {0};
  bool reached = false;
  int rc;
  if (argc == 3 && strcmp(argv[1], "waits") == 0)
    rc = bench_waits(argv[2], &reached, &diag);
  else if (argc == 3 && strcmp(argv[1], "bodies") == 0)
    rc = bench_bodies(argv[2], &reached, &diag);
  else if (argc == 4 && strcmp(argv[1], "program") == 0)
    rc = bench_program(argv[2], argv[3], &reached, &diag);
  else
    rc = diag_set(&diag, "usage: guard_bench waits TSV | bodies JSONL | "
                         "program GUARD JSONL");
  if (rc < 0) {
    fprintf(stderr, "guard_bench: %s\n", diag.text);
    return 2;
  }
  return reached ? 0 : 1;
}
