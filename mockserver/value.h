/*
 * value.h - {{...}}: values computed for the moment of sending.
 *
 * Rule: SPEC of the scenario language (docs/scenario.md, "Values"). Every
 * body, header and literal of a scenario and of the providers' own tables
 * goes through value_expand(). A number behind a colon is in seconds, may
 * carry a sign and a fraction, and is added to the moment of sending where
 * the value is a time. Whole seconds are cut, never rounded up.
 *
 *   http_date:+n  epoch:+n  epoch_ms:+n  rfc3339:+n   times
 *   rfc850:+n  asctime:+n   the old forms of an HTTP date
 *   http_date_server:+n     on the server's clock, which may be wrong
 *   local:+n Zone 'format'  a moment in a zone, see value_local.h
 *   date:+n         the day alone, 2025-12-01
 *   duration:n      Go's form: 20ms, 1.5s, 6m0s
 *   seconds:n       34.5
 *   remaining       whole seconds left of the step's window, rounded up
 *   pad:n           n letters x
 *   hex:c2b2        any bytes
 *   request_id  model
 *
 * `remaining` may stand for n. The providers' tables may also say `wait` and
 * `reset` for n: what the step's retry_after and resets_in_s ask for.
 */
#ifndef MOCKSERVER_VALUE_H
#define MOCKSERVER_VALUE_H

#include "base/buf.h"

struct value_scope {
  int64_t now_ns;          /* wall clock at the moment of sending */
  struct bytes request_id; /* in the provider's form */
  struct bytes model;      /* as the request named it */
  int64_t skew_ms;         /* how far the server's clock is off */
  int64_t remaining_ms;    /* left of the step's window */
  int64_t wait_ms;         /* what `wait` stands for */
  int64_t reset_ms;        /* what `reset` stands for */
};

/* Ceiling of {{pad:n}}, in bytes. */
#define VALUE_MAX_PAD (INT64_C(1) << 20)

/* NULL when all values of `text` are right, else a sentence with the first
 * wrong one in `ret_wrong` (at most `size` bytes with its NUL). */
const char *value_check(struct bytes text, char *ret_wrong, size_t size);
/* A text value_check() refuses is copied as it stands from there on. */
void value_expand(struct bytes text, const struct value_scope *s,
                  struct buf *ret);
/* Go's time.Duration.String() for whole milliseconds. */
void value_duration(int64_t ms, struct buf *ret);

#endif
