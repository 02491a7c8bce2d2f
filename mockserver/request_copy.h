/*
 * request_copy.h - a request that outlives the handler's call: all its bytes
 * in one block.
 */
#ifndef MOCKSERVER_REQUEST_COPY_H
#define MOCKSERVER_REQUEST_COPY_H

#include "mockserver/request.h"

struct request_copy {
  struct request r; /* points into the two blocks below */
  char *bytes;
  struct header *headers;
};

/* The caller releases. */
void request_copy_init(struct request_copy *ret, const struct request *r);
void request_copy_release(struct request_copy *c);

#endif
