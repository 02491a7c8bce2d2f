/*
 * multipart.h - the parts of a multipart/form-data body (RFC 7578), in any
 * bytes. Only what an upload needs: name, file name, content.
 */
#ifndef MOCKSERVER_MULTIPART_H
#define MOCKSERVER_MULTIPART_H

#include "base/buf.h"

struct multipart {
  struct bytes rest, boundary;
};

struct part {
  struct bytes name, filename, content; /* point into the body */
};

/* False when the content type names no boundary, or the body does not begin
 * with it. */
bool multipart_open(struct multipart *m, struct bytes content_type,
                    struct bytes body);
/* The next part; false: no more, or what is left is none. */
bool multipart_next(struct multipart *m, struct part *ret);

#endif
