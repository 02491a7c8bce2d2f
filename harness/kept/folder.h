/*
 * folder.h - an evidence folder, read back: everything a check may look at,
 * as if the run had just ended.
 */
#ifndef HARNESS_KEPT_FOLDER_H
#define HARNESS_KEPT_FOLDER_H

#include "harness/kept/facts.h"
#include "harness/run_files.h"
#include "mockserver/journal_read.h"

/* What is to be judged otherwise than in the run; NULL: as it was. */
struct kept_changes {
  const char *policy; /* another policy file */
  const char *expect; /* another scenario, whose `expect` counts */
};

/* Stays where it is: its parts point at each other. */
struct kept {
  char *folder;
  struct facts_file facts;
  struct scenario scenario;
  struct spec spec;
  bool has_spec;
  struct policy policy;
  char *policy_path; /* the policy's `file` */
  struct journal_copy journal;
  const struct attempt **all, **calls;
  struct buf *outputs; /* noutputs: stdout and stderr of each start */
  size_t noutputs;
  struct buf side_effects;
  struct run_files files;   /* of {SHARED} */
  struct jump_log jumps;    /* of virtual time */
  struct evidence evidence; /* nothing in it when facts.error is set */
  struct json_doc report;   /* what the run said */
};

/* True for a folder that holds a run. */
bool kept_is_folder(const char *path);
/* The caller releases, on an error nothing. */
int kept_load(struct kept *ret, const char *folder,
              const struct kept_changes *changes, struct diag *diag);
void kept_release(struct kept *k);

/* The scenario alone, as it ran; `expect` (may be NULL) takes the place of
 * its own. The caller releases. */
int kept_scenario(struct scenario *ret, const char *folder, const cJSON *expect,
                  struct diag *diag);
int kept_facts(struct facts_file *ret, const char *folder, struct diag *diag);

#endif
