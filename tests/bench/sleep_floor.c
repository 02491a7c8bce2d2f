/*
 * sleep_floor SECONDS - how late this machine wakes a process that asked for
 * a moment: the floor under every lateness of a server on it.
 */
#include "base/clock.h"
#include "base/number.h"
#include "tests/bench/stats.h"

#include <string.h>
#include <sys/prctl.h>

int main(int argc, char **argv)
{
  uint64_t seconds = 0;
  if (argc != 2 || number_u64(bytes_of(argv[1]), 3600, &seconds) != NUMBER_OK) {
    fputs("usage: sleep_floor SECONDS\n", stderr);
    return 2;
  }
  prctl(PR_SET_TIMERSLACK, 1UL); /* as the server does */
  struct clock *c = clock_real();
  struct stats late = {0};
  int64_t start = clock_now_ns(c), due = start;
  /* 7 ms: no multiple of a scheduler tick */
  while (due < start + (int64_t)seconds * NS_PER_S) {
    due += 7 * NS_PER_MS;
    clock_wait_until(c, due);
    stats_add(&late, clock_now_ns(c) - due);
  }
  stats_print(&late, "floor", 1000, "us");
  stats_release(&late);
  return 0;
}
