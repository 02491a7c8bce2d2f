/*
 * pool.h - the mutants of a run, one copy and one thread a job.
 */
#ifndef MUTANTS_POOL_H
#define MUTANTS_POOL_H

#include "mutants/record.h"
#include "mutants/worker.h"

/* Called as each mutant is done, by one thread at a time. */
typedef int pool_done_fn(void *ctx, const struct record *r, struct diag *diag);

struct pool {
  struct gate *gate;
  struct worker *first;    /* copied and built already */
  bool build_only;         /* no suite */
  struct records *records; /* one for each selected mutant, ids filled */
  pool_done_fn *done;
  void *ctx;
};

/* Runs all; afterwards compares each copy with the tree and adds to
 * `problem` what does not agree. -1 when the machine failed. */
int pool_run(struct pool *p, struct buf *problem, struct diag *diag);

#endif
