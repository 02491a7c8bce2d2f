/*
 * encode.h - the content codings of RFC 9110, section 8.4: gzip, deflate
 * (RFC 1950 inside, as the RFC says, or RFC 1951 alone, as some servers
 * send it) and br (RFC 7932).
 *
 * What was added so far can always be decoded by the receiver: each piece
 * ends with a flush, as a server that streams does it. The end of the format
 * (gzip's checksum and length, for instance) is written by the finish alone,
 * so a stream that is cut has none.
 */
#ifndef MOCKSERVER_ENCODE_H
#define MOCKSERVER_ENCODE_H

#include "base/buf.h"

enum encoding {
  ENCODING_GZIP,
  ENCODING_DEFLATE,
  ENCODING_DEFLATE_RAW,
  ENCODING_BR
};
/* The words of the scenario language, in the order of the enum. */
extern const char *const encoding_words[];
/* The value of content-encoding. */
const char *encoding_name(enum encoding e);

struct encoder;
struct encoder *encoder_new(enum encoding e);
void encoder_free(struct encoder *e);
/* Appends the coded form of `b`. */
void encoder_add(struct encoder *e, struct bytes b, struct buf *ret);
/* The end of the format; nothing may be added behind it. */
void encoder_finish(struct encoder *e, struct buf *ret);

#endif
