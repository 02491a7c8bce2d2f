/*
 * engine_body.h - a request's body while it arrives: in memory while it is
 * small, then in a file that has no name.
 */
#ifndef MOCKSERVER_ENGINE_BODY_H
#define MOCKSERVER_ENGINE_BODY_H

#include "base/buf.h"

struct body {
  struct buf memory;
  int fd;        /* -1: all of it is in memory */
  uint64_t n;    /* bytes so far */
  uint64_t hash; /* of them, once they are in the file */
  void *map;     /* the file as bytes; NULL: nobody has asked */
};

struct body_limits {
  uint64_t max_bytes, in_memory_bytes;
};

enum body_result {
  BODY_OK,
  BODY_TOO_LARGE, /* over max_bytes */
  BODY_NO_ROOM    /* the file cannot be made or written */
};

void body_init(struct body *b);
/* Empties it; a little memory is kept for the next. */
void body_reset(struct body *b);
void body_release(struct body *b);
enum body_result body_add(struct body *b, const struct body_limits *l,
                          struct bytes piece);
/* All of it; those of a file belong to the page cache. p NULL with n 0: the
 * file cannot be mapped. */
struct bytes body_bytes(struct body *b);
/* bytes_hash() of all. */
uint64_t body_hash(const struct body *b);

#endif
