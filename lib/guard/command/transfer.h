/*
 * transfer.h - one request on the wire with libcurl, and what came back.
 *
 * Rule: connect, first content, idle and total time-outs are four different
 * things, and a ping is no content (third article). No proxy from the
 * environment, no redirect followed, no answer decoded or repaired.
 */
#ifndef GUARD_COMMAND_TRANSFER_H
#define GUARD_COMMAND_TRANSFER_H

#include "request.h"
#include "seam.h"

#include "base/clock.h"
#include "guard/call.h"
#include "guard/sse.h"

enum transfer_end {
  TRANSFER_COMPLETE, /* the answer ended as HTTP says it should */
  TRANSFER_TIMEOUT,
  TRANSFER_BROKEN,   /* no connection, reset, cut, not HTTP */
  TRANSFER_UNUSABLE, /* URL, certificate: no retry can help */
  TRANSFER_TOO_BIG,
  TRANSFER_STOPPED /* the program was told to end */
};

enum { TRANSFER_MAX_HEADERS = 128 };

struct transfer {
  /* Set by the caller. */
  const struct provider *provider;
  bool stream, strict;
  bool track_blocks; /* for a continuation */
  struct live *live; /* NULL: text is not printed as it comes */
  struct seam seam;  /* set before each try: what this text goes on from */
  struct clock *clock;
  void (*on_head)(void *arg); /* NULL, or: status line and headers are there */
  void *on_head_arg;
  /* The answer. */
  enum transfer_end end;
  const char *why; /* a constant text for every end but COMPLETE */
  int status;      /* 0: none came */
  bool sent;       /* any byte of the request has left */
  bool event_stream;
  struct guard_header headers[TRANSFER_MAX_HEADERS];
  size_t nheaders;
  struct buf body;             /* of anything but an event stream */
  struct guard_stream *events; /* of an event stream */
  uint32_t blocks;             /* kinds seen, enum guard_block */
  bool delivered;              /* --live: text was printed */
  /* Private. */
  struct guard_sse *sse;
  bool seen, done;
  int64_t start_ms, seen_ms, done_ms;
};

/* -1 with |diag|: libcurl could not be set up. */
int transfer_run(struct transfer *t, const struct request *r,
                 const struct guard_limits *limits, struct diag *diag);
/* Frees the answer; the caller's settings stay. */
void transfer_clear(struct transfer *t);

#endif
