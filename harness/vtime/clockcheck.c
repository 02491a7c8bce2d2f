#include "harness/vtime/clockcheck.h"

#include "base/clock.h"

#include <poll.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
  CLOCKCHECK_OK,
  CLOCKCHECK_NOT_ASKED = 2, /* as for any wrong use */
  CLOCKCHECK_CLOCKS = 64,   /* above what shells and loaders use */
  CLOCKCHECK_SLEEP,
  CLOCKCHECK_POLL,
  CLOCKCHECK_WALL
};

/* Long enough that nobody waits for it by mistake. */
#define WAIT_S 1000
/* What may lie between two reads: the ticks of a few reads. */
#define NEAR_NS NS_PER_MS

static int64_t of(const struct timespec *t)
{
  return (int64_t)t->tv_sec * NS_PER_S + t->tv_nsec;
}

static int64_t by_library(clockid_t id)
{
  struct timespec t = {0, 0};
  clock_gettime(id, &t);
  return of(&t);
}

static int64_t by_call(clockid_t id)
{
  struct timespec t = {0, 0};
  syscall(SYS_clock_gettime, id, &t, NULL);
  return of(&t);
}

static int near(int64_t a, int64_t b)
{
  return a - b < NEAR_NS && b - a < NEAR_NS;
}

static int clocks_agree(void)
{
  static const clockid_t ids[] = {CLOCK_REALTIME, CLOCK_MONOTONIC,
                                  CLOCK_BOOTTIME};
  for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++)
    if (!near(by_library(ids[i]), by_call(ids[i])))
      return 0;
  return 1;
}

int clockcheck_main(int argc, char **argv)
{
  struct timespec wait = {WAIT_S, 0};
  int64_t wall = by_library(CLOCK_REALTIME);
  int64_t start = by_library(CLOCK_MONOTONIC);
  if (argc != 2 || strcmp(argv[1], CLOCKCHECK_WORD) != 0)
    return CLOCKCHECK_NOT_ASKED;
  if (!clocks_agree())
    return CLOCKCHECK_CLOCKS;
  nanosleep(&wait, NULL);
  if (!near(by_library(CLOCK_MONOTONIC), start + WAIT_S * NS_PER_S))
    return CLOCKCHECK_SLEEP;
  poll(NULL, 0, WAIT_S * 1000);
  if (!near(by_library(CLOCK_MONOTONIC), start + 2 * WAIT_S * NS_PER_S))
    return CLOCKCHECK_POLL;
  if (!near(by_library(CLOCK_REALTIME), wall + 2 * WAIT_S * NS_PER_S))
    return CLOCKCHECK_WALL;
  return CLOCKCHECK_OK;
}

const char *clockcheck_sentence(int exit_code)
{
  static const char *const sentence[] = {
      "a program's clock and the kernel's answer differ",
      "a sleep of 1000 s did not take 1000 s of its clock",
      "a poll of 1000 s did not take 1000 s of its clock",
      "the wall clock does not go with the monotonic one"};
  if (exit_code < CLOCKCHECK_CLOCKS || exit_code > CLOCKCHECK_WALL)
    return NULL;
  return sentence[exit_code - CLOCKCHECK_CLOCKS];
}
