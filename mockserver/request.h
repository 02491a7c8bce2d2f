/*
 * request.h - one HTTP request as it arrived.
 */
#ifndef MOCKSERVER_REQUEST_H
#define MOCKSERVER_REQUEST_H

#include "base/buf.h"

struct header {
  struct bytes name, value;
};

/* All bytes belong to the engine and live until the handler returns. */
struct request {
  uint64_t conn_id;             /* from 1, one number per accepted connection */
  uint64_t on_conn;             /* its number on the connection, from 1 */
  struct bytes method;          /* "POST" */
  struct bytes target;          /* path and query as sent */
  struct bytes version;         /* "HTTP/1.1" */
  const struct header *headers; /* in the order of arrival */
  size_t nheaders;
  struct bytes body;
  uint64_t body_hash; /* bytes_hash() of it, when it was counted on the way */
  bool has_hash;
  int64_t first_byte_ns; /* monotonic: arrival of the first byte */
  int64_t end_ns;        /* the last byte of the body was read */
};

/* The first header of that name (any case); false when there is none. */
bool request_header(const struct request *r, const char *name,
                    struct bytes *ret);

#endif
