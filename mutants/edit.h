/*
 * edit.h - search and replace that must match exactly as often as declared.
 *
 * Rule: an anchor that is gone, or that fits more places than its author
 * knew, is a mutant nobody has thought about; it is refused, never guessed.
 */
#ifndef MUTANTS_EDIT_H
#define MUTANTS_EDIT_H

#include "base/buf.h"
#include "mutants/plan.h"

/* How often `find` is in `text`, without overlaps. */
int64_t edit_count(struct bytes text, struct bytes find);
/* Pure. Adds the changed text to `ret`; -1 with a reason in `diag` when
 * `find` is not there exactly `count` times. */
int edit_apply(const struct plan_edit *e, struct bytes text, struct buf *ret,
               struct diag *diag);

#endif
