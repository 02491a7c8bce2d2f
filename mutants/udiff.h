/*
 * udiff.h - which lines of which files a unified diff changes. Pure.
 *
 * Reads what `diff -u` and `git diff` print: for each file its name and, for
 * each run of changed lines, where it stands in the old and in the new text.
 * Words between the files (git's headers, a mail around the patch) are passed
 * over; a hunk that does not hold as many lines as it says is an error, since
 * a diff that was cut would select or change less than its author meant.
 */
#ifndef MUTANTS_UDIFF_H
#define MUTANTS_UDIFF_H

#include "base/buf.h"
#include "base/diag.h"

/* A run of removed and added lines, from 1. `last` before `first`: none, and
 * the place is between the lines `last` and `first`. */
struct udiff_run {
  int64_t old_first, old_last, new_first, new_last;
};

struct udiff_file {
  char *path;            /* the new name; of a file that goes, the old one */
  bool created, removed; /* the other name is /dev/null */
  struct udiff_run *run;
  int nruns;
};

struct udiff {
  struct udiff_file *file;
  int n;
  bool prefixed; /* names began with a/ and b/, which is taken off */
  bool renames;  /* a file changes its name or mode, or is no text: git's
                    extensions, which say more than the lines do */
};

/* Ceilings: a diff of a whole release is smaller. */
#define UDIFF_MAX_BYTES ((size_t)64 << 20)
#define UDIFF_MAX_LINE INT64_C(1000000000)

/* -1 with file `name` and line in `diag`. The caller releases `ret`. */
int udiff_parse(struct udiff *ret, const char *name, struct bytes text,
                struct diag *diag);
void udiff_release(struct udiff *d);

/* Whether the file has a changed line among first..last of the new text (of
 * the old one with `old`); where lines only went away, the two beside the gap
 * count. */
bool udiff_meets(const struct udiff_file *f, bool old, int64_t first,
                 int64_t last);

#endif
