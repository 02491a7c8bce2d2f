/*
 * engine_known.h - heads the parser has taken before.
 *
 * A client on a kept connection sends the same head again and again. What
 * libmicrohttpd reads from it is a function of its bytes, so a head that is
 * the same byte for byte needs no second parse: that saves a copy of the
 * descriptor, and four of seven system calls a request. Nothing is ever
 * recognised that the parser has not accepted in full; what is new, comes in
 * pieces, is pipelined or has a chunked body goes the parser's way.
 */
#ifndef MOCKSERVER_ENGINE_KNOWN_H
#define MOCKSERVER_ENGINE_KNOWN_H

#include "mockserver/request.h"

struct known_head {
  uint64_t hash, seen; /* of the kept one; of the newest that was not known */
  struct bytes head;   /* with its blank line; n 0: none is kept */
  struct bytes method, target, version;
  struct header *headers;
  size_t nheaders;
  uint64_t content_length;
  bool wants_close;
};

enum { KNOWN_HEADS = 64 };

/* All zero: none is known. */
struct known {
  struct known_head slots[KNOWN_HEADS];
};

void known_release(struct known *k);

/* The head at the front of `bytes`, its blank line included; n 0: it is not
 * whole, or too long to be kept. */
struct bytes known_head_of(struct bytes bytes);
uint64_t known_hash(struct bytes head);
/* NULL when it is not known. */
const struct known_head *known_find(const struct known *k, struct bytes head,
                                    uint64_t hash);
/* True from the second time that the same head was not known: once is no
 * habit, and keeping costs more than a parse. */
bool known_wants(struct known *k, uint64_t hash);
/* Keeps copies of what the parser has read from `head`. Of `r` the method,
 * target, version and headers count. */
void known_keep(struct known *k, struct bytes head, const struct request *r,
                uint64_t content_length, bool wants_close);

#endif
