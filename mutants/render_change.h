/*
 * render_change.h - where in which file a mutant is, for the reports that
 * point at lines. Pure; read from the mutant's diff.
 *
 * A mutant of several runs or files is shown at its first one. One without a
 * file (a variable, a flag, another client) has none.
 */
#ifndef MUTANTS_RENDER_CHANGE_H
#define MUTANTS_RENDER_CHANGE_H

#include "mutants/record.h"

struct change {
  char *file;          /* NULL: it changes no file */
  int64_t first, last; /* lines that went, from 1; last < first: only added */
  struct buf before, after; /* the lines that went and came, each with \n */
};

/* The caller releases `ret`. */
void change_of(const struct record *r, struct change *ret);
void change_release(struct change *c);

/* The text of a file before any mutant: what `report` has read, or what the
 * diffs of all mutants show of it, on the right lines. */
void change_source(const struct records *all, const char *file,
                   struct buf *ret);

/* The same text for XML and HTML: <, >, &, quotes; what no page may hold
 * becomes U+FFFD. */
void change_escape(struct bytes text, struct buf *ret);

#endif
