/*
 * limiter.h - one bucket of a rate limit: pure, exact, no clock.
 *
 * Rules: token bucket with continuous refill (docs/limits.md names the
 * sources), and beside it a fixed window, a sliding window, a day with its
 * reset at midnight, and a limit on growth from one window to the next. Time
 * is an argument. All arithmetic is on whole numbers: a level is kept as
 * units times microseconds of the period, so refill leaves no rest behind.
 */
#ifndef MOCKSERVER_LIMITER_H
#define MOCKSERVER_LIMITER_H

#include "mockserver/midnight.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum limiter_window {
  LIMITER_CONTINUOUS, /* refills all the time, saves up at most `burst` */
  LIMITER_FIXED,      /* opens with the first unit it counts */
  LIMITER_SLIDING,    /* what was counted within the last period */
  LIMITER_DAY,        /* from midnight to midnight */
  LIMITER_GROWTH      /* at most `percent` of the window before */
};

struct limiter_rule {
  enum limiter_window window;
  int64_t limit;           /* units a period; GROWTH: what is always free */
  int64_t period_us;       /* DAY: not used */
  int64_t burst;           /* CONTINUOUS: most that can be saved up */
  int64_t percent;         /* GROWTH */
  enum midnight_zone zone; /* DAY */
};

struct limiter_time {
  int64_t mono_us; /* refill and windows */
  int64_t wall_us; /* since 1970: days */
};

struct limiter_entry {
  int64_t at_us, amount;
};

/* Beyond so many the newest two entries of a sliding window are counted as
 * one from the later moment. */
enum { LIMITER_ENTRIES = 512 };

/* Plain numbers; which of them say what depends on the window. */
struct limiter_bucket {
  int64_t level;   /* CONTINUOUS: units * period_us; others: units used */
  int64_t before;  /* GROWTH: used in the window before; DAY: wall clock when
                      this day's count began */
  int64_t mark_us; /* CONTINUOUS: when level was true; FIXED, GROWTH: when the
                      window opened; DAY: wall clock of its end */
  bool open;
  size_t first, n;           /* SLIDING: ring of entries, oldest first */
  struct limiter_entry *log; /* SLIDING only */
};

/* No wait helps: more was asked for than the bucket can ever hold. */
#define LIMITER_NEVER INT64_MAX

/* Largest product of burst and period, in unit microseconds: sums of two
 * stay within 64 bits. */
#define LIMITER_MAX_SCALED (INT64_MAX / 4)

bool limiter_rule_fits(const struct limiter_rule *r);

/* Full at `now`. */
void limiter_init(struct limiter_bucket *b, const struct limiter_rule *r,
                  struct limiter_time now);
void limiter_release(struct limiter_bucket *b);

/* Microseconds until `amount` is there, 0: it is, LIMITER_NEVER. Takes
 * nothing. */
int64_t limiter_wait_us(struct limiter_bucket *b, const struct limiter_rule *r,
                        struct limiter_time now, int64_t amount);
/* Takes `amount` whether it is there or not: a bucket may owe. */
void limiter_charge(struct limiter_bucket *b, const struct limiter_rule *r,
                    struct limiter_time now, int64_t amount);
/* A refused request that counts takes what is there and never makes the
 * bucket owe: who waits the time named after it gets through. It is not
 * counted as growth. */
void limiter_charge_refused(struct limiter_bucket *b,
                            const struct limiter_rule *r,
                            struct limiter_time now, int64_t amount);
/* Gives back part of what was charged at `then`, if it still counts. */
void limiter_refund(struct limiter_bucket *b, const struct limiter_rule *r,
                    struct limiter_time now, struct limiter_time then,
                    int64_t amount);

/* Whole units that are there, never below 0. */
int64_t limiter_remaining(struct limiter_bucket *b,
                          const struct limiter_rule *r,
                          struct limiter_time now);
/* Microseconds until it is as at the start if nobody asks. */
int64_t limiter_reset_us(struct limiter_bucket *b, const struct limiter_rule *r,
                         struct limiter_time now);

#endif
