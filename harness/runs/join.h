/*
 * join.h - the runs of several shards as one. Pure, but for the ownership of
 * the results, which moves.
 *
 * The rules (docs/reports.md, "Shards"): a scenario belongs to one shard;
 * met twice it is an error, unless both results are the same to the letter or
 * the caller said which one counts. Whatever the runs do not share (version,
 * seed, client) is a note of the joined run, never a silent choice.
 */
#ifndef HARNESS_RUNS_JOIN_H
#define HARNESS_RUNS_JOIN_H

#include "harness/report/load.h"

enum join_twice { JOIN_ERROR, JOIN_FIRST, JOIN_LAST, JOIN_WORST };
/* "error", "first", "last", "worst", NULL */
extern const char *const join_words[];

struct join_options {
  enum join_twice twice;
  bool strict; /* a warning counts as a failure */
};

/* Joins `n` runs, at least one, into `ret`, sorted by name; the results are
 * taken out of `runs`, which the caller still unloads, on an error too. */
int join_runs(struct loaded_run *ret, struct loaded_run *runs, size_t n,
              const struct join_options *o, struct diag *diag);
/* How bad a verdict is: pass, warn, skip, inconclusive, fail from 0. */
int verdict_rank(enum verdict v);

#endif
