/*
 * clock.h - the only door to time for mockserver and harness.
 *
 * Three clocks stand behind one interface: real time, a clock a test sets by
 * hand, and later the shared page of a run in virtual time. Nothing outside
 * this file reads a system clock or sleeps.
 */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#define NS_PER_MS INT64_C(1000000)
#define NS_PER_S INT64_C(1000000000)
#define NO_DEADLINE INT64_MAX

struct clock {
  /* Monotonic, in nanoseconds; the zero point means nothing. */
  int64_t (*now_ns)(struct clock *c);
  /* Nanoseconds since 1970-01-01T00:00:00Z. */
  int64_t (*wall_ns)(struct clock *c);
  /* Returns when now_ns() >= deadline_ns. */
  void (*wait_until)(struct clock *c, int64_t deadline_ns);
  /* How long a caller that also waits for descriptors may block in the
   * kernel for this deadline: nanoseconds of real time, -1 for "until an
   * event" (a clock that only moves by hand). */
  int64_t (*block_ns)(struct clock *c, int64_t deadline_ns);
};

/* The system's clocks. One object for the whole process; never freed. */
struct clock *clock_real(void);

/* A clock that stands still until it is moved; for unit tests. */
struct clock_fake {
  struct clock base;
  int64_t mono_ns;
  int64_t epoch_ns;
};
void clock_fake_init(struct clock_fake *c, int64_t epoch_s);
void clock_fake_advance(struct clock_fake *c, int64_t ns);

int64_t clock_now_ns(struct clock *c);
int64_t clock_wall_ns(struct clock *c);
int64_t clock_wall_epoch_s(struct clock *c);
void clock_wait_until(struct clock *c, int64_t deadline_ns);
int64_t clock_block_ns(struct clock *c, int64_t deadline_ns);

/* "Mon, 01 Dec 2025 00:00:00 GMT", always 29 characters (RFC 9110 5.6.7);
 * `ret` has room for 30 bytes or more. */
void clock_http_date(int64_t epoch_s, char ret[30]);
/* "2025-12-01T00:00:00Z" (RFC 3339), `ret` has room for 21 bytes or more. */
void clock_rfc3339(int64_t epoch_s, char ret[21]);

#endif
