/*
 * probe.h - the experiments of `faultwire probe`, one file and one line of
 * probes.def each.
 */
#ifndef HARNESS_PROBE_PROBE_H
#define HARNESS_PROBE_PROBE_H

#include "harness/probe/book.h"
#include "harness/probe/findings.h"

struct probe {
  const char *name, *summary;
  /*
   * Asks the book for its trials and says what they show. Called again after
   * each round, with fresh findings, until no trial is pending; what it says
   * before that is thrown away.
   */
  void (*measure)(struct book *b, struct findings *f);
};

/* In the order of probes.def, NULL-terminated. */
extern const struct probe *const probes[];
/* NULL: no such experiment. */
const struct probe *probe_find(const char *name);

#endif
