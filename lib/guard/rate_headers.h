/*
 * rate_headers.h - what an answer says about the limits it was counted
 * against.
 *
 * Rule: the headers come with good answers too, so a client can slow down
 * before it is refused (third article: several limits hold at once, and the
 * throttle sits in front of the sending). Each field has three ways: absent,
 * invalid, a value; an invalid one never becomes a number. A field that
 * comes twice counts with the tighter value. Gemini sends no such headers.
 *
 * "Full again": the limits of Anthropic and OpenAI fill up continuously, and
 * their reset is the moment when nothing is missing any more; windows come
 * back whole at their reset.
 */
#ifndef GUARD_RATE_HEADERS_H
#define GUARD_RATE_HEADERS_H

#include "guard/retry_after.h"

#include <stdbool.h>

enum guard_rate_family {
  GUARD_RATE_REQUESTS,
  GUARD_RATE_TOKENS,
  GUARD_RATE_INPUT_TOKENS,
  GUARD_RATE_OUTPUT_TOKENS,
  GUARD_RATE_PROJECT_TOKENS,
  GUARD_RATE_PRIORITY_INPUT,
  GUARD_RATE_PRIORITY_OUTPUT,
  GUARD_RATE_UNIFIED,      /* a subscription as a whole */
  GUARD_RATE_WINDOW_5H,    /* its window of five hours */
  GUARD_RATE_WINDOW_7D,    /* of seven days */
  GUARD_RATE_WINDOW_MODEL, /* of seven days, for some models only */
  GUARD_RATE_OVERAGE,      /* what is paid beyond the windows */
  GUARD_RATE_POLICY,       /* IETF: the tightest policy of the list */
  GUARD_RATE_NFAMILIES     /* none */
};
/* "requests", "input_tokens", ...; "none" for GUARD_RATE_NFAMILIES. */
const char *guard_rate_family_name(enum guard_rate_family f);

enum guard_rate_field {
  GUARD_RATE_QUOTA,       /* requests or tokens */
  GUARD_RATE_REMAINING,   /* the same */
  GUARD_RATE_RESET,       /* milliseconds from now, 0 and more */
  GUARD_RATE_STATUS,      /* enum guard_rate_status */
  GUARD_RATE_UTILIZATION, /* used share in parts per million, may be above
                             a million */
  GUARD_RATE_NFIELDS
};

enum guard_rate_status {
  GUARD_RATE_ALLOWED,
  GUARD_RATE_WARNING,
  GUARD_RATE_REJECTED
};

enum guard_rate_read {
  GUARD_RATE_ABSENT,
  GUARD_RATE_INVALID,
  GUARD_RATE_VALUE
};

/* Plain numbers, all zero: nothing seen. */
struct guard_rate {
  uint32_t seen;    /* bit n: value[n] is set */
  uint32_t invalid; /* bit n: the field was there and not to be read */
  bool refills;     /* fills up continuously; else a window */
  int64_t value[GUARD_RATE_NFIELDS];
};

struct guard_rates {
  struct guard_rate family[GUARD_RATE_NFAMILIES];
};

/* All fields of an answer. |now_epoch_ms| is used for dates and epochs. */
void guard_rates_read(const struct guard_header *headers, size_t nheaders,
                      int64_t now_epoch_ms, struct guard_rates *ret);
/* One field; |ret| is set for GUARD_RATE_VALUE. */
enum guard_rate_read guard_rate_get(const struct guard_rate *r,
                                    enum guard_rate_field field, int64_t *ret);

/* What the next call will use up. */
struct guard_rate_cost {
  int64_t input_tokens, output_tokens; /* estimates, 0: not known */
};

/* Own choice: with a fifth or more left nobody slows down. */
#define GUARD_RATE_SLOW_PPM INT64_C(200000)
#define GUARD_RATE_WHOLE_PPM INT64_C(1000000)

struct guard_rate_advice {
  enum guard_rate_family family; /* the tightest, NFAMILIES: none */
  bool empty;                    /* it cannot take the next call now */
  int64_t left_ppm; /* share left, parts per million; -1: not told */
  int64_t slow_ms;  /* wait this long before the next call */
};

/*
 * Which family is the tightest, and the wait before the next call with which
 * it does not run empty. Empty: until it can take the call. Less than a fifth
 * left: the pace at which it fills up (refill) or lasts until its reset
 * (window). Else 0. The tightest is an empty one, then the one that asks for
 * the longest wait, then the one with the smallest share left. Overage,
 * Priority Tier and a window that overage carries on stop no call.
 */
struct guard_rate_advice guard_rates_advise(const struct guard_rates *r,
                                            const struct guard_rate_cost *cost);

#endif
