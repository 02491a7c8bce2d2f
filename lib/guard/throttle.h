/*
 * throttle.h - refuse at home what the server would refuse anyway, and send
 * no faster than the quota fills up.
 *
 * Rules: adaptive throttling of the SRE book ("Handling Overload"): of the
 * last two minutes, a request is refused here with the probability
 * max(0, (requests - K x accepts) / (requests + 1)). Requests refused here
 * count too, so that a refusing server is left alone more and more and still
 * probed. While the window holds fewer than a least number of requests none
 * is refused (pacing.h). And a token bucket with continuous refill, as the
 * providers' own limits are.
 *
 * Both structs hold plain numbers only, to be shared by processes; the caller
 * locks. The clock may step back: nothing is lost or gained by it but the
 * stepped time.
 */
#ifndef GUARD_THROTTLE_H
#define GUARD_THROTTLE_H

#include "guard/pacing.h"
#include "guard/rate_headers.h"

#include <stdbool.h>

enum { GUARD_THROTTLE_SLOTS = 12 };

/* All zero is a fresh throttle. */
struct guard_throttle {
  int64_t slot; /* number of the newest slot since the epoch of the clock */
  int64_t requests[GUARD_THROTTLE_SLOTS]; /* slot n is at n modulo the number */
  int64_t accepts[GUARD_THROTTLE_SLOTS];
};

/* Counts a request and says whether it may be sent. |random| is in [0, 1). */
bool guard_throttle_request(struct guard_throttle *t,
                            const struct guard_pacing *p, int64_t now_ms,
                            double random);
/* The server took the request: any answer that is no limit
 * (guard_class_is_limit), a 400 as well. */
void guard_throttle_accept(struct guard_throttle *t,
                           const struct guard_pacing *p, int64_t now_ms);
/* The probability at |now_ms| that the next request is refused here. */
double guard_throttle_refusal(const struct guard_throttle *t,
                              const struct guard_pacing *p, int64_t now_ms);

/* Most units (requests, tokens) a bucket holds or gets per minute: far above
 * any quota, and products with a minute in ms still fit. */
#define GUARD_BUCKET_MAX INT64_C(1000000000000)

/* A wait that never ends: the request is larger than the bucket. */
#define GUARD_NEVER_MS INT64_MAX

struct guard_bucket {
  int64_t capacity;   /* units */
  int64_t per_minute; /* units that flow in, 0: none */
  int64_t level;      /* units x 60000, so that a ms adds a whole number;
                         negative: in debt */
  int64_t at_ms;      /* when the level was right */
};

/* A full bucket. Numbers outside 0..GUARD_BUCKET_MAX are drawn in. */
void guard_bucket_init(struct guard_bucket *b, int64_t capacity,
                       int64_t per_minute, int64_t now_ms);
/* Takes |cost| units; false: nothing is taken, and |ret_wait_ms| says when to
 * ask again (GUARD_NEVER_MS: never). */
bool guard_bucket_take(struct guard_bucket *b, int64_t cost, int64_t now_ms,
                       int64_t *ret_wait_ms);
/* What was taken as an estimate turned out otherwise: puts the rest back, or
 * takes more, into debt of one capacity at most. */
void guard_bucket_correct(struct guard_bucket *b, int64_t estimated,
                          int64_t actual, int64_t now_ms);
/*
 * The server's own count: its limit becomes the capacity; its remaining
 * lowers the level and never raises it, since calls under way are counted
 * here and perhaps not there yet. The inflow is the speed at which the
 * missing part comes back, never above the limit per minute; it is left as
 * it was when the reset is less than ten seconds away, for resets in whole
 * seconds would tell a false speed then.
 */
void guard_bucket_learn(struct guard_bucket *b, const struct guard_rate *r,
                        int64_t now_ms);

#endif
