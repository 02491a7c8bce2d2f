#include "base/buf.h"
#include "base/clock.h"
#include "tests/bench/guard_bench.h"
#include "tests/bench/stats.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The limit of the issue of these benchmarks. */
#define MOST_NS (50 * NS_PER_MS)
enum { RUNS = 101 };

static void become(char *const *argv, const char *input)
{
  int in = open(input, O_RDONLY), out = open("/dev/null", O_WRONLY);
  if (in < 0 || out < 0 || dup2(in, 0) < 0 || dup2(out, 1) < 0)
    _exit(126);
  execv(argv[0], argv);
  _exit(127);
}

/* From fork to the end of the process. */
static int run(char *const *argv, const char *input, struct stats *ret,
               struct diag *diag)
{
  struct clock *c = clock_real();
  int64_t begin = clock_now_ns(c);
  int status;
  pid_t pid = fork();
  if (pid == 0)
    become(argv, input);
  if (pid < 0 || waitpid(pid, &status, 0) != pid)
    return diag_set(diag, "%s: %s", argv[0], strerror(errno));
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    return diag_set(diag, "%s: wait status %d", argv[0], status);
  stats_add(ret, clock_now_ns(c) - begin);
  return 0;
}

static void print(const char *name, struct stats *s)
{
  printf("  %-32s calm %5.1f ms  p50 %5.1f ms  p99 %5.1f ms\n", name,
         (double)stats_percentile(s, 0) / 1e6,
         (double)stats_percentile(s, 50) / 1e6,
         (double)stats_percentile(s, 99) / 1e6);
}

int bench_program(const char *guard, const char *jsonl, bool *ret_reached,
                  struct diag *diag)
{
  struct stats own = {0}, start = {0};
  char words[][16] = {"classify", "--jsonl", "--help"};
  char *path = mem_strdup(guard);
  char *const classify[] = {path, words[0], words[1], NULL};
  char *const help[] = {path, words[2], NULL};
  int rc = 0;
  for (int i = 0; i < RUNS && rc == 0; i++) {
    rc = run(classify, jsonl, &own, diag);
    if (rc == 0)
      rc = run(help, jsonl, &start, diag);
  }
  if (rc == 0) {
    print("guard classify --jsonl", &own);
    print("guard --help: start and end only", &start);
    *ret_reached = bench_target("all of the file in under 50 ms",
                                stats_percentile(&own, 0) < MOST_NS);
  }
  stats_release(&own);
  stats_release(&start);
  free(path);
  return rc;
}
