/*
 * error_class.h - what an answer, an event or a CLI's output means.
 *
 * Evidence order: x-should-retry and exit code, structured fields, event
 * types, status; text last and only in known places. The string "429" or
 * "rate limit" alone never decides. Classes, readers and the source of each
 * fact: docs/guard-classification.md.
 */
#ifndef GUARD_ERROR_CLASS_H
#define GUARD_ERROR_CLASS_H

#include "guard/retry_after.h"

#include <stdbool.h>

enum guard_class {
  GUARD_NONE,            /* no error */
  GUARD_RATE_LIMIT,      /* a burst limit: waiting helps */
  GUARD_OVERLOADED,      /* the server is at capacity */
  GUARD_USAGE_LIMIT,     /* a subscription window, hours or days */
  GUARD_QUOTA_EXHAUSTED, /* money, plan or daily quota */
  GUARD_TIMEOUT,         /* the server's or the client's own */
  GUARD_AUTH,
  GUARD_INVALID_REQUEST,
  GUARD_SERVER_ERROR,
  GUARD_STREAM_INTERRUPTED, /* cut, reset, or no terminal event */
  GUARD_NCLASSES
};
/* "rate_limit", "none", ...: the words of error_bodies.jsonl. */
const char *guard_class_name(enum guard_class c);

enum guard_channel {
  GUARD_HTTP,   /* status, headers, body */
  GUARD_SSE,    /* after a 200: one event's data, or a whole stream's bytes;
                   a stream without its terminal event is interrupted */
  GUARD_STDOUT, /* a CLI's standard output, with exit code */
  GUARD_STDERR
};

/* One thing to classify. All pointers belong to the caller. */
struct guard_answer {
  const char *provider; /* "anthropic", "openai", "gemini", "claude-cli", ...;
                           NULL or unknown: every reader is asked */
  enum guard_channel channel;
  int status; /* HTTP status, 0 when there is none */
  bool has_exit_code;
  int exit_code;
  const struct guard_header *headers;
  size_t nheaders;
  const char *body;
  size_t body_n;
  int64_t now_epoch_ms;
};

struct guard_verdict {
  enum guard_class cls;
  bool retryable; /* an automatic retry inside the same job makes sense */
  enum guard_hint hint;
  int64_t wait_ms;       /* valid when hint == GUARD_HINT_WAIT */
  int64_t reset_epoch_s; /* when the limit ends, 0 when not told */
  const char *rule;      /* which rule decided, a constant text */
};

struct guard_verdict guard_classify(const struct guard_answer *a);

#endif
