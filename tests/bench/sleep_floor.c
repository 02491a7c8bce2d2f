/*
 * sleep_floor SECONDS PERIOD_US WORK_US - how late this machine wakes a
 * process that asks for a moment every period and then works for a while:
 * the floor under every lateness of a server with the same share of a core.
 */
#include "base/clock.h"
#include "base/number.h"
#include "tests/bench/stats.h"

#include <string.h>
#include <sys/prctl.h>

static void work_until(struct clock *c, int64_t until_ns)
{
  while (clock_now_ns(c) < until_ns)
    continue;
}

int main(int argc, char **argv)
{
  uint64_t v[3] = {0};
  bool wrong = argc != 4;
  for (int i = 0; i < 3 && !wrong; i++)
    wrong = number_u64(bytes_of(argv[i + 1]), 1000000, &v[i]) != NUMBER_OK;
  if (wrong || v[1] == 0) {
    fputs("usage: sleep_floor SECONDS PERIOD_US WORK_US\n", stderr);
    return 2;
  }
  prctl(PR_SET_TIMERSLACK, 1UL); /* as the server does */
  struct clock *c = clock_real();
  struct stats late = {0};
  int64_t due = clock_now_ns(c), end = due + (int64_t)v[0] * NS_PER_S;
  while (due < end) {
    due += (int64_t)v[1] * 1000;
    clock_wait_until(c, due);
    int64_t now = clock_now_ns(c);
    stats_add(&late, now - due);
    work_until(c, now + (int64_t)v[2] * 1000);
  }
  stats_print(&late, "floor", 1000, "us");
  stats_release(&late);
  return 0;
}
