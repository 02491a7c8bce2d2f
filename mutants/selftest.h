/*
 * selftest.h - planted faults: for each, what is wrong, and the exit code and
 * outcome the gate must come to.
 *
 * A gate that cannot fail is worse than none. Each case is one row of
 * selftest_cases.c; the tree it breaks, the suite that looks at it and the
 * stand-in for `faultwire test` are shell scripts in selftest_files.c.
 */
#ifndef MUTANTS_SELFTEST_H
#define MUTANTS_SELFTEST_H

#include "base/diag.h"

#include <stdbool.h>

struct selftest_case {
  const char *name;
  int exit;            /* what must come back */
  const char *outcome; /* of the first mutant; NULL: no results at all */
  const char *mutants; /* JSON, without the brackets */
  const char *plan;    /* more members of the plan, each with a comma */
  const char *suite;   /* JSON; NULL: the plain command suite */
  const char *extra;   /* shell code in the middle of the suite */
  const char *says;    /* must be in the output, or NULL */
  const char *options; /* for the gate, separated by spaces */
};

/* Ends with a case without a name. */
extern const struct selftest_case SELFTEST_CASES[];

/* selftest_files.c: writes FOLDER/plan.json and FOLDER/tree. */
int selftest_write(const struct selftest_case *c, const char *folder,
                   struct diag *diag);

#endif
