/*
 * explain.h - `faultwire explain`: a scenario in plain words, with the
 * numbers, and the keys of one fault kind, check, policy or provider.
 *
 * The words come from the key tables and summaries the program works with;
 * the numbers from the file, its expressions worked out with the policy that
 * is given. Nothing is said here that the run would not do.
 */
#ifndef HARNESS_EXPLAIN_H
#define HARNESS_EXPLAIN_H

#include "base/buf.h"
#include "base/diag.h"
#include "harness/policy.h"

/* Appends what the scenario's server does and what a right client does. */
int explain_scenario(const char *path, const struct policy *policy,
                     struct buf *out, struct diag *diag);
/* Appends the keys of `name`, which is a `what`: "fault", "check", "policy"
 * or "provider". Unknown words are errors that name the nearest. */
int explain_thing(const char *what, const char *name, struct buf *out,
                  struct diag *diag);
/* argv[0] is "explain". Prints; returns the exit code. */
int explain_main(int argc, char **argv);

#endif
