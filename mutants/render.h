/*
 * render.h - the ways to print a run; one file each, one line in
 * renders.def. Pure: records in, text out.
 */
#ifndef MUTANTS_RENDER_H
#define MUTANTS_RENDER_H

#include "mutants/record.h"

struct render {
  const char *name; /* "matrix" in `report DIR --as matrix` */
  const char *summary;
  void (*print)(const struct records *r, struct buf *ret);
};

/* NULL-terminated by name. */
extern const struct render RENDERS[];
/* NULL when there is none; `diag` names the nearest. */
const struct render *render_find(const char *name, struct diag *diag);

#define RENDER(name, function, summary)                                        \
  void function(const struct records *r, struct buf *ret);
#include "mutants/renders.def"
#undef RENDER

/* OUT/matrix.tsv: a tab between the columns, X for a kill, x for a red of a
 * kind that does not count, ? for undecided or not run. */
void render_tsv(const struct records *r, struct buf *ret);
/* The matrix and all under it; render_matrix adds the bad mutants' lines. */
void render_grid(const struct records *r, struct buf *ret);
/* What the matrix says about the tests, and the one summary line. */
void render_tests(const struct records *r, struct buf *ret);
void render_summary(const struct records *r, struct buf *ret);
/* One mutant's line: OUTCOME id killed by 3 of 23 in 1.2 s + 3.4 s: why. */
void render_line(const struct records *all, const struct record *r,
                 struct buf *ret);

#endif
