/*
 * worker.h - one copy of the tree and what is done in it, mutant by mutant:
 * restore, apply, compare, build, compare the artifact, run the suite.
 */
#ifndef MUTANTS_WORKER_H
#define MUTANTS_WORKER_H

#include "mutants/gate.h"
#include "mutants/program.h"
#include "mutants/record.h"

struct worker {
  const struct gate *gate;
  char *folder, *report;
  uint64_t artifact;    /* hash of the unmutated one */
  struct texts touched; /* files to be put back; owned by the plan */
  bool fresh_next;      /* flags were used: only a new copy is clean */
  struct buf log;       /* of the mutant that is worked on */
};

/* Copies the tree into OUT.work/jN. The caller releases `w`. */
int worker_init(struct worker *w, const struct gate *g, int number,
                struct diag *diag);
void worker_release(struct worker *w);

/* Builds the unmutated copy. *ret_ok is false when the build fails; `why`
 * gets the reason. */
int worker_build_baseline(struct worker *w, bool *ret_ok, struct buf *why,
                          struct diag *diag);
/* Puts back what the last mutant changed. */
int worker_restore(struct worker *w, struct diag *diag);
/* Everything up to the built mutant; sets outcome and why when it does not
 * come that far, else `ret->done` stays false. */
int worker_make(struct worker *w, const struct plan_mutant *m,
                struct record *ret, struct diag *diag);
/* The whole way to an outcome. */
int worker_judge(struct worker *w, const struct plan_mutant *m,
                 struct record *ret, struct diag *diag);
/* Adds the files of the tree that are not as they were in the copy. */
int worker_compare(struct worker *w, struct buf *why, struct diag *diag);

/* worker_apply.c: changes the copy. 0 and true when the mutant is in. */
int worker_apply(struct worker *w, const struct plan_mutant *m, bool *ret_in,
                 struct buf *why, struct diag *diag);
/* The touched files as a unified diff, and the rest of the mutant in words. */
int worker_diff(struct worker *w, const struct plan_mutant *m, struct buf *ret,
                struct diag *diag);

#endif
