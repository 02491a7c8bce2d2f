/*
 * call.h - what a request is: whose API, which endpoint, which lane.
 *
 * Rules (docs/scenario.md, "Which request is which"): a provider is known by
 * the end of the path; what stands before it is the lane. Without such a
 * prefix the header x-faultwire-lane names the lane, else what follows
 * "-lane-" in the API key. Steps match on this class, never on a counter.
 */
#ifndef MOCKSERVER_CALL_H
#define MOCKSERVER_CALL_H

#include "mockserver/provider/provider.h"
#include "mockserver/request.h"

struct start;

struct endpoint_route;

struct call {
  const struct start *start;       /* of a command; NULL: an HTTP request */
  const struct provider *provider; /* NULL: an unknown path tells nothing */
  enum endpoint endpoint;
  const struct endpoint_route *route; /* NULL: none of endpoint.h */
  const char *pattern;                /* of its path; NULL: nobody knows it */
  struct bytes star;                  /* what '*' of its path stood for */
  struct bytes path, query; /* of the target; point into the request */
  char lane[64];
  char model[96];  /* printable ASCII without quote and backslash */
  bool stream;     /* the request asks for a stream */
  bool with_usage; /* ... of Chat Completions with a usage chunk */
  bool as_array;   /* ... of Gemini without alt=sse */
  bool http_1_0;
  bool close;      /* the client wants the connection closed */
  int retry_count; /* the SDKs' x-stainless-retry-count, -1: none */
  char idempotency_key[96];
  const struct talk *talk; /* the conversation; NULL: nobody has read it */
};

void call_read(struct call *ret, const struct request *r);

/* True when `path` is the pattern; *ret_star is what '*' stood for, one
 * segment up to the next '/' or ':'. */
bool call_path_fits(struct bytes path, const char *pattern,
                    struct bytes *ret_star);

/* The top level of a JSON object without building a tree. False when `body`
 * has no such key there. `ret` is the value's bytes, for a string those
 * between the quotes, escapes as they stand. */
bool call_scan(struct bytes body, const char *key, struct bytes *ret);

#endif
