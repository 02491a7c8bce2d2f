/*
 * capture.h - one output of a client: all of it counted, the first part
 * kept. A client is never blocked by a full pipe for long: the loop reads
 * whatever comes.
 */
#ifndef HARNESS_CAPTURE_H
#define HARNESS_CAPTURE_H

#include "base/buf.h"

/* Kept of each output (brief of the run: enough for any honest client). */
#define CAPTURE_MAX_BYTES ((size_t)4 << 20)

struct capture {
  int fd; /* -1: closed */
  struct buf kept;
  uint64_t total; /* bytes written by the client */
};

/* Takes over the descriptor, which must be non-blocking. */
void capture_init(struct capture *c, int fd);
/* Closes the descriptor if it is open, frees what was kept. */
void capture_release(struct capture *c);
/* Reads some of what is there, at most a fixed amount so that other
 * descriptors get their turn. False at the end of the output: the descriptor
 * is still open and wants capture_close. */
bool capture_read(struct capture *c);
/* Reads all that is there now, then closes. For after the client's end. */
void capture_finish(struct capture *c);
void capture_close(struct capture *c);
bool capture_cut(const struct capture *c);

#endif
