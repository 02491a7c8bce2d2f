/*
 * gate.h - one run of the gate: what all its parts share.
 */
#ifndef MUTANTS_GATE_H
#define MUTANTS_GATE_H

#include "base/cmdline.h"
#include "mutants/outcome.h"
#include "mutants/plan.h"
#include "mutants/tree.h"

struct gate_options {
  const char *plan;
  struct option_list only;
  int64_t jobs, repeat, baseline_runs;
  const char *out, *tree; /* tree: NULL as the plan says */
  const char *shard;      /* "K/N" or NULL */
  int64_t shard_k, shard_n;
  bool keep, quick, strict_tests, no_controls, verbose;
  double timeout_multiplier, minimum_timeout_s, build_timeout_s;
};

struct gate {
  const struct gate_options *options;
  struct plan plan;
  char *tree, *out, *work; /* absolute */
  char *program;           /* the faultwire of a faultwire suite */
  struct tree_skip skip;
  struct tree_list list; /* of the user's tree, as it was at the start */
  struct texts pins;     /* files and folders that are the suite itself */
  uint64_t pin_hash;
  struct texts tests; /* names, from the baseline; owned by `base` */
  struct verdicts base;
  int64_t limit_ms; /* for one run of the suite */
  const struct plan_mutant **selected;
  int nselected;
};

/* Loads the plan and finds the folders; -1 is a plan error (exit 1). */
int gate_init(struct gate *g, const struct gate_options *o, struct diag *diag);
void gate_release(struct gate *g);
/* Pure: the mutants that --only and --shard leave, in plan order. */
void gate_select(struct gate *g);
/* Makes OUT anew and OUT.work; the old results move to OUT.old. */
int gate_folders(struct gate *g, struct diag *diag);

/* The run: exit code in *ret_exit. On -1 `diag` says what, and *ret_exit is
 * GATE_USAGE (the plan or the options) or GATE_INTERNAL (the machine). */
int gate_run(struct gate *g, enum gate_exit *ret_exit, struct diag *diag);
/* The same without a suite: only whether each mutant fits and builds. */
int gate_check(struct gate *g, enum gate_exit *ret_exit, struct diag *diag);

#endif
