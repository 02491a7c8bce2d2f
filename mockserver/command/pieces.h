/*
 * pieces.h - what one start of a stand-in does, piece by piece.
 *
 * Bytes are kept as they are written; waits are nanoseconds. The last piece
 * is always an end: exit, a signal, or a silence without end.
 */
#ifndef MOCKSERVER_COMMAND_PIECES_H
#define MOCKSERVER_COMMAND_PIECES_H

#include "base/buf.h"

enum piece_kind {
  PIECE_WAIT, /* ns */
  PIECE_OUT,  /* bytes, `times` over */
  PIECE_ERR,
  PIECE_CLOSE_OUT, /* its reader sees the end, the process goes on */
  PIECE_CLOSE_ERR,
  PIECE_IGNORE, /* number: the signal it ignores from now on */
  PIECE_EXIT,   /* number: the exit code */
  PIECE_KILL,   /* number: the signal it dies of */
  PIECE_HANG    /* nothing more until somebody ends it */
};

struct piece {
  enum piece_kind kind;
  int64_t ns;
  size_t at, n; /* bytes within pieces->bytes */
  uint64_t times;
  bool values; /* the bytes hold {{...}}, to be computed when they are due */
  int number;
};

struct pieces {
  struct buf bytes;
  struct piece *list;
  size_t n, cap;
};

/* Ceiling of the bytes of one start, before `times`. */
#define PIECES_MAX_BYTES ((size_t)64 << 20)

void pieces_init(struct pieces *p);
void pieces_release(struct pieces *p);
void pieces_wait(struct pieces *p, int64_t ns);
/* `kind` is PIECE_OUT or PIECE_ERR; once, without values. Nothing is added
 * for no bytes: NULL. The pointer is good until the next piece. */
struct piece *pieces_write(struct pieces *p, enum piece_kind kind,
                           struct bytes b);
void pieces_out(struct pieces *p, struct bytes b);
void pieces_err(struct pieces *p, struct bytes b);
/* Any other kind; `number` where it has one. */
void pieces_add(struct pieces *p, enum piece_kind kind, int number);
/* True once an end is there. */
bool pieces_ended(const struct pieces *p);

#endif
