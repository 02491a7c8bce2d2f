/*
 * stream_out.h - the way of a stream's bytes from an event to the wire: line
 * ends, content coding, a limit, pieces, chunks.
 *
 * Each piece is a chunk and a segment of its own, so that a reader meets the
 * border wherever the scenario puts it. Without any of the keys an event is
 * one chunk, as it always was.
 */
#ifndef MOCKSERVER_STREAM_OUT_H
#define MOCKSERVER_STREAM_OUT_H

#include "mockserver/encode.h"
#include "mockserver/plan.h"

#include <cjson/cJSON.h>

enum stream_eol { EOL_OWN, EOL_LF, EOL_CRLF, EOL_CR, EOL_MIXED };
extern const char *const eol_words[]; /* from EOL_LF on */

enum stream_split {
  SPLIT_NONE,
  SPLIT_SIZE,  /* pieces of n bytes, over the borders of events */
  SPLIT_AT,    /* at the given offsets of the stream */
  SPLIT_UTF8,  /* behind the first byte of each longer character */
  SPLIT_CRLF,  /* between CR and LF */
  SPLIT_DATA,  /* inside each "data:" and "event:" */
  SPLIT_LINES, /* behind each line */
  SPLIT_BYTE   /* one byte at a time */
};
extern const char *const split_words[]; /* from SPLIT_UTF8 on */

/* A fact for the journal. */
struct stream_mark {
  enum plan_mark mark;
  enum event_kind kind;
};

struct stream_out {
  struct plan *plan;
  bool chunked;
  bool active; /* some of the fields below say something */
  enum stream_eol eol;
  enum stream_split split;
  uint64_t size;           /* SPLIT_SIZE */
  const cJSON *at;         /* SPLIT_AT: the next offset, others behind it */
  int64_t gap_ns;          /* between two pieces */
  uint64_t left;           /* bytes still to be sent, before coding */
  uint64_t coded_left;     /* behind it */
  bool leave_short;        /* a chunk the limit cuts is announced in full */
  struct encoder *encoder; /* owned; NULL: none */

  uint64_t events;           /* so far, for EOL_MIXED */
  uint64_t sent;             /* bytes of the body so far */
  struct buf carry;          /* SPLIT_SIZE: not enough for a piece yet */
  struct stream_mark *marks; /* behind bytes that are carried; owned */
  size_t nmarks, marks_cap;
  bool any_piece;
  bool cut; /* the limit has left something out */
};

void stream_out_init(struct stream_out *o, struct plan *plan, bool chunked);
void stream_out_release(struct stream_out *o);
/* The lines of `event` end as `eol` says; the blank one like the one before
 * it, so that no CR meets an LF of another line. */
void stream_out_lines(struct stream_out *o, struct bytes event,
                      struct buf *ret);
/* Body bytes. `missing`: so many more are announced and never sent. */
void stream_out_body(struct stream_out *o, struct bytes b, size_t missing);
/* MARK_EVENT of a kind, or MARK_TERMINAL, behind all bytes so far, also those
 * that are carried. */
void stream_out_mark(struct stream_out *o, enum plan_mark mark,
                     enum event_kind kind);
/* What is carried goes out: before a pause and at the end. */
void stream_out_flush(struct stream_out *o);
/* The end of the content coding, when there is one. */
void stream_out_finish(struct stream_out *o);
#endif
