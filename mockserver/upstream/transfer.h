/*
 * transfer.h - one call on its way through: what the upstream's files share.
 *
 * A transfer lives as long as the plan that hands over its answer, or
 * libcurl, needs it. Each gate of the plan holds one reference: when the
 * last is gone the client is, and the upstream is told by a close.
 */
#ifndef MOCKSERVER_UPSTREAM_TRANSFER_H
#define MOCKSERVER_UPSTREAM_TRANSFER_H

#include "mockserver/import/taken.h"
#include "mockserver/upstream/upstream.h"

#include <curl/curl.h>

/* Held for a client that reads slowly; then the upstream has to wait. */
#define TRANSFER_HELD ((size_t)1 << 20)

struct gate;

struct transfer {
  struct upstream *u;
  struct transfer *next; /* of those that run */
  CURL *easy;
  struct curl_slist *headers;
  struct buf body;   /* of the request */
  struct gate *gate; /* the plan waits at it; a reference of ours */
  size_t plan_refs;
  bool running, paused, over, written;

  struct buf head, out; /* the head so far; bytes for the client */
  bool head_done, head_marked;
  bool chunked, has_length, wants_close, no_body, is_stream, terminal;
  uint64_t events;
  int status;
  char reason[64];
  CURLcode result;
  char error[CURL_ERROR_SIZE];

  int64_t asked_ns, head_ns;
  struct taken taken;
};

struct upstream {
  struct upstream_options o;
  char *url; /* without a slash at the end */
  bool loopback;
  struct engine *engine;
  CURLM *multi;
  uint64_t timer; /* 0: none */
  struct transfer *running;
  int passed; /* so far */
};

/* transfer.c: the answer's side */
size_t transfer_header(char *p, size_t size, size_t n, void *arg);
size_t transfer_body(char *p, size_t size, size_t n, void *arg);
/* libcurl is done with it. */
void transfer_over(struct transfer *t, CURLcode result);
/* Lets the plan go on. */
void transfer_wake(struct transfer *t);
/* The plan from here on. */
void transfer_plan(struct transfer *t, struct plan *plan);

/* send.c: the request's side */
bool transfer_set_up(struct transfer *t, const struct call *call,
                     const struct request *r);

#endif
