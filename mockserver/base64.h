/*
 * base64.h - RFC 4648 section 4, for `body_base64`.
 */
#ifndef MOCKSERVER_BASE64_H
#define MOCKSERVER_BASE64_H

#include "base/buf.h"

/* Appends the bytes of `text`; false when it is not base64 with its
 * padding. */
bool base64_decode(struct bytes text, struct buf *ret);

#endif
