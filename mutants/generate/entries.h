/*
 * entries.h - suggestions as a plan that `faultwire mutate check` accepts.
 *
 * The plan says of itself that it is a suggestion: each `why` begins with
 * that word, any fallen test counts (red is ["*"]), and without a plan to
 * take the suite from, its suite refuses to run and says why.
 */
#ifndef MUTANTS_GENERATE_ENTRIES_H
#define MUTANTS_GENERATE_ENTRIES_H

#include "base/json.h"
#include "mutants/generate/operator.h"

struct entry_file {
  char *path; /* in the tree, as a plan names it */
  struct buf text;
  struct source source;
  struct suggestions found;
};

struct entries {
  uint64_t wanted; /* operators, as bits */
  int per_line;    /* suggestions on one line, 0: any number */
  struct entry_file *file;
  int n;
};

struct entries_frame {
  const char *tree;            /* relative to the working folder */
  const struct json_doc *from; /* plan whose suite is taken over, or NULL */
  int64_t most;                /* mutants; 0: all */
};

/* Reads and scans one file more. */
int entries_add(struct entries *e, const char *real, const char *path,
                const struct language *l, struct diag *diag);
/* How many mutants entries_print prints. */
int entries_count(const struct entries *e, const struct entries_frame *f);
/* Adds the plan to `ret`. With a limit, those that are spread evenly over
 * all are taken, so that no file and no operator is favoured. */
void entries_print(const struct entries *e, const struct entries_frame *f,
                   struct buf *ret);
void entries_release(struct entries *e);

#endif
