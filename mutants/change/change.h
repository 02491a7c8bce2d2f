/*
 * change.h - the ways in which a mutant can differ from the product: one file
 * each, one line in changes.def.
 *
 * Rule: no mutant lives in the product. What changes files changes those of
 * the copy, and says which, so that they can be put back and the change can
 * be seen; what changes no file (a variable, a flag, a command line) cannot
 * be seen at all before a test falls.
 */
#ifndef MUTANTS_CHANGE_CHANGE_H
#define MUTANTS_CHANGE_CHANGE_H

#include "mutants/worker.h"

struct change {
  /* Reads its keys from the mutant `v`; an absent key changes nothing. */
  int (*read)(const struct jval *v, const struct plan *p, struct plan_mutant *m,
              struct diag *diag);
  bool (*is_in)(const struct plan_mutant *m);
  /* Adds the files of the tree that it changes, borrowed; NULL: changes
   * none. */
  void (*files)(const struct plan_mutant *m, struct texts *ret);
  /* Changes the copy before the build, or after it; a reason in `why` when it
   * does not fit. NULL: nothing to do then. */
  int (*before_build)(struct worker *w, const struct plan_mutant *m,
                      struct buf *why, struct diag *diag);
  int (*after_build)(struct worker *w, const struct plan_mutant *m,
                     struct buf *why, struct diag *diag);
  /* Adds a line about what a diff of files does not show, or NULL. */
  void (*tell)(const struct plan_mutant *m, struct buf *ret);
};

enum {
#define CHANGE(name, key, summary) CHANGE_##name,
#include "mutants/change/changes.def"
#undef CHANGE
  CHANGE_COUNT
};

extern const struct change *const CHANGES[CHANGE_COUNT];
#define CHANGE(name, key, summary) extern const struct change change_##name;
#include "mutants/change/changes.def"
#undef CHANGE

/* The files of the tree that this mutant changes, each once. */
void change_files(const struct plan_mutant *m, struct texts *ret);
/* Whether the mutant changes anything at all, or only what no file shows. */
bool change_is_none(const struct plan_mutant *m);
bool change_is_unseen(const struct plan_mutant *m);

/* A regular file that really lies in the copy, or, when there is none of that
 * name, a place for one: a link that leads out of the copy would change the
 * user's own tree. */
bool change_is_ours(const struct worker *w, const char *path);
/* Gives the file the exact time of now: the kernel's own stamps lag behind
 * those of tree_copy.c, and a build would think the file old. */
void change_stamp(const char *path);

#endif
