/*
 * shape_points.h - where a shape's boundaries and pauses are in an answer of
 * known bytes. No function here changes a plan.
 */
#ifndef MOCKSERVER_SHAPE_POINTS_H
#define MOCKSERVER_SHAPE_POINTS_H

#include "mockserver/shape.h"

/* In front of the byte `at`. */
struct shape_point {
  uint64_t at;
  int64_t pause_ns; /* 0: a boundary only */
};

/* One answer, as ops that are all in memory. */
struct shape_view {
  const struct plan *plan;
  const struct op *ops;
  size_t nops;
  uint64_t total;    /* bytes */
  uint64_t head_end; /* behind the first empty line; total: there is none */
};

struct shape_points {
  struct shape_point *list; /* by place */
  size_t n, cap;
  uint64_t cut;         /* first byte that is not sent; total: none */
  uint64_t from, until; /* where `every` holds */
  uint64_t first_harm;  /* where the answer first differs */
};

void shape_look(struct shape_view *v, const struct plan *p,
                const struct op *ops, size_t nops);
/* The caller releases. */
void shape_points_init(struct shape_points *ret, const struct shape *s,
                       const struct shape_view *v);
void shape_points_release(struct shape_points *pts);

/* Bytes an op sends; 0 for those that send none. */
uint64_t shape_op_bytes(const struct op *op);

#endif
