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
  const char *out, *tree;   /* tree: NULL as the plan says */
  const char *shard;        /* "K/N" or NULL */
  int64_t shard_k, shard_n; /* K counted from 0 */
  const char *in_diff;      /* a unified diff, "-" for stdin, or NULL */
  bool record;              /* the reds are to be found, not compared */
  bool in_place;            /* `record` writes the plan itself */
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
  struct texts noisy; /* tests whose baseline is not the same each time */
  int64_t limit_ms;   /* for one run of the suite */
  int lock;           /* descriptor of OUT/lock.json, or -1 */
  const struct plan_mutant **selected;
  int nselected;
};

/* Loads the plan, finds its tree and selects; -1 is a plan error (exit 1). */
int gate_init_plan(struct gate *g, const struct gate_options *o,
                   struct diag *diag);
/* The same, and finds the program of the suite. */
int gate_init(struct gate *g, const struct gate_options *o, struct diag *diag);
void gate_release(struct gate *g);
/* gate_select.c: the mutants that --only, --in-diff and --shard leave, in plan
 * order. Shards are dealt from what the other two leave, so that together they
 * are all of it and none twice. */
int gate_select(struct gate *g, struct diag *diag);
/* gate_patches.c: reads the patches of the plan: which files they change. */
int gate_read_patches(struct gate *g, struct diag *diag);
/* The folder of the plan, with the slash; the caller frees it. */
char *gate_plan_folder(const struct gate_options *o);
/* Makes OUT anew and OUT.work; the old results move to OUT.old. Refused while
 * another run holds OUT/lock.json. */
int gate_folders(struct gate *g, struct diag *diag);
/* gate_lock.c: -1 when another run works in the folder. */
int gate_lock_check(const char *out, struct diag *diag);
/* Writes and locks OUT/lock.json until g is released. */
int gate_lock_take(struct gate *g, struct diag *diag);

/* The run: exit code in *ret_exit. On -1 `diag` says what, and *ret_exit is
 * GATE_USAGE (the plan or the options) or GATE_INTERNAL (the machine). */
int gate_run(struct gate *g, enum gate_exit *ret_exit, struct diag *diag);
/* The same without a suite: only whether each mutant fits and builds. */
int gate_check(struct gate *g, enum gate_exit *ret_exit, struct diag *diag);

#endif
