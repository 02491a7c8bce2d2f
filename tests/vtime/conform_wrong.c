/* Futex calls that are refused, or over, at once. */
#include "base/clock.h"
#include "tests/vtime/conform.h"

#include <linux/futex.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static uint32_t word[WAITV_MOST];
static struct waitv list[WAITV_MOST + 1];

static void take(int i, void *p)
{
  list[i] = (struct waitv){0, (uint64_t)(uintptr_t)p, U32_PRIVATE, 0};
}

static int wait_two(clockid_t id, int64_t ns)
{
  struct timespec t = at(id, ns);
  return (int)syscall(NR_WAITV, list, 2, 0, &t, id);
}

void wrong_old(void)
{
  struct timespec t = spec(unit_ns), bad = {-1, 0};
  begin();
  say("futex", "a length of the wall clock",
      (int)syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE | FUTEX_CLOCK_REALTIME,
                   0, &t, NULL, 0));
  say("futex", "no bits",
      (int)syscall(SYS_futex, word, FUTEX_WAIT_BITSET_PRIVATE, 0, &t, NULL, 0));
  say("futex", "between two words",
      (int)syscall(SYS_futex, (char *)word + 1, FUTEX_WAIT_PRIVATE, 0, &t, NULL,
                   0));
  say("futex", "before zero",
      (int)syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, 0, &bad, NULL, 0));
}

void wrong_list(void)
{
  struct timespec t = at(CLOCK_MONOTONIC, unit_ns), bad = {0, NS_PER_S};
  memset(word, 0, sizeof word);
  for (int i = 0; i <= WAITV_MOST; i++)
    take(i, &word[i % WAITV_MOST]);
  begin();
  say("futex_waitv", "too many",
      (int)syscall(NR_WAITV, list, WAITV_MOST + 1, 0, &t, CLOCK_MONOTONIC));
  say("futex_waitv", "none",
      (int)syscall(NR_WAITV, list, 0, 0, &t, CLOCK_MONOTONIC));
  say("futex_waitv", "flags",
      (int)syscall(NR_WAITV, list, 1, 1, &t, CLOCK_MONOTONIC));
  say("futex_waitv", "another clock",
      (int)syscall(NR_WAITV, list, 1, 0, &t, CLOCK_BOOTTIME));
  say("futex_waitv", "no time",
      (int)syscall(NR_WAITV, list, 1, 0, &bad, CLOCK_MONOTONIC));
  say("futex_waitv", "nowhere",
      (int)syscall(NR_WAITV, NULL, 1, 0, &t, CLOCK_MONOTONIC));
}

void wrong_entry(void)
{
  static const struct {
    const char *id;
    struct waitv v;
  } rows[] = {{"a word of 64 bits", {0, 0, 3, 0}},
              {"a word of 8 bits", {0, 0, 0, 0}},
              {"unknown flags", {0, 0, U32 | 64, 0}},
              {"something behind", {0, 0, U32, 1}},
              {"a large value", {UINT64_C(1) << 32, 0, U32, 0}},
              {"another value", {1, 0, U32_PRIVATE, 0}}};
  begin();
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    list[1] = rows[i].v;
    list[1].address = (uint64_t)(uintptr_t)&word[1];
    say("futex_waitv", rows[i].id, wait_two(CLOCK_MONOTONIC, unit_ns));
  }
  take(1, (char *)&word[1] + 2);
  say("futex_waitv", "between two words", wait_two(CLOCK_MONOTONIC, unit_ns));
  take(1, &word[1]);
  say("futex_waitv", "long over", wait_two(CLOCK_REALTIME, -unit_ns));
}

void wrong_new(void)
{
  static const struct {
    const char *id;
    uint64_t value, bits;
    uint32_t flags;
    clockid_t clock;
  } rows[] = {{"no bits", 0, 0, U32, CLOCK_MONOTONIC},
              {"more bits", 0, UINT64_C(1) << 32, U32, CLOCK_MONOTONIC},
              {"a large value", UINT64_C(1) << 32, 1, U32, CLOCK_MONOTONIC},
              {"unknown flags", 0, 1, 64, CLOCK_MONOTONIC},
              {"another clock", 0, 1, U32, CLOCK_TAI},
              {"another value", 1, 1, U32, CLOCK_MONOTONIC}};
  begin();
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    struct timespec t = at(rows[i].clock, unit_ns);
    say("futex2", rows[i].id,
        (int)syscall(NR_WAIT, &word[1], rows[i].value, rows[i].bits,
                     rows[i].flags, &t, rows[i].clock));
  }
  say("futex2", "wakes with no bits",
      (int)syscall(NR_WAKE, &word[1], 0L, 1, U32));
  say("futex2", "wakes none", (int)syscall(NR_WAKE, &word[1], 1L, 0, U32));
}
