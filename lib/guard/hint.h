/*
 * hint.h - what the readers of retry hints share; inside lib/guard only.
 *
 * A reader gets the bytes of one value and the time, and gives a wait. An
 * absolute time (date, epoch, wall clock) also gives the second it names.
 */
#ifndef GUARD_HINT_H
#define GUARD_HINT_H

#include "guard/retry_after.h"
#include "guard/scan.h"

struct guard_hint_value {
  int64_t wait_ms;
  int64_t reset_epoch_s; /* 0: the hint was relative */
};

typedef enum guard_hint guard_hint_reader(struct guard_scan s, int64_t now_ms,
                                          struct guard_hint_value *ret);

/* a + b and a * b for a, b >= 0, saturating at INT64_MAX. */
int64_t guard_add_sat(int64_t a, int64_t b);
int64_t guard_mul_sat(int64_t a, int64_t b);

/* The wait until an instant; one in the past is 0. */
enum guard_hint guard_hint_until_ms(int64_t epoch_ms, int64_t now_ms,
                                    struct guard_hint_value *ret);
/* The wait until an epoch of unknown unit: above 1e11 it is milliseconds. */
enum guard_hint guard_hint_until_epoch(int64_t epoch, int64_t now_ms,
                                       struct guard_hint_value *ret);

/* retry_after_seconds.c */
guard_hint_reader guard_hint_delay;      /* delay-seconds or HTTP-date */
guard_hint_reader guard_hint_seconds;    /* seconds, fraction allowed */
guard_hint_reader guard_hint_ms;         /* milliseconds, fraction allowed */
guard_hint_reader guard_hint_ms_integer; /* x-amz-retry-after */
guard_hint_reader guard_hint_pushback;   /* grpc-retry-pushback-ms */
guard_hint_reader guard_hint_epoch;      /* epoch seconds, ms by magnitude */
guard_hint_reader guard_hint_reset;      /* epoch, or a small count of s */
/* retry_after_date.c */
guard_hint_reader guard_hint_http_date;
guard_hint_reader guard_hint_rfc3339;
/* retry_after_duration.c */
guard_hint_reader guard_hint_go;       /* Go duration, or RFC 3339 */
guard_hint_reader guard_hint_protobuf; /* "34.07s" */
/* retry_after_list.c */
guard_hint_reader guard_hint_ratelimit; /* RateLimit structured field */
/* retry_after_text.c */
guard_hint_reader guard_hint_text;

/* Several fields, as guard_retry_after, with the reset time. */
enum guard_hint guard_hint_headers(const struct guard_header *headers,
                                   size_t nheaders, int64_t now_ms,
                                   struct guard_hint_value *ret);
/* One field by its name, as guard_retry_after_field. */
enum guard_hint guard_hint_field(const char *name, struct guard_scan value,
                                 int64_t now_ms, struct guard_hint_value *ret);
/* The value's bytes of a header. */
struct guard_scan guard_header_value(const struct guard_header *h);
/* The first header of that name (any case), or NULL. */
const struct guard_header *guard_header_find(const struct guard_header *headers,
                                             size_t nheaders, const char *name);

/* A span of time with the part below a millisecond kept apart, so that only
 * the sum is rounded (up). */
struct guard_span {
  int64_t ms;
  int64_t ns; /* 0..999999 */
};
/* Adds d units of `unit_ns`: 1, 1e3, 1e6, or a whole number of ms. */
void guard_span_add(struct guard_span *span, const struct guard_decimal *d,
                    int64_t unit_ns);
int64_t guard_span_ms(const struct guard_span *span);

#endif
