/*
 * shape.h - how the bytes of an answer go out: pauses, pieces, a cut, bytes
 * behind it, and what becomes of the connection.
 *
 * Rule: docs/scenario.md, "On the wire". The keys go with every fault kind
 * and every reply: a shape works on the finished plan and knows nothing of
 * what the bytes mean, so everything combines with everything.
 */
#ifndef MOCKSERVER_SHAPE_H
#define MOCKSERVER_SHAPE_H

#include "base/param.h"
#include "mockserver/plan.h"

/* A place in the answer's bytes: "head", "body+12", "end-1". */
struct shape_place {
  enum { PLACE_HEAD, PLACE_BODY, PLACE_END } from;
  int64_t add;
};

struct shape_pause {
  struct shape_place at;
  int64_t ns;
};

/* The part of the answer a split is about. */
enum shape_part { PART_ANSWER, PART_HEAD, PART_BODY };

/* Boundaries inside ...; flags. */
enum { INSIDE_UTF8 = 1, INSIDE_CRLF = 2, INSIDE_LINES = 4 };

enum shape_close {
  CLOSE_AS_IS, /* as the answer would end; behind a cut: FIN */
  CLOSE_KEEP,
  CLOSE_FIN,
  CLOSE_RST,
  CLOSE_ABRUPT, /* close(): the kernel resets if bytes are unread */
  CLOSE_HOLD,   /* nothing more, for ever */
  CLOSE_IDLE_FIN,
  CLOSE_IDLE_RST
};

struct shape {
  struct shape_pause *pauses; /* owned */
  size_t npauses;
  struct shape_place *at; /* owned: boundaries */
  size_t nat;
  uint64_t every; /* bytes a piece, 0: whole */
  unsigned inside;
  enum shape_part part;
  int64_t split_ns; /* between two pieces */
  bool has_cut;
  struct shape_place cut;
  bool incomplete;  /* the announced length is wrong */
  bool until_close; /* FIN is the end of the body */
  enum shape_close close;
  int64_t close_after_ns;
  bool no_notify; /* HTTPS: no close_notify */
};

extern const struct param shape_params[], split_params[], interim_params[];

/* Reads the keys of a step, which are checked for type. `ret` is NULL when
 * the step has none; the caller frees it with shape_free(). */
int shape_read(struct shape **ret, const struct jval *step, struct diag *diag);
void shape_free(struct shape *s);

/*
 * Changes the plan's ops from number `first` on, which are one answer.
 * `trailing`: bytes that go behind it. A plan without a mark of the fault
 * gets one where the answer first differs from a right one. False: the cut
 * leaves no whole head.
 */
bool shape_apply(const struct shape *s, struct plan *p, size_t first,
                 struct bytes trailing);

#endif
