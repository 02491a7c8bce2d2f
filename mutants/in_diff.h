/*
 * in_diff.h - which mutants stand in the lines that a unified diff changes, as
 * `cargo mutants --in-diff` selects them.
 *
 * The tree is the new side of the diff. A mutant counts when one of the lines
 * it replaces was added or changed, or when lines beside it went away; a
 * command counts when the diff touches a file it may change. A variable, a
 * flag, a client or an artifact stands in no line and never counts. The names
 * in a diff begin at the top of the repository, those of a plan at its tree:
 * two agree when the one ends with the other.
 */
#ifndef MUTANTS_IN_DIFF_H
#define MUTANTS_IN_DIFF_H

#include "mutants/plan.h"
#include "mutants/udiff.h"

/* "-" is standard input. */
int in_diff_load(struct udiff *ret, const char *path, struct diag *diag);
/* A file of the tree that cannot be read counts as a whole. */
bool in_diff(const char *tree, const struct plan_mutant *m,
             const struct udiff *diff);

/* Pure. */
bool in_diff_same_file(const char *in_diff, const char *in_plan);
bool in_diff_edit(const struct plan_edit *e, struct bytes text,
                  const struct udiff_file *f);

#endif
