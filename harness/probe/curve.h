/*
 * curve.h - from the waits of several copies of a client to its backoff:
 * shape, base, growth, cap and kind of jitter. Pure.
 *
 * The formulas meant are those of the AWS article on backoff and jitter:
 *   none          base * growth^k
 *   full          random between 0 and that
 *   equal         random between half of that and that
 *   decorrelated  random between base and three times the wait before
 * Every copy draws on its own, so the spread of one step over the copies
 * shows the kind.
 */
#ifndef HARNESS_PROBE_CURVE_H
#define HARNESS_PROBE_CURVE_H

#include <stdbool.h>
#include <stddef.h>

enum { CURVE_COPIES = 16, CURVE_STEPS = 12 };

struct waits {
  size_t copies;
  double noise_s; /* by which the machine may have delayed any of them */
  size_t n[CURVE_COPIES]; /* waits of a copy, at most CURVE_STEPS */
  double s[CURVE_COPIES][CURVE_STEPS];
};

enum jitter {
  JITTER_UNKNOWN,
  JITTER_NONE,
  JITTER_FULL,
  JITTER_EQUAL,
  JITTER_DECORRELATED,
  JITTER_PART /* random, but less than half of the wait */
};

enum growth { SHAPE_UNKNOWN, SHAPE_FIXED, SHAPE_LINEAR, SHAPE_EXPONENTIAL };

struct curve {
  size_t copies, steps; /* that were looked at */
  bool at_once;         /* no wait is long enough to speak of */
  bool first_at_once;   /* the first repeat comes at once, the others wait */
  enum jitter jitter;
  double low_share; /* shortest wait as a share of the longest of its
                       step */
  enum growth shape;
  bool has_base, has_growth, has_cap;
  double base_s, growth, cap_s;
  const char *why; /* what could not be told, and why; NULL: all was */
};

/* Steps that not every copy has made are left out: of those only the short
 * waits would be known. */
struct curve curve_of(const struct waits *w);
const char *jitter_word(enum jitter j);
const char *shape_word(enum growth s);

#endif
