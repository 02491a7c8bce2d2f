/*
 * keep.h - the evidence folder of one scenario (`--evidence DIR`): all that
 * is needed to judge it again without running it.
 */
#ifndef HARNESS_KEEP_H
#define HARNESS_KEEP_H

#include "harness/evidence.h"

struct keep_input {
  const char *folder; /* exists; journal.jsonl is already in it */
  const char *scenario_path, *policy_path; /* policy may be NULL */
  const char *const *command;
  const struct evidence *evidence; /* NULL: the run did not happen */
  const cJSON *result;
};

/* DIR/ADDRESS; the caller frees. */
char *keep_folder(const char *dir, const char *address);
/* scenario.json, policy.json, stdout and stderr of every start, the files that
 * expectations name (shared.NAME), report.json, versions.json. */
int keep_write(const struct keep_input *in, struct diag *diag);

#endif
