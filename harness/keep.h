/*
 * keep.h - the evidence folder of one scenario (`--evidence DIR`): all that
 * is needed to judge it again without a client, and to run it again.
 *
 * docs/evidence.md names the files. harness/kept/folder.h reads them.
 */
#ifndef HARNESS_KEEP_H
#define HARNESS_KEEP_H

#include "harness/kept/facts.h"

struct keep_input {
  const char *folder;              /* exists; journal.jsonl is already in it */
  const char *scenario_path;       /* its bytes are kept as they are */
  const char *policy_path;         /* NULL: none */
  const struct scenario *scenario; /* as it ran */
  const cJSON *env;                /* the project's variables, NULL: none */
  const struct facts *facts;       /* without the evidence's own and without
                                      the environment: filled in here */
  const struct spec *spec;
  const struct evidence *evidence; /* NULL: the run did not happen */
  const cJSON *result;
};

/* DIR/ADDRESS; the caller frees. */
char *keep_folder(const char *dir, const char *address);
/* Makes it, and takes away what an earlier run said there. */
int keep_begin(const char *folder, struct diag *diag);
int keep_write(const struct keep_input *in, struct diag *diag);

/* "stdout" of the only start; "one.2.stdout" of the second in lane one. */
void keep_output_name(const struct client_start *s, size_t nstarts,
                      const char *stream, char *ret, size_t size);

/* What else is in the folder. */
#define KEPT_JUMPS "jumps.jsonl"
/* Its ceiling: 200,000 jumps and as many slow stretches (jump_log.h), of 200
 * bytes each and more where a thread's name has to be escaped. */
#define KEPT_JUMPS_BYTES ((size_t)128 << 20)
#define KEPT_JOURNAL "journal.jsonl"
#define KEPT_SCENARIO "scenario.json"
/* As it ran, when that is not what the file says: a point of a sweep. */
#define KEPT_POINT "scenario.run.json"
#define KEPT_POLICY "policy.json"
#define KEPT_FACTS "run.json"
#define KEPT_REPORT "report.json"
#define KEPT_SIDE_EFFECTS "side-effects"
/* The files of {SHARED} that expectations name, by their names. */
#define KEPT_SHARED "shared"
/* The file that step N names is in here as N. */
#define KEPT_FILES "files"

#endif
