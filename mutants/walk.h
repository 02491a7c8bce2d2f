/*
 * walk.h - visits every entry of a tree in a fixed order.
 */
#ifndef MUTANTS_WALK_H
#define MUTANTS_WALK_H

#include "mutants/tree.h"

#include <sys/stat.h>

/* `path` is relative to the root; folders come before what is in them. A
 * result below 0 ends the walk. */
typedef int walk_visit_fn(void *ctx, const char *path, const struct stat *st,
                          struct diag *diag);

int walk_tree(const char *root, const struct tree_skip *skip,
              walk_visit_fn *visit, void *ctx, struct diag *diag);

#endif
