/*
 * tree.h - copies of the tree, and lists of what is in a tree.
 *
 * The user's own tree is only ever read. A copy keeps modes and times, so
 * that incremental builds see the ages they expect; a file that is put back
 * later gets a new time, or `make` would keep the mutant built from it.
 */
#ifndef MUTANTS_TREE_H
#define MUTANTS_TREE_H

#include "base/buf.h"
#include "base/diag.h"
#include "mutants/texts.h"

#include <stdint.h>

/* What is left out everywhere. */
struct tree_skip {
  struct texts globs;    /* without '/': a name anywhere; with: a path */
  struct texts absolute; /* whole paths: the gate's own folders */
};

/* One file or symbolic link, by its path in the tree. */
struct tree_file {
  char *path;
  uint64_t hash; /* of the bytes, or of the link's target */
  bool runnable;
};

struct tree_list {
  struct tree_file *item; /* sorted by path */
  int n;
};

int tree_copy(const char *from, const char *to, const struct tree_skip *skip,
              struct diag *diag);
/* Copies one file over another, or removes `to` when `from` is not there;
 * `keep_times` as above. */
int tree_copy_file(const char *from, const char *to, bool keep_times,
                   struct diag *diag);
int tree_list(const char *root, const struct tree_skip *skip,
              struct tree_list *ret, struct diag *diag);
void tree_list_release(struct tree_list *l);
/* NULL when it is not there. */
const struct tree_file *tree_find(const struct tree_list *l, const char *path);
/* Adds to `ret` the paths, owned by the lists, that are in one list only or
 * differ. */
void tree_changes(const struct tree_list *before, const struct tree_list *after,
                  struct texts *ret);
/* The same, without what only `after` has (build products). */
void tree_losses(const struct tree_list *before, const struct tree_list *after,
                 struct texts *ret);
/* Of a file, or of a whole folder; 0 when it cannot be read. */
uint64_t tree_fingerprint(const char *path);
/* Of one file's bytes; -1 when it cannot be read. */
int tree_file_hash(const char *path, uint64_t *ret);

#endif
