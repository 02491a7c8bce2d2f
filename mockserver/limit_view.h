/*
 * limit_view.h - what a provider must know of the limiter to write its
 * headers and its refusals: numbers only.
 */
#ifndef MOCKSERVER_LIMIT_VIEW_H
#define MOCKSERVER_LIMIT_VIEW_H

#include <stdbool.h>
#include <stdint.h>

enum limit_of {
  LIMIT_REQUESTS,
  LIMIT_INPUT_TOKENS,
  LIMIT_OUTPUT_TOKENS,
  LIMIT_TOKENS, /* input and output together */
  LIMIT_OFS
};

enum limit_scope {
  LIMIT_ORGANIZATION,
  LIMIT_WORKSPACE,
  LIMIT_PROJECT,
  LIMIT_KEY,
  LIMIT_MODEL,
  LIMIT_SCOPES
};

enum limit_per { LIMIT_SECOND, LIMIT_MINUTE, LIMIT_HOUR, LIMIT_DAY };

/* One dimension: the bucket with the least left of those the request met. */
struct limit_row {
  bool there;
  enum limit_scope scope;
  int64_t limit, remaining;
  int64_t reset_us; /* until it is full again */
};

struct limit_view {
  struct limit_row row[LIMIT_OFS];
  struct limit_row project_tokens; /* of a bucket whose scope is project */
};

struct limit_refusal {
  const char *bucket; /* the rule's name */
  char whom[80];      /* whose bucket it is */
  enum limit_of of;
  enum limit_per per;
  int64_t limit, used, requested;
  int64_t wait_us; /* until the same request gets through */
  bool too_large;  /* no wait helps */
  bool growth;     /* it grew too fast */
};

#endif
