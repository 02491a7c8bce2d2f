/*
 * change.h - what is different between two runs of a suite. Pure.
 *
 * The rule: worse is a verdict further down the list pass, warn, skip,
 * inconclusive, fail; a scenario that is gone unless it is allowed to be; a
 * new one that fails or proves nothing. Attempts and times are shown when
 * they moved a lot, and count only when asked to: they have noise.
 */
#ifndef HARNESS_RUNS_CHANGE_H
#define HARNESS_RUNS_CHANGE_H

#include "harness/report/load.h"

enum change_kind {
  CHANGE_NEWLY_FAILING, /* anything but fail -> fail */
  CHANGE_WORSE,
  CHANGE_REMOVED,
  CHANGE_NEW_BAD, /* a new scenario that fails or is inconclusive */
  CHANGE_NEWLY_PASSING,
  CHANGE_BETTER,
  CHANGE_NEW,
  CHANGE_ATTEMPTS,
  CHANGE_SLOWER,
  CHANGE_FASTER,
  NCHANGES
};

struct change {
  enum change_kind kind;
  const struct result *before, *after; /* NULL: it is not there */
};

struct changes {
  struct change *list; /* by kind, then by name */
  size_t n, nsame;     /* scenarios with the same verdict */
};

/* The runs must outlive it; the caller releases. */
void changes_find(struct changes *ret, const struct run_report *before,
                  const struct run_report *after);
void changes_release(struct changes *c);

struct change_rule {
  bool subset;  /* scenarios that are gone do not count */
  bool figures; /* many more attempts, or much more time, count as worse */
};
bool change_counts(enum change_kind kind, const struct change_rule *rule);

/* The lines people read. */
void changes_print(const struct changes *c, const struct change_rule *rule,
                   struct buf *out);

#endif
