/*
 * retry_after.h - how long the server asks the client to wait.
 *
 * Rules: RFC 9110 10.2.3 (delay-seconds and the three HTTP-date forms of
 * 5.6.7), retry-after-ms, RFC 3339, epochs, Go and protobuf durations, hints
 * in texts. The result has three ways: absent, invalid, a wait (zero is a
 * wait). No cap is applied here: policy decides what is too long.
 */
#ifndef GUARD_RETRY_AFTER_H
#define GUARD_RETRY_AFTER_H

#include <stddef.h>
#include <stdint.h>

enum guard_hint {
  GUARD_HINT_ABSENT,  /* no such field */
  GUARD_HINT_INVALID, /* there, but no usable wait: use own backoff */
  GUARD_HINT_WAIT,    /* *ret_wait_ms is set, 0 and more */
  GUARD_HINT_STOP     /* the server forbids a retry */
};

struct guard_header {
  const char *name;  /* any case; NUL-terminated */
  const char *value; /* NUL-terminated, or value_n bytes when value_n > 0 */
  size_t value_n;
};

/*
 * One field: `name` as on the wire (any case) or a pseudo name of the test
 * vectors ("text", "google.rpc.RetryInfo.retryDelay"), `value` its bytes.
 * `now_epoch_ms` is used for dates and epochs. Waits saturate at INT64_MAX
 * milliseconds; parts of a millisecond round up.
 */
enum guard_hint guard_retry_after_field(const char *name, const char *value,
                                        size_t n, int64_t now_epoch_ms,
                                        int64_t *ret_wait_ms);

/* All fields of an answer, in the order of precedence documented in
 * docs/guard-retry-after.md: x-should-retry is not read here. */
enum guard_hint guard_retry_after(const struct guard_header *headers,
                                  size_t nheaders, int64_t now_epoch_ms,
                                  int64_t *ret_wait_ms);

/* A hint inside a text: "try again in 20s", "Please retry after 20 seconds",
 * "retryDelay": "26s" ... */
enum guard_hint guard_retry_after_text(const char *text, size_t n,
                                       int64_t now_epoch_ms,
                                       int64_t *ret_wait_ms);

#endif
