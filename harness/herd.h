/*
 * herd.h - what many clients do to a server together: figures of one run.
 *
 * Pure functions of the evidence. The rules:
 * - a repeat is a call behind a fault of its own lane and start;
 * - a call is what the client wanted once. Attempts are its attempts while
 *   they carry the same idempotency key or an SDK's retry number above 0,
 *   else while the body is about the same (messages, input, contents or
 *   prompt, whatever the model and the rest) and no good answer has come;
 * - waste is an attempt whose first byte came inside the wait that an
 *   earlier answer of its lane had asked for: it could not succeed;
 * - lockstep: the waits behind each lane's first fault are set against n
 *   waits drawn uniformly from a range half as wide as the median wait (equal
 *   jitter, the least that AWS's article on backoff calls jitter). `peak` of
 *   them lie within one bin, a tenth of that range and 100 ms at most. The
 *   chance of that is at most n * P(Binomial(n - 1, bin / range) >= peak - 1),
 *   by the union bound over the first wait of the bin. At or under 1 in 1000
 *   the clients are in step.
 */
#ifndef HARNESS_HERD_H
#define HARNESS_HERD_H

#include "harness/evidence.h"

#define HERD_WINDOW_NS (100 * NS_PER_MS)
/* Where chance ends: at most one false alarm in a thousand runs. */
#define HERD_THRESHOLD 0.001
/* Four waits in one bin are a matter of 1 in 250; five, of 1 in 2000. */
enum { HERD_MIN_WAITS = 5 };

enum herd_step { HERD_UNKNOWN, HERD_APART, HERD_IN_STEP };

struct herd_lockstep {
  enum herd_step step; /* unknown: fewer than HERD_MIN_WAITS waits */
  size_t n, peak;      /* waits, most of them in one bin */
  double baseline_ms, bin_ms;
  double p; /* upper bound of the chance under the baseline */
};

struct herd {
  size_t lanes;     /* with a call */
  size_t attempts;  /* on the wire */
  size_t calls;     /* wanted by the clients */
  size_t requests;  /* given to an SDK: its first tries */
  bool told;        /* an SDK's retry number or a key told them apart */
  size_t completed; /* calls that got a whole good answer */
  size_t waste;
  size_t peak, peak_repeats; /* most first bytes within HERD_WINDOW_NS */
  double spread_s;           /* first to last of the lanes' first repeats */
  size_t first_repeats;      /* how many those are */
  struct herd_lockstep lockstep;
};

/* `lane` NULL: all. */
void herd_measure(struct herd *ret, const struct evidence *e, const char *lane);

/* Most of `n` moments within any `window_ns`; sorts them. */
size_t herd_peak(int64_t *moments, size_t n, int64_t window_ns);
/* Of waits in milliseconds, which are sorted. */
void herd_lockstep(struct herd_lockstep *ret, double *waits_ms, size_t n);
/* n * P(Binomial(n - 1, share) >= peak - 1), at most 1. */
double herd_chance(size_t n, size_t peak, double share);

/* Attempts for each call, all layers; 0 without a call. */
double herd_amplification(const struct herd *h);
const char *herd_step_name(enum herd_step s);

#endif
