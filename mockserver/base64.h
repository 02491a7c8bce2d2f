/*
 * base64.h - RFC 4648 section 4, for `body_base64` and embeddings.
 */
#ifndef MOCKSERVER_BASE64_H
#define MOCKSERVER_BASE64_H

#include "base/buf.h"

/* Appends the bytes of `text`; false when it is not base64 with its
 * padding. */
bool base64_decode(struct bytes text, struct buf *ret);
/* Appends `raw` as base64 with its padding. */
void base64_encode(struct bytes raw, struct buf *ret);

#endif
