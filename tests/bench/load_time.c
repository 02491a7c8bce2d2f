/*
 * How long a large scenario takes to load: 10,000 steps, and 5 MB of them.
 * usage: load_time [ROUNDS]
 */
#include "base/clock.h"
#include "base/file.h"
#include "base/number.h"
#include "mockserver/scenario.h"

#include <stdio.h>
#include <unistd.h>

#define MAX_FILE ((size_t)16 << 20)

/* `pad`: letters in the body of each step. */
static void write_scenario(struct buf *b, int steps, int pad)
{
  buf_adds(b, "{\"name\":\"large\",\"why\":\"to be loaded\",\"steps\":[\n");
  for (int i = 0; i < steps; i++) {
    buf_addf(b,
             "%s{\"fault\":\"status\",\"status\":503,\"times\":%d,"
             "\"headers\":[[\"x-step\",\"%d\"]],\"match\":{\"model\":\"m*\"},"
             "\"body\":\"",
             i ? ",\n" : "", 1 + i % 3, i);
    for (int k = 0; k < pad; k++)
      buf_addc(b, (char)('a' + k % 26));
    buf_adds(b, "\"}");
  }
  buf_adds(b, "\n]}\n");
}

static double load_ms(const char *path, size_t *ret_steps)
{
  struct scenario s;
  struct diag diag = {0};
  int64_t from = clock_now_ns(clock_real());
  if (scenario_load(&s, path, &diag) < 0) {
    fprintf(stderr, "%d:%d %s\n", diag.line, diag.column, diag.text);
    return -1;
  }
  double ms = (double)(clock_now_ns(clock_real()) - from) / 1e6;
  *ret_steps = s.nsteps;
  scenario_release(&s);
  return ms;
}

static int measure(const char *what, int steps, int pad, int rounds)
{
  struct buf text;
  struct diag diag = {0};
  char path[] = "/tmp/faultwire-load.XXXXXX";
  int fd = mkstemp(path);
  double best = 1e9, worst = 0;
  size_t n = 0;
  buf_init(&text, MAX_FILE);
  write_scenario(&text, steps, pad);
  int rc = fd < 0 ? -1 : file_write(path, buf_bytes(&text), &diag);
  for (int i = 0; i < rounds && rc == 0; i++) {
    double ms = load_ms(path, &n);
    rc = ms < 0 ? -1 : 0;
    best = ms < best ? ms : best;
    worst = ms > worst ? ms : worst;
  }
  printf("%-14s %6zu steps %5.1f MB: best %.1f ms, worst %.1f ms\n", what, n,
         (double)text.n / 1e6, best, worst);
  buf_release(&text);
  unlink(path);
  close(fd);
  return rc;
}

int main(int argc, char **argv)
{
  int64_t rounds = 10;
  if (argc > 1 && number_i64(bytes_of(argv[1]), 1, 1000, &rounds) != NUMBER_OK)
    return 2;
  int rc = measure("many steps", 10000, 10, (int)rounds);
  rc |= measure("many bytes", 10000, 380, (int)rounds);
  rc |= measure("large bodies", 100, 50000, (int)rounds);
  return rc ? 1 : 0;
}
